/** The models of play: the same seed plays the same, scores add up, and chances are chances at every step. */
import { describe, expect, it } from 'vitest';
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { Score } from '#server/world/fixtures/fixtures.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import type { MarketState, PlayState, SimulatedSport } from '#sports/play.ts';
import { gameChance, SetChances, tieBreakChance } from '#sports/tennis/tennis-chances.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

const sportOf = (key: string): SimulatedSport => {
	const sport = SIMULATED_SPORTS.find((candidate) => candidate.key === key);
	if (!sport) throw new Error(`There is no ${key}.`);
	return sport;
};

/** Steps from one look at a play to the next: what holds at each of hundreds of states is found at many of them, too. */
const BETWEEN_LOOKS = IS_WHOLE ? 1 : 12;

/** The states of a play from the first to the last. @param every how many steps from one to the next; each by default */
function statesOf(sport: SimulatedSport, seed: number, number: number, every = 1): PlayState[] {
	const play = sport.begin(seed, number);
	const states = [play.state()];
	for (let steps = 1; !play.isEnded; steps++) {
		play.step();
		if (steps % every === 0 || play.isEnded) states.push(play.state());
	}
	return states;
}
/** The same, looked at only when it is over. */
function endOf(sport: SimulatedSport, seed: number, number: number): PlayState {
	const play = sport.begin(seed, number);
	while (!play.isEnded) play.step();
	return play.state();
}
const last = (states: readonly PlayState[]): PlayState => states.at(-1) as PlayState;

function cardOf<Sport extends Score['sport']>(state: PlayState, sport: Sport) {
	if (state.score.sport !== sport) throw new Error(`That is a card of ${state.score.sport}.`);
	return state.score as Extract<Score, { sport: Sport }>;
}

/** The sum of all chances of a market; rising lines have no sum. */
function winnersOf({ type, runners, places }: MarketState): number {
	return marketType(type).winners({ runners: runners.length, ...(places === undefined ? {} : { places }) });
}

describe.each(SIMULATED_SPORTS.map((sport) => [sport.key, sport] as const))('%s', (_, sport) => {
	let seen: PlayState[] | null = null;
	/** Of one play, from look to look. */
	const looks = () => (seen ??= statesOf(sport, 3, 6, BETWEEN_LOOKS));

	it('plays alike from the same seed and number, and differently from others', () => {
		const ends = [
			[1, 4],
			[1, 4],
			[2, 4],
			[1, 5],
		].map(([seed = 0, number = 0]) => JSON.stringify(endOf(sport, seed, number).score));
		expect(ends[0]).toBe(ends[1]);
		expect(new Set(ends).size).toBe(3);
	});

	it('opens fixtures that are announced together at different prices', () => {
		const openings = [11, 12, 13, 14, 15].map((number) => sport.begin(1, number).state().markets[0]?.chances);
		expect(new Set(openings.map((chances) => JSON.stringify(chances))).size).toBe(openings.length);
	});

	it('has chances that sum to the number of winners, and falling lines', () => {
		for (const state of IS_WHOLE ? statesOf(sport, 3, 2) : looks()) {
			for (const market of state.markets) {
				const { chances, result, name } = market;
				// An each-way price is no chance of a single event; racing checks it.
				if (!chances || result || market.type === 'EACH_WAY') continue;
				// One assertion for hundreds of chances: each costs more than the model.
				expect([name, chances.filter((chance) => !(chance >= 0 && chance <= 1))]).toEqual([name, []]);
				const sum = chances.reduce((total, chance) => total + chance, 0);
				if (!market.lines && !market.lineRange) expect(sum).toBeCloseTo(winnersOf(market), 5);
				else
					expect([name, chances.every((chance, at) => at === 0 || chance <= (chances[at - 1] ?? 0))]).toEqual([
						name,
						true,
					]);
			}
		}
	});

	it('never withdraws a market, and decides each at the end', () => {
		const ended = new Map<string, string>();
		const states = looks();
		for (const { markets } of states) {
			const named = new Map(markets.map((market) => [market.name, market]));
			expect(named.size).toBe(markets.length);
			const changed = [...ended].filter(([name, how]) => JSON.stringify(named.get(name)?.result) !== how);
			expect(changed).toEqual([]);
			for (const market of markets) if (market.result) ended.set(market.name, JSON.stringify(market.result));
		}
		expect(last(states).isEnded).toBe(true);
		expect(last(states).markets.filter((market) => market.result === null)).toEqual([]);
	});
});

describe('football', () => {
	it('counts the goals and cards that it reports', () => {
		for (let number = 0; number < 10; number++) {
			const { teams, incidents, minute } = cardOf(endOf(sportOf('football'), 8, number), 'football');
			expect(minute).toBe(90);
			teams.forEach((team, side) => {
				const count = (kind: string) => incidents.filter((each) => each.kind === kind && each.team === side).length;
				expect([team.goals, team.yellowCards, team.redCards]).toEqual([
					count('GOAL'),
					count('YELLOW_CARD'),
					count('RED_CARD'),
				]);
			});
		}
	});

	it('settles over and under at the deciding goal, and the rest at the end', () => {
		for (const state of statesOf(sportOf('football'), 8, 1)) {
			const goals = cardOf(state, 'football').teams.reduce((sum, team) => sum + team.goals, 0);
			const lines = state.markets.filter(({ type }) => type === 'OVER_UNDER');
			expect(lines.map(({ name }) => name)).toEqual([2.5, 1.5, 3.5].map((line) => `Over/Under ${line} Goals`));
			for (const [at, line] of [2.5, 1.5, 3.5].entries()) {
				expect(lines[at]?.result !== null).toBe(goals > line || state.isEnded);
			}
		}
	});

	it('pays the two double chances that contain the result', () => {
		for (let number = 0; number < 10; number++) {
			const end = endOf(sportOf('football'), 8, number);
			const [home, away] = cardOf(end, 'football').teams.map(({ goals }) => goals) as [number, number];
			const double = end.markets.find(({ type }) => type === 'DOUBLE_CHANCE');
			const won = double?.result?.winners?.map((runner) => double.runners[runner]?.id);
			expect(won).toEqual(
				home > away
					? ['home-draw', 'home-away']
					: home < away
						? ['away-draw', 'home-away']
						: ['home-draw', 'away-draw'],
			);
		}
	});
});

describe('cricket', () => {
	const cricket = sportOf('cricket');
	const named = ({ markets }: PlayState, name: string) => markets.find((market) => market.name === name);

	it('bets on the toss until the coin falls, and the match turns in-play with the first ball', () => {
		const play = cricket.begin(3, 2);
		const [before, tossed, running] = Array.from({ length: 3 }, () => {
			const state = play.state();
			play.step();
			return state;
		}) as [PlayState, PlayState, PlayState];
		expect(named(before, 'To Win the Toss')).toMatchObject({ chances: [0.5, 0.5], result: null });
		expect(named(tossed, 'To Win the Toss')?.result?.winners).toHaveLength(1);
		expect([before, tossed, running].map(({ inPlay }) => inPlay)).toEqual([false, false, true]);
	});

	it('lets no side bat before the toss', () => {
		const play = sportOf('cricket').begin(1, 1);
		const before = play.state();
		expect([cardOf(before, 'cricket').innings, before.scoreLine]).toEqual([[], '']);
		play.step();
		expect(cardOf(play.state(), 'cricket').innings).toHaveLength(1);
	});

	it('settles each over by its runs, and voids one that was listed but not begun', () => {
		for (let number = 0; number < 5; number++) {
			const end = endOf(cricket, 8, number);
			const { innings } = cardOf(end, 'cricket');
			for (const { team, runs, overs } of innings) {
				const listed = end.markets.filter(
					({ name }) => name.startsWith('Runs in over ') && name.endsWith(` · ${team}`),
				);
				const paid = listed.flatMap(({ result }) => (result?.value === undefined ? [] : [result.value]));
				expect(paid.reduce((sum, each) => sum + each, 0)).toBe(runs);
				expect(paid).toHaveLength(Math.ceil(Number(overs)));
				for (const { result } of listed.slice(paid.length)) expect(result).toEqual({ unfinished: true });
			}
		}
	});

	it('knows whether every match was completed and tied', () => {
		let [abandoned, tied] = [0, 0];
		for (let number = 0; number < 120; number++) {
			const end = endOf(cricket, 8, number);
			const { innings } = cardOf(end, 'cricket');
			const same = innings[1] !== undefined && innings[0]?.runs === innings[1].runs;
			if (end.isAbandoned) {
				abandoned++;
				expect(named(end, 'Completed Match')?.result).toEqual({ unfinished: true });
				expect(named(end, 'Match Odds')?.result).toEqual({ unfinished: true });
				continue;
			}
			if (same) tied++;
			expect(named(end, 'Completed Match')?.result).toEqual({ winners: [0] });
			expect(named(end, 'Tied Match')?.result).toEqual({ winners: [same ? 0 : 1] });
		}
		expect(abandoned).toBeGreaterThan(0);
		expect(tied).toBeGreaterThan(0);
	});
});

describe('tennis', () => {
	it('computes the chances of a game and a tie-break', () => {
		// From the literature: a server who wins six points of ten holds 73.6 % of his games.
		expect(gameChance(0.6, 0, 0)).toBeCloseTo(0.7357, 4);
		expect(gameChance(0.5, 2, 2)).toBeCloseTo(0.5, 10);
		// By hand at forty-love, three points to win one: 1 − 0.4³ · (1 − deuce), deuce 0.36 / 0.52.
		expect(gameChance(0.6, 3, 0)).toBeCloseTo(1 - 0.4 ** 3 * (1 - 0.36 / 0.52), 10);
		expect(tieBreakChance([0.62, 0.62], [0, 0], 0)).toBeCloseTo(0.5, 10);
		expect(tieBreakChance([0.62, 0.62], [6, 0], 1)).toBeGreaterThan(0.98);
	});

	it('gives a set the same chance whichever side serves first', () => {
		const chances = new SetChances([0.66, 0.6]);
		expect(chances.atGames(0, 0, 0)).toBeCloseTo(chances.atGames(0, 0, 1), 10);
	});

	it('ends every set as sets end', () => {
		for (let number = 0; number < 20; number++) {
			const { players } = cardOf(endOf(sportOf('tennis'), 8, number), 'tennis');
			const [one, two] = players.map(({ games }) => games) as [number[], number[]];
			one.forEach((games, set) => {
				const score = [games, two[set] as number].sort((less, more) => more - less);
				expect(['6-0', '6-1', '6-2', '6-3', '6-4', '7-5', '7-6']).toContain(score.join('-'));
			});
			expect(Math.max(...players.map(({ sets }) => sets))).toBe(2);
		}
	});
});

describe('kabaddi', () => {
	it('settles the points of each side, of both, and of the first half', () => {
		const states = statesOf(sportOf('kabaddi'), 8, 3);
		const pointsOf = (state: PlayState) =>
			cardOf(state, 'kabaddi').teams.map(({ points }) => points) as [number, number];
		const [one, two] = pointsOf(last(states));
		const [half, other] = pointsOf(states[40] as PlayState);
		const values = last(states)
			.markets.filter(({ type }) => type === 'POINTS')
			.map(({ result }) => result?.value);
		expect(values).toEqual([one + two, one, two, half + other]);
	});

	it('gives every point for a raid, and each side has one to seven players', () => {
		const states = statesOf(sportOf('kabaddi'), 8, 3);
		const points = [0, 0];
		states.forEach((state, at) => {
			const { teams, raids } = cardOf(state, 'kabaddi');
			const [raid] = raids;
			if (at > 0 && raid) {
				const [mine, theirs] = raid.points as [number, number];
				points[raid.team] = (points[raid.team] as number) + mine;
				points[1 - raid.team] = (points[1 - raid.team] as number) + theirs;
			}
			expect(teams.map((team) => team.points)).toEqual(points);
			for (const { onMat } of teams) {
				expect(onMat).toBeGreaterThan(0);
				expect(onMat).toBeLessThanOrEqual(7);
			}
		});
		expect(states).toHaveLength(81);
	});
});

describe('horse racing', () => {
	type Card = Extract<Score, { sport: 'horseRacing' }>;
	/** The first race that ends so. */
	const raceWith = (wanted: (card: Card, end: PlayState) => boolean): number => {
		for (let number = 0; number < 1000; number++) {
			const end = endOf(sportOf('racing'), 8, number);
			if (wanted(cardOf(end, 'horseRacing'), end)) return number;
		}
		throw new Error('There is no such race.');
	};
	const some = (card: Card, status: Card['runners'][number]['status']) =>
		card.runners.some((horse) => horse.status === status);

	it('brings home every horse that runs and does not fall, in the order of their times', () => {
		const number = raceWith((card) => !some(card, 'NON_RUNNER') && !some(card, 'FELL'));
		const { runners, distanceMetres } = cardOf(endOf(sportOf('racing'), 8, number), 'horseRacing');
		const home = runners.toSorted((one, other) => one.position - other.position);
		const times = home.map(({ seconds }) => seconds ?? 0);
		expect(times).toEqual(times.toSorted((one, other) => one - other));
		expect(new Set(runners.map(({ metres }) => metres))).toEqual(new Set([distanceMetres]));
	});

	it('has no draw in a chase, whose horses start from no stalls', () => {
		const state = sportOf('racing').begin(1, 1).state();
		const runners = [...cardOf(state, 'horseRacing').runners, ...(state.markets[0]?.runners ?? [])];
		expect(runners.filter(({ draw }) => draw !== undefined)).toEqual([]);
	});

	it('prices each way so that both parts together are fair', () => {
		const [state] = statesOf(
			sportOf('racing'),
			8,
			raceWith((card) => !some(card, 'NON_RUNNER')),
		);
		const chancesOf = (type: string) => state?.markets.find((market) => market.type === type)?.chances ?? [];
		const [win, place, eachWay] = [chancesOf('WIN'), chancesOf('PLACE'), chancesOf('EACH_WAY')];
		expect(eachWay.length).toBeGreaterThanOrEqual(8);
		eachWay.forEach((chance, runner) => {
			const price = 1 / chance;
			const returned = (win[runner] ?? 0) * price + (place[runner] ?? 0) * (1 + (price - 1) / 5);
			expect(returned).toBeCloseTo(2, 9);
		});
	});

	it('removes a non-runner from all markets before the off, by its chance; each way by its chance to win', () => {
		const states = statesOf(
			sportOf('racing'),
			8,
			raceWith((card) => some(card, 'NON_RUNNER')),
		);
		const first = states.findIndex(({ markets }) => (markets[0]?.removed ?? []).length > 0);
		const [before, after] = [states[first - 1], states[first]];
		expect(before?.inPlay || after?.inPlay).toBe(false);
		after?.markets.forEach((market, at) => {
			const [gone] = market.removed ?? [];
			const eachWay = market.type === 'EACH_WAY';
			const chance = before?.markets[eachWay ? 0 : at]?.chances?.[gone?.runner ?? 0] ?? 0;
			expect(market.chances?.[gone?.runner ?? 0]).toBe(0);
			expect(gone?.reductionBp).toBe(Math.round((chance / (eachWay ? 1 : (market.places ?? 1))) * 10_000));
			expect(gone?.reductionBp).toBeGreaterThan(0);
		});
	});

	it('prices win and place in running, pauses at a fall, and ends betting at the post', () => {
		const play = sportOf('racing').begin(
			8,
			raceWith((card) => some(card, 'FELL')),
		);
		let [priced, fallen, home] = [0, 0, 0];
		while (!play.isEnded) {
			const { incident } = play.step();
			const state = play.state();
			const { runners } = cardOf(state, 'horseRacing');
			const [fell, over] = [
				runners.filter(({ status }) => status === 'FELL').length,
				runners.filter(({ seconds }) => seconds !== null).length,
			];
			// By hand: an incident is a new fall, or the first horse over the line.
			expect(incident).toBe(fell > fallen || (home === 0 && over > 0));
			[fallen, home] = [fell, over];
			if (!state.inPlay) continue;
			const inRunning = state.markets.filter(({ closesAtStart }) => !closesAtStart);
			expect(inRunning.map(({ chances }) => chances !== null)).toEqual([home === 0, home === 0]);
			if (home > 0) continue;
			priced++;
			runners.forEach(({ status }, at) => {
				if (status === 'FELL') expect(inRunning.map(({ chances }) => chances?.[at])).toEqual([0, 0]);
			});
		}
		expect(priced).toBeGreaterThan(20);
	});

	it('shares the last place among horses that tie for it', () => {
		const tiesForThird = ({ runners }: Card) => {
			const third = runners.filter(({ position }) => position === 3).length;
			const second = runners.filter(({ position }) => position === 2).length;
			return third > 1 || second > 2;
		};
		const end = endOf(sportOf('racing'), 8, raceWith(tiesForThird));
		const { runners } = cardOf(end, 'horseRacing');
		const at = (position: number) => runners.flatMap((horse, index) => (horse.position === position ? [index] : []));
		const place = end.markets.find(({ type }) => type === 'PLACE');
		const sure = [1, 2].filter((position) => at(position).length === 1).flatMap(at);
		expect([...(place?.result?.winners ?? [])].sort()).toEqual(sure.sort());
		expect(place?.result?.tied).toEqual(at(sure.length + 1));
	});
});

describe('trade', () => {
	it('pays by the last level', () => {
		const end = endOf(sportOf('trade'), 8, 3);
		const { history, level, openLevel, ticksLeft } = cardOf(end, 'trade');
		expect([history[0], history.at(-1), ticksLeft]).toEqual([openLevel, level, 0]);
		expect(end.markets.map(({ result }) => result)).toEqual([
			{ winners: [level > openLevel ? 0 : 1] },
			{ value: level },
		]);
	});
});

describe('names', () => {
	it('of a sport are many, and none of its competitions is a brand', { tags: 'thorough' }, () => {
		for (const sport of SIMULATED_SPORTS.filter(({ key }) => key !== 'trade')) {
			const plays = Array.from({ length: 400 }, (_, number) => sport.begin(1, number));
			const names = new Set(plays.flatMap(({ title }) => title.split(' v ')));
			expect([sport.key, names.size]).toEqual([sport.key, expect.toSatisfy((size: number) => size >= 30)]);
			for (const { competition, title } of plays) expect(`${competition} ${title}`).not.toMatch(/backlay|simulated/i);
		}
	});
});

describe('cards in football', () => {
	it('a second yellow card is a red one, and a player sent off takes no further part', () => {
		let sentOff = 0;
		for (let number = 0; number < 150; number++) {
			const { incidents, teams } = cardOf(endOf(sportOf('football'), 5, number), 'football');
			const out = new Set<string>();
			const booked = new Set<string>();
			for (const { kind, player, team } of incidents.toReversed()) {
				const who = `${team} ${player}`;
				expect(out).not.toContain(who);
				if (kind === 'YELLOW_CARD' && booked.has(who)) sentOff++;
				if (kind === 'YELLOW_CARD') booked.add(who);
				if (kind === 'RED_CARD') out.add(who);
			}
			if (incidents.length < 20) expect(out.size).toBe(teams.reduce((sum, { redCards }) => sum + redCards, 0));
		}
		expect(sentOff).toBeGreaterThan(0);
	});
});
