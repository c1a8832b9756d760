/** Scores by hand: each sport's card follows from what a trader says of the match, and from the card alone. */
import { describe, expect, it } from 'vitest';
import { scoredByHand } from '#sports/by-hand/all-by-hand.ts';
import type { ScoreCard, TennisCard } from '#sports/score-card.ts';
import { tennis } from '#sports/tennis/tennis-play.ts';
import { SCORE_ACTS, type ScoredSport } from '#values/score-acts.ts';
import { SeededNumbers } from '../reference/random-commands.ts';

const SIDES = ['Reds', 'Blues'] as const;
const TERMS = { overs: 2, bestOf: 3 };

const begun = (sport: ScoredSport): ScoreCard => ({ ...scoredByHand(sport).begin(SIDES, TERMS), state: 'IN_PLAY' });
/** Through JSON, as the tables keep a card between two scores. */
const kept = (card: ScoreCard): ScoreCard => JSON.parse(JSON.stringify(card)) as ScoreCard;

function say(sport: ScoredSport, card: ScoreCard, act: string, side: 0 | 1 | null = null): ScoreCard | null {
	return scoredByHand(sport).after(kept(card), { act, side, elapsedMs: 61_000, sides: SIDES });
}

describe('tennis', () => {
	it.each([1, 2, 3])('counts every point of a simulated match as its play does (seed %i)', (seed) => {
		const play = tennis.begin(seed, 0);
		const cardOf = () => play.state().score as TennisCard;
		const first = cardOf().players[0]?.serving ? 0 : 1;
		let card = say('tennis', begun('tennis'), 'SERVE', first) as TennisCard;
		while (!play.isEnded) {
			play.step();
			const shown = cardOf();
			card = say('tennis', card, 'POINT', shown.recentPoints.at(-1) as 0 | 1) as TennisCard;
			const counted = ({ players, tieBreak }: TennisCard) => ({
				tieBreak,
				players: players.map((player) => ({ ...player, name: '' })),
			});
			expect(counted(card)).toEqual(counted(shown));
		}
		expect(say('tennis', card, 'POINT', 0)).toBeNull();
		const sets = card.players.map((player) => player.sets);
		expect(scoredByHand('tennis').outcome(card, SIDES)).toMatchObject({ winner: sets[0] === 2 ? 0 : 1, totals: sets });
	});
});

describe('cricket', () => {
	it.each([1, 2, 3])(
		'adds up the balls of both innings, and ends them by overs, wickets or target (seed %i)',
		(seed) => {
			const numbers = new SeededNumbers(seed);
			let card = say('cricket', begun('cricket'), 'BATS', 1) ?? begun('cricket');
			const byHand = [
				{ runs: 0, wickets: 0, balls: 0 },
				{ runs: 0, wickets: 0, balls: 0 },
			];
			for (let inning = 0; inning < 2; inning++) {
				const sum = byHand[inning] ?? { runs: 0, wickets: 0, balls: 0 };
				const hasEnded = () => sum.balls === 12 || (inning === 1 && sum.runs > (byHand[0]?.runs ?? 0));
				while (!hasEnded()) {
					const act = numbers.from(['RUNS_0', 'RUNS_1', 'RUNS_4', 'WIDE', 'NO_BALL', 'WICKET']);
					card = say('cricket', card, act) ?? card;
					const isExtra = act === 'WIDE' || act === 'NO_BALL';
					sum.runs += isExtra ? 1 : Number(/\d/.exec(act)?.[0] ?? 0);
					sum.wickets += act === 'WICKET' ? 1 : 0;
					sum.balls += isExtra ? 0 : 1;
				}
				expect(card).toMatchObject({ state: 'INNINGS_BREAK' });
				expect(say('cricket', card, 'RUNS_1')).toBeNull();
				if (inning === 0) card = say('cricket', card, 'BATS', 0) ?? card;
			}
			const [blues, reds] = byHand;
			expect(card).toMatchObject({
				innings: [
					{ team: 'Blues', runs: blues?.runs, wickets: blues?.wickets, target: null },
					{ team: 'Reds', runs: reds?.runs, wickets: reds?.wickets, target: (blues?.runs ?? 0) + 1 },
				],
			});
			expect(scoredByHand('cricket').outcome(card, SIDES).totals).toEqual([reds?.runs, blues?.runs]);
			expect(say('cricket', card, 'BATS', 1)).toBeNull();
		},
	);
});

describe('kabaddi and football', () => {
	it.each([
		['football', 'GOAL', 1],
		['kabaddi', 'POINT', 1],
		['kabaddi', 'ALL_OUT', 2],
	] as const)('%s: %s counts %i for the side that is named', (sport, act, points) => {
		const { outcome } = scoredByHand(sport);
		const card = say(sport, begun(sport), act, 1);
		expect(card && outcome(card, SIDES)).toMatchObject({ winner: 1, totals: [0, points] });
	});

	it.each(['football', 'kabaddi'] as const)(
		'%s: takes no score before play, in the break and after the end',
		(sport) => {
			const card = begun(sport);
			const rest = say(sport, card, 'BREAK');
			expect(rest && say(sport, rest, 'POINT', 0)).toBeNull();
			expect(rest && say(sport, rest, 'BREAK')).toBeNull();
			const second = rest && say(sport, rest, 'SECOND_HALF');
			expect(second).toMatchObject({ half: 2, state: 'IN_PLAY' });
			const closed = ['PRE_MATCH', 'FINISHED'].map((state) => ({ ...card, state }) as ScoreCard);
			for (const one of closed)
				expect(SCORE_ACTS[sport].map(({ act }) => say(sport, one, act, 0))).toEqual(SCORE_ACTS[sport].map(() => null));
		},
	);
});
