/** The simulated match: always the same from the same seed, played to its end, and priced as often as it happens. */
import { expect, it } from 'vitest';
import { chanceOfFirst, outcomeOf, type Pitch, type Standing } from '#sports/cricket/ball-model.ts';
import { cricketMarkets } from '#sports/cricket/cricket-markets.ts';
import { type Innings, TwentyOverMatch } from '#sports/cricket/twenty-over-match.ts';

/** Plays to the end, null when rain ends it; `look` is called before each ball. */
function play(match: TwentyOverMatch, look: (match: TwentyOverMatch) => void = () => {}): 0 | 1 | null {
	while (!match.isEnded) {
		look(match);
		match.playBall();
	}
	return match.winner;
}

it('the same seed and number give the same match, another gives another', () => {
	const cards = [
		[1, 5],
		[1, 5],
		[2, 5],
		[1, 6],
	].map(([seed = 0, number = 0]) => {
		const match = new TwentyOverMatch(seed, number);
		play(match);
		return JSON.stringify(match.card());
	});
	expect(cards[0]).toBe(cards[1]);
	expect(new Set(cards).size).toBe(3);
});

it('the score card adds up at every ball', () => {
	const match = new TwentyOverMatch(3, 1);
	let version = 0;
	play(match, ({ ballsPlayed, target, standing }) => {
		const card = match.card();
		if (target !== null && standing.innings === 2 && ballsPlayed > 0)
			expect(match.line()).toContain(` · ${target - standing.runs} off ${standing.ballsLeft})`);
		expect(card.version).toBeGreaterThan(version);
		version = card.version;
		for (const { wickets } of card.innings) expect(wickets).toBeLessThanOrEqual(10);
		const chance = chanceOfFirst(match.standing);
		expect(chance).toBeGreaterThan(0);
		expect(chance).toBeLessThan(1);
	});
	const { innings, state } = match.card();
	expect(state).toBe('FINISHED');
	const [first, second] = innings.map(({ runs }) => runs);
	if (first !== second) expect(match.winner).toBe((first ?? 0) > (second ?? 0) ? 0 : 1);
});

it('outcomes priced at a fifth, a half or four fifths happen that often', { tags: 'thorough' }, () => {
	const bands = [
		{ from: 0.2, to: 0.3, seen: 0, won: 0 },
		{ from: 0.45, to: 0.55, seen: 0, won: 0 },
		{ from: 0.7, to: 0.8, seen: 0, won: 0 },
	];
	for (let number = 0; number < 4000; number++) {
		const match = new TwentyOverMatch(11, number);
		// One look a match, after the tenth over: looks at one match are not independent of each other.
		let chance = 0;
		const winner = play(match, ({ ballsPlayed }) => {
			if (ballsPlayed === 60) chance = chanceOfFirst(match.standing);
		});
		if (winner === null) continue;
		for (const band of bands) {
			if (chance < band.from || chance >= band.to) continue;
			band.seen += 1;
			if (winner === 0) band.won += 1;
		}
	}
	for (const { from, to, seen, won } of bands) {
		// Four standard deviations around the band: a wrong model is far outside, chance is not.
		const slack = 4 * Math.sqrt(0.25 / seen);
		expect(won / seen).toBeGreaterThan(from - slack);
		expect(won / seen).toBeLessThan(to + slack);
		expect(seen).toBeGreaterThan(200);
	}
});

it('a first innings makes what Twenty20 internationals make, most of it late, and the tail loses wickets sooner', {
	tags: 'thorough',
}, () => {
	const sums = { innings: 0, runs: 0, wickets: 0, sixOvers: 0, lastFive: 0, lastFiveOvers: 0 };
	for (let number = 0; number < 1500; number++) {
		const match = new TwentyOverMatch(21, number);
		play(match);
		const [first] = match.innings;
		if (!first || !match.isClosed(0)) continue;
		sums.innings += 1;
		sums.runs += first.runs;
		sums.wickets += first.wickets;
		sums.sixOvers += first.sixOverRuns ?? 0;
		if (first.balls < 120) continue;
		sums.lastFiveOvers += 5;
		sums.lastFive += first.overRuns.slice(15).reduce((sum, runs) => sum + runs, 0);
	}
	// Published: 145 runs, 22 a wicket, 7.3 an over in the first six and 8.7 in the last five.
	expect(Math.abs(sums.runs / sums.innings - 145)).toBeLessThan(4);
	expect(Math.abs(sums.runs / sums.wickets - 22)).toBeLessThan(1.5);
	expect(Math.abs(sums.sixOvers / sums.innings / 6 - 7.3)).toBeLessThan(0.3);
	expect(Math.abs(sums.lastFive / sums.lastFiveOvers - 8.7)).toBeLessThan(0.5);
});

const EVEN: Standing = {
	innings: 1,
	ballsLeft: 120,
	wicketsLeft: 10,
	runs: 0,
	target: 0,
	edge: 0,
	ground: { pitch: 'TRUE', hasDew: false },
};

it('between equal sides dew decides for the one that chases, on any pitch, and a dry ground for neither', () => {
	for (const pitch of ['TRUE', 'TURNING'] as const) {
		expect(chanceOfFirst({ ...EVEN, ground: { pitch, hasDew: false } })).toBeCloseTo(0.5, 2);
		// Published: 57.5 % of the sides that chose to chase won, and 52.5 % of those that were asked to.
		const chasers = 1 - chanceOfFirst({ ...EVEN, ground: { pitch, hasDew: true } });
		expect(chasers).toBeGreaterThan(0.525);
		expect(chasers).toBeLessThan(0.585);
	}
});

it('with dew and without, matches are won as often as they are priced before the first ball', () => {
	for (const hasDew of [true, false]) {
		const sums = { priced: 0, won: 0, played: 0 };
		for (let number = 0; sums.played < 1200; number++) {
			const match = new TwentyOverMatch(33, number);
			if (match.ground.hasDew !== hasDew) continue;
			const chance = chanceOfFirst(match.standing);
			const winner = play(match);
			if (winner === null) continue;
			sums.played += 1;
			sums.priced += chance;
			sums.won += winner === 0 ? 1 : 0;
		}
		// Four standard deviations are 5.8 of a hundred; a chase without its dew would be off by more than seven.
		expect(Math.abs(sums.won - sums.priced) / sums.played).toBeLessThan(4 * Math.sqrt(0.25 / sums.played));
	}
});

it('on a turning pitch the middle overs give a wicket every 18 or 19 balls, for fewer runs than on others', () => {
	const middle = (pitch: Pitch) => {
		const balls = Array.from({ length: 50_000 }, (_, at) =>
			outcomeOf((at + 0.5) / 50_000, { edge: 0, pitch, balls: 60, wickets: 2 }),
		);
		const wickets = balls.filter(({ wicket }) => wicket).length;
		const runs = balls.reduce((sum, ball) => sum + ball.runs, 0);
		return { ballsAWicket: balls.length / wickets, anOver: (runs / balls.length) * 6 };
	};
	const [turning, others] = [middle('TURNING'), middle('TRUE')];
	// Published: 18.7.
	expect(Math.abs(turning.ballsAWicket - 18.7)).toBeLessThan(0.5);
	expect(turning.anOver).toBeLessThan(others.anOver - 0.5);
	expect(others.ballsAWicket).toBeGreaterThan(21);
});

it('a ball of the weakest side’s tail on a turning pitch still has no chance below nought', () => {
	for (const pitch of ['TRUE', 'TURNING'] as const) {
		for (const balls of [0, 60, 110]) {
			const runs = Array.from(
				{ length: 10_000 },
				(_, at) => outcomeOf((at + 0.5) / 10_000, { edge: -4, pitch, balls, wickets: 8 }).runs,
			);
			expect(new Set(runs)).toEqual(new Set([0, 1, 2, 3, 4, 6]));
		}
	}
});

it('a ground is its side’s: where the ball turns is always the same, and dew comes in the evening alone', () => {
	const matches = Array.from({ length: 4000 }, (_, number) => new TwentyOverMatch(3, number));
	const groundsOf = (name: string) => matches.filter(({ teams }) => teams[0].name === name).map(({ ground }) => ground);
	expect(new Set(groundsOf('Chennai Mariners').map(({ pitch }) => pitch))).toEqual(new Set(['TURNING']));
	for (const ground of groundsOf('Australia')) expect(ground).toEqual({ pitch: 'TRUE', hasDew: false });
	const evenings = groundsOf('Mumbai Tides').map(({ hasDew }) => hasDew);
	expect(evenings.filter(Boolean).length / evenings.length).toBeGreaterThan(0.5);
	expect(evenings).toContain(false);
	const dewy = matches.find(({ ground }) => ground.hasDew && ground.pitch === 'TURNING');
	expect(dewy?.card().note).toBe('Toss to come · turning pitch, dew in the second innings');
});

it('the same side is the favourite against the same opponent, whenever they meet', () => {
	const meetings = Array.from({ length: 2000 }, (_, number) => new TwentyOverMatch(number % 5, number));
	const chancesOf = (one: string, other: string) =>
		meetings
			.filter(({ teams }) => [one, other].every((name) => teams.some((team) => team.name === name)))
			.map((match) => {
				const chance = chanceOfFirst(match.standing);
				return match.teams[0].name === one ? chance : 1 - chance;
			});
	const strong = chancesOf('England', 'Nepal');
	expect(strong.length).toBeGreaterThan(1);
	for (const chance of strong) expect(chance).toBeGreaterThan(0.75);
	// Ground, spin, dew and the form of the day move it.
	for (const chance of chancesOf('India', 'Australia')) expect(Math.abs(chance - 0.5)).toBeLessThan(0.22);
});

it('counts the six over runs, and every other fancy, of a chase that is won before as they stand', () => {
	const match = new TwentyOverMatch(3, 1);
	while (match.target === null) match.playBall();
	// No side is out for ten; the second one passes that within its first overs.
	(match.innings[0] as Innings).runs = 10;
	while (!match.isEnded) match.playBall();
	const chase = match.innings[1] as Innings;
	expect([match.winner, chase.balls < 36, chase.runs > 10]).toEqual([1, true, true]);
	const markets = cricketMarkets(match, 1);
	const ofChase = markets.find(({ name }) => name === `${chase.team.name} 6 over runs`);
	expect(ofChase?.result).toEqual({ value: chase.runs });
	// Each rule says what becomes of it when the innings ends: none stays open.
	expect(markets.filter(({ result }) => result === null).map(({ name }) => name)).toEqual(['To Win the Toss']);
});
