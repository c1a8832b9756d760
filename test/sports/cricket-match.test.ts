/** The simulated match: always the same from the same seed, played to its end, and priced as often as it happens. */
import { expect, it } from 'vitest';
import { chanceOfFirst } from '#sports/cricket/ball-model.ts';
import { TwentyOverMatch } from '#sports/cricket/twenty-over-match.ts';

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
	play(match, () => {
		const card = match.card();
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

it('outcomes priced at a fifth, a half or four fifths happen that often', () => {
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
