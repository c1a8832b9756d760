/** Each bet of each game, counted over all outcomes, against the pay table and the tables of third parties. */
import { describe, expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { type Card, PACK, rankOf } from '#games/cards.ts';
import {
	add,
	choose,
	compare,
	type Fraction,
	fraction,
	hundredths,
	multiply,
	NONE,
	percentText,
	toNumber,
} from '#games/fraction.ts';
import { type Bet, payoutOf, type RoundGame, returnOf, returnsOf } from '#games/game.ts';
import { coinFlip } from '#games/instant/coin-flip.ts';
import { dice } from '#games/instant/dice.ts';
import { KENO_NUMBERS, keno } from '#games/instant/keno.ts';
import { limbo } from '#games/instant/limbo.ts';
import { plinko } from '#games/instant/plinko.ts';
import { wheel } from '#games/instant/wheel.ts';
import { andarBahar } from '#games/tables/andar-bahar.ts';
import { baccarat, bankerDraws, totalOf } from '#games/tables/baccarat.ts';
import { dragonTiger } from '#games/tables/dragon-tiger.ts';
import { luckySeven } from '#games/tables/lucky-seven.ts';
import { roulette } from '#games/tables/roulette.ts';
import { teenPatti } from '#games/tables/teen-patti.ts';
import { scoreOf, sixCardHandOf } from '#games/tables/teen-patti-hand.ts';
import { leadersOf, thirtyTwoCards } from '#games/tables/thirty-two-cards.ts';
import { blackjack } from '#games/turns/blackjack.ts';
import { hiLo, hiLoCents, winningRanks } from '#games/turns/hi-lo.ts';
import { mines, minesBet, minesCents } from '#games/turns/mines.ts';
import { bestPlay, worstPlay } from './best-blackjack.ts';
import { byForm, isLongForm } from './form.ts';
import { hasVectors, readVectors } from './vectors.ts';
import { worstHiLo } from './worst-hi-lo.ts';

interface ExactTables {
	games: Record<string, { bets: Record<string, { decimalOdds: string; rtp: { fraction: string } }> }>;
}
const exact = readVectors<ExactTables>('table-games-exact').games;
const parse = (text: string): Fraction => {
	const [over = '', under = '1'] = text.split('/');
	return fraction(BigInt(over), BigInt(under));
};

/** How often each prize of a bet is given, by outcomes with their weights, against the chances of its pay table. */
function expectChances<Outcome>(bet: Bet<Outcome>, outcomes: Iterable<readonly [Outcome, Fraction | bigint]>): void {
	const counts = bet.prizes.map(() => NONE);
	let total = NONE;
	for (const [outcome, given] of outcomes) {
		const weight = typeof given === 'bigint' ? fraction(given) : given;
		total = add(total, weight);
		const prize = bet.prizeOf(outcome);
		if (prize !== null) counts[prize] = add(counts[prize] as Fraction, weight);
	}
	const parts = fraction(total.denominator, total.numerator);
	expect([bet.code, counts.map((count) => multiply(count, parts))]).toEqual([
		bet.code,
		bet.prizes.map(({ chance }) => chance),
	]);
}

const equally = <Outcome>(outcomes: readonly Outcome[]): (readonly [Outcome, bigint])[] =>
	outcomes.map((outcome) => [outcome, 1n] as const);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Our bets by the names of the third party's tables. */
const NAMED: readonly (readonly [game: RoundGame, table: string, bets: Readonly<Record<string, string>>])[] = [
	[
		teenPatti,
		'teen_patti_20_20',
		{
			a: 'playerA_or_playerB',
			b: 'playerA_or_playerB',
			tie: 'tie',
			'a-pair-plus': 'pairPlus',
			'six-card-bonus': 'sixCardBonus',
		},
	],
	[
		andarBahar,
		'andar_bahar',
		{
			andar: 'andar',
			bahar: 'bahar',
			...Object.fromEntries(
				['1-5', '6-10', '11-15', '16-25', '26-30', '31-35', '36-40', '41-49'].map((range) => [
					`cards-${range}`,
					`cards_${range.replace('-', '_')}`,
				]),
			),
			'joker-red': 'joker_colour',
			'joker-spades': 'joker_suit',
			'joker-rank-7': 'joker_rank',
		},
	],
	[
		dragonTiger,
		'dragon_tiger_8_deck',
		{
			dragon: 'dragon_or_tiger',
			tiger: 'dragon_or_tiger',
			tie: 'tie',
			'suited-tie': 'suited_tie',
			'dragon-red': 'card_red_or_black',
			'tiger-odd': 'card_odd',
			'tiger-even': 'card_even',
		},
	],
	[
		luckySeven,
		'lucky_7',
		{
			low: 'low_or_high',
			high: 'low_or_high',
			seven: 'seven',
			even: 'even',
			odd: 'odd',
			red: 'red_or_black',
			'rank-K': 'one_rank',
		},
	],
	[
		thirtyTwoCards,
		'cards_32',
		{ 'player-8': 'player_8', 'player-9': 'player_9', 'player-10': 'player_10', 'player-11': 'player_11' },
	],
	[
		roulette,
		'roulette_european',
		{
			'straight-17': 'straight',
			'split-17-20': 'split',
			'street-1-2-3': 'street_or_0_trio',
			'trio-0-1-2': 'street_or_0_trio',
			'corner-0-1-2-3': 'corner_or_first_four',
			'line-1-2-3-4-5-6': 'line',
			'dozen-1': 'dozen_or_column',
			'column-3': 'dozen_or_column',
			red: 'even_chance',
		},
	],
	[baccarat, 'baccarat_8_deck', { player: 'player', banker: 'banker', tie: 'tie', 'player-pair': 'pair' }],
];

it('no bet of a game, played best, returns less than three quarters', () => {
	const least = fraction(3n, 4n);
	const low = GAMES.filter((game) => compare(returnsOf(game).lowest, least) < 0);
	expect(low.map(({ name }) => name)).toEqual([]);
});

it('no listed prize is rarer than one in a hundred million', () => {
	const rare = fraction(1n, 100_000_000n);
	const prizes = GAMES.flatMap((game) =>
		game.bets.flatMap((bet) =>
			bet.prizes.map(({ name, chance }) => ({ name: `${game.name}, ${bet.name}: ${name}`, chance })),
		),
	);
	expect(prizes.filter(({ chance }) => compare(chance, rare) < 0).map(({ name }) => name)).toEqual([]);
});

describe('the pay tables', () => {
	it.skipIf(!hasVectors).each(NAMED)('of $name return the figures of third parties', (game, table, bets) => {
		const theirs = exact[table]?.bets ?? {};
		for (const [code, name] of Object.entries(bets)) {
			const bet = game.betOf(code);
			expect([code, bet && returnOf(bet)]).toEqual([code, parse(theirs[name]?.rtp.fraction ?? '')]);
			const odds = Number(theirs[name]?.decimalOdds);
			if (!Number.isNaN(odds) && bet) expect([code, toNumber(bet.prizes[0]?.pays ?? NONE)]).toEqual([code, odds]);
		}
		// Each of their rows stands beside one of ours.
		expect(new Set(Object.values(bets))).toEqual(new Set(Object.keys(theirs)));
	});

	it.each(GAMES.map((game) => [game.name, game] as const))('of %s return less than the stake', (_, game) => {
		expect(game.bets.length).toBeGreaterThan(0);
		expect(new Set(game.bets.map(({ code }) => code)).size).toBe(game.bets.length);
		for (const bet of game.bets) {
			expect([bet.code, compare(returnOf(bet), fraction(1))]).toEqual([bet.code, -1]);
			if (game.kind === 'table' || game.kind === 'instant') expect(game.betOf(bet.code)?.name).toBe(bet.name);
		}
	});

	it('have codes that name one bet only', () => {
		for (const code of ['under-0', 'under-9601', 'under-04850', 'over-1.5', 'between-50'])
			expect(dice.betOf(code)).toBeNull();
		for (const code of ['', '0', '41', '2.1', '1.1', '01', '1.2.3.4.5.6.7.8.9', '1. 2'])
			expect([code, keno.betOf(code)]).toEqual([code, null]);
	});
});

describe('counted over all outcomes', () => {
	const eightPacks = (first: Card, second: Card) => (first === second ? 7n : 8n);

	it('Dragon Tiger', () => {
		const outcomes = PACK.flatMap((dragon) =>
			PACK.map((tiger) => [{ dragon, tiger }, eightPacks(dragon, tiger)] as const),
		);
		for (const bet of dragonTiger.bets) expectChances(bet, outcomes);
	});

	it('Lucky 7, Roulette, Wheel and Coin Flip', () => {
		for (const bet of luckySeven.bets) expectChances(bet, equally(PACK));
		for (const bet of roulette.bets) expectChances(bet, equally(upTo(37)));
		for (const bet of wheel.bets) expectChances(bet, equally(upTo(20)));
		for (const bet of coinFlip.bets) expectChances(bet, equally(['heads', 'tails'] as const));
	});

	it('Dice, at chances of both sides', () => {
		for (let chance = 1; chance <= 9_600; chance += byForm(1_601, 97))
			for (const side of ['under', 'over']) {
				const bet = dice.betOf(`${side}-${chance}`) as Bet<number>;
				expectChances(bet, equally(upTo(10_000)));
				expect(payoutOf(10_000, bet.prizes[0]?.pays ?? NONE)).toBe(Math.floor((10_000 * 9_700) / chance));
			}
	});

	it('Plinko, over all paths of sixteen rows', () => {
		const paths = upTo(2 ** 16).map((bits) => upTo(16).map((row) => (bits >> row) & 1));
		for (const bet of plinko.bets) {
			const counts = bet.prizes.map(() => 0);
			for (const path of paths) counts[bet.prizeOf(path) as number] = (counts[bet.prizeOf(path) as number] ?? 0) + 1;
			expect(counts.map((count) => fraction(count, 2 ** 16))).toEqual(bet.prizes.map(({ chance }) => chance));
		}
		expect(plinko.bets.map((bet) => returnOf(bet))).toEqual(
			['97/100', '97/100', '97/100', '24829/25600', '49663/51200', '198649/204800']
				.concat(['3178347/3276800', '3178433/3276800', '635353/655360'])
				.map(parse),
		);
	});

	it('Keno, by how many picks are drawn', () => {
		for (const bet of keno.bets) {
			const picks = bet.code.split('.').length;
			const outcomes = upTo(picks + 1).map((hits) => {
				// The first picks are hit, the rest of the ten drawn are no picks.
				const drawn = [
					...upTo(hits).map((index) => index + 1),
					...upTo(10 - hits).map((index) => KENO_NUMBERS - index),
				];
				return [drawn, choose(picks, hits) * choose(KENO_NUMBERS - picks, 10 - hits)] as const;
			});
			expectChances(bet, outcomes);
			expect(compare(returnOf(bet), fraction(967, 1_000))).toBe(1);
			expect(compare(returnOf(bet), fraction(97, 100))).toBeLessThanOrEqual(0);
		}
	});

	it('Andar Bahar, by joker and number of cards', () => {
		const outcomes = PACK.flatMap((joker) =>
			upTo(49).map((index) => {
				const others = PACK.filter((card) => rankOf(card) !== rankOf(joker));
				const match = PACK.find((card) => card !== joker && rankOf(card) === rankOf(joker)) as Card;
				// Of 51 cards three match; the first of them stands at this place.
				return [{ joker, cards: [...others.slice(0, index), match] }, choose(50 - index, 2)] as const;
			}),
		);
		for (const bet of andarBahar.bets) expectChances(bet, outcomes);
	});

	it('32 Cards, where leaders with equal sums have equal chances', () => {
		const ranks = upTo(8).map((index) => index + 5);
		const suits = (rank: Card, earlier: readonly Card[]) =>
			4n - BigInt(earlier.filter((other) => other === rank).length);
		const wins = thirtyTwoCards.bets.map(() => NONE);
		for (const [a, b, c, d] of ranks.flatMap((a) =>
			ranks.flatMap((b) => ranks.flatMap((c) => ranks.map((d) => [a, b, c, d] as const))),
		)) {
			const weight = 4n * suits(b, [a]) * suits(c, [a, b]) * suits(d, [a, b, c]);
			const leaders = leadersOf([[a], [b], [c], [d]]);
			for (const leader of leaders) wins[leader] = add(wins[leader] as Fraction, fraction(weight, leaders.length));
		}
		const all = 32n * 31n * 30n * 29n;
		expect(wins.map((won) => multiply(won, fraction(1n, all)))).toEqual(
			thirtyTwoCards.bets.map((bet) => bet.prizes[0]?.chance),
		);
	});

	it('Teen Patti: ties over all pairs of hands, pair plus over all hands', () => {
		const hands = threeCardHands();
		const byScore = Map.groupBy(hands, scoreOf);
		let ties = 0;
		for (const equal of byScore.values())
			for (const one of equal) for (const other of equal) if (one.every((card) => !other.includes(card))) ties++;
		const deals = 22_100n * choose(49, 3);
		const tie = fraction(BigInt(ties), deals);
		expect(teenPatti.betOf('tie')?.prizes[0]?.chance).toEqual(tie);
		// A deal without a tie is A's or B's, and a deal with the hands exchanged is as likely.
		const win = multiply(add(fraction(1), multiply(tie, fraction(-1))), fraction(1, 2));
		for (const side of ['a', 'b'])
			expect(teenPatti.betOf(side)?.prizes.map(({ chance }) => chance)).toEqual([win, tie]);
		const [low = [], high = []] = [hands.find((hand) => scoreOf(hand) === Math.min(...byScore.keys())), hands[0]];
		expect(teenPatti.betOf('a')?.prizeOf({ a: high, b: low })).toBe(0);
		expect(teenPatti.betOf('b')?.prizeOf({ a: high, b: low })).toBeNull();
		for (const side of ['a', 'b'] as const)
			expectChances(
				teenPatti.betOf(`${side}-pair-plus`) as Bet,
				equally(hands.map((hand) => (side === 'a' ? { a: hand, b: low } : { a: low, b: hand }))),
			);
	});

	it.runIf(isLongForm)('Teen Patti: the six-card bonus over all 20,358,520 deals', () => {
		const bonus = teenPatti.betOf('six-card-bonus') as Bet;
		const counts = new Map<string | null, number>();
		const cards = [0, 0, 0, 0, 0, 0];
		const choosePlace = (place: number, from: number): void => {
			if (place === 6) {
				const hand = sixCardHandOf(cards);
				counts.set(hand, (counts.get(hand) ?? 0) + 1);
				return;
			}
			for (let card = from; card < 47 + place; card++) {
				cards[place] = card;
				choosePlace(place + 1, card + 1);
			}
		};
		choosePlace(0, 0);
		for (const { name, chance } of bonus.prizes)
			expect([name, fraction(counts.get(name.toLowerCase()) ?? 0, 20_358_520)]).toEqual([name, chance]);
	});

	it('Baccarat, over all values of six cards', () => {
		expect(baccaratChances()).toEqual({
			player: baccarat.betOf('player')?.prizes[0]?.chance,
			banker: baccarat.betOf('banker')?.prizes[0]?.chance,
			tie: baccarat.betOf('tie')?.prizes[0]?.chance,
		});
		const pairs = PACK.flatMap((first) =>
			PACK.map((second) => [{ player: [first, second], banker: [first, second] }, eightPacks(first, second)] as const),
		);
		for (const side of ['player-pair', 'banker-pair']) expectChances(baccarat.betOf(side) as Bet, pairs);
	});

	it('Mines: whatever number of fields a player opens, 96.25% to 97%', () => {
		for (let count = 1; count <= 24; count++)
			for (let picks = 1; picks <= 25 - count; picks++) {
				const returned = returnOf(minesBet(count, picks));
				expect([count, picks, compare(returned, fraction(97, 100)) <= 0]).toEqual([count, picks, true]);
				expect([count, picks, compare(returned, returnsOf(mines).worst.returns) >= 0]).toEqual([count, picks, true]);
			}
		expect(percentText(returnsOf(mines).worst.returns)).toBe('96.25%');
		expect(returnsOf(mines).lowest).toEqual(returnsOf(mines).worst.returns);
		expect(minesCents(3, 1)).toBe(110);
		expect(mines.isChoice('0') || mines.isChoice('25') || mines.isChoice('03')).toBe(false);
	});

	it('HiLo: no sequence of guesses returns more than 97%', () => {
		for (const bet of hiLo.bets) {
			expect(compare(returnOf(bet), fraction(97, 100))).toBeLessThanOrEqual(0);
			expect(compare(returnOf(bet), fraction(96, 100))).toBe(1);
		}
		for (const guessed of [[6, 6], [12, 1, 7], upTo(30).map(() => 6), [1, 1, 1, 1, 1]]) {
			const chance = guessed.reduce((product, ranks) => multiply(product, fraction(ranks, 13)), fraction(1));
			expect(compare(multiply(hundredths(hiLoCents(guessed)), chance), fraction(97, 100))).toBeLessThanOrEqual(0);
		}
		expect(winningRanks(0, 'lower') + winningRanks(12, 'higher')).toBe(0);
	});

	it('Blackjack: best play, rounded down to millionths', () => {
		const { value } = bestPlay();
		const shown = returnOf(blackjack.bets[0] as Bet);
		expect(compare(shown, value)).toBeLessThanOrEqual(0);
		expect(compare(add(shown, fraction(1, 1_000_000)), value)).toBe(1);
		expect(percentText(shown)).toBe('98.832%');
	});

	it('Blackjack: worst play, rounded down to millionths', { tags: 'thorough' }, () => {
		const { returns } = blackjack.worstPlay;
		expect(compare(returns, worstPlay())).toBeLessThanOrEqual(0);
		expect(compare(add(returns, fraction(1, 1_000_000)), worstPlay())).toBe(1);
	});

	it('HiLo: worst play over all guesses and cash-outs, rounded down to millionths', {
		tags: 'thorough',
		timeout: 300_000,
	}, () => {
		expect(Math.floor(worstHiLo() * 1_000_000)).toBe(Math.round(toNumber(hiLo.worstPlay.returns) * 1_000_000));
	});

	it('games whose bets are chosen freely have none with another return than the worst that is shown', () => {
		// A target's chance is rounded down to 2^-52, by what its division leaves: the worst target leaves most.
		const words = 97n * 2n ** 52n;
		let [worstTarget, most] = [101n, 0n];
		for (let cents = 101n; cents <= 1_000_000n; cents++)
			if (words % cents > most) [worstTarget, most] = [cents, words % cents];
		const codes: Record<string, string[]> = {
			dice: upTo(9_601).flatMap((chance) => [`under-${chance}`, `over-${chance}`]),
			limbo: [`target-${worstTarget}`],
			keno: upTo(8).map((picks) =>
				upTo(picks + 1)
					.map((pick) => pick + 1)
					.join('.'),
			),
		};
		for (const game of [dice, limbo, keno]) {
			const bets = (codes[game.code] ?? []).flatMap((code) => game.betOf(code) ?? []);
			const least = bets.map(returnOf).reduce((one, other) => (compare(other, one) < 0 ? other : one));
			expect([game.code, percentText(least)]).toEqual([game.code, percentText(returnsOf(game).worst.returns)]);
		}
	});
});

function threeCardHands(): Card[][] {
	return PACK.flatMap((first) =>
		PACK.filter((card) => card > first).flatMap((second) =>
			PACK.filter((card) => card > second).map((third) => [first, second, third]),
		),
	);
}

/** By the values of the cards; of eight packs, 32 count 1 to 9 each and 128 count nothing. */
function baccaratChances(): Record<'player' | 'banker' | 'tie', Fraction> {
	const left = upTo(10).map((value): bigint => (value === 0 ? 128n : 32n));
	/** A card of that value; what counts nothing is a king. */
	const cardOf = (value: number): Card => (value === 0 ? 12 : value - 1);
	let [player, banker, tie] = [0n, 0n, 0n];
	const all = choose(416, 6) * 720n;
	const count = (players: Card[], bankers: Card[], weight: bigint): void => {
		const lead = totalOf(players) - totalOf(bankers);
		if (lead > 0) player += weight;
		else if (lead < 0) banker += weight;
		else tie += weight;
	};
	const deal = (
		cardsLeft: bigint,
		weight: bigint,
		then: (value: number, weight: bigint, left: bigint) => void,
	): void => {
		for (let value = 0; value < 10; value++) {
			const ways = left[value] as bigint;
			left[value] = ways - 1n;
			then(value, weight * ways, cardsLeft - 1n);
			left[value] = ways;
		}
	};
	deal(416n, 1n, (first, w1, l1) =>
		deal(l1, w1, (second, w2, l2) =>
			deal(l2, w2, (third, w3, l3) =>
				deal(l3, w3, (fourth, w4, l4) => {
					const players = [cardOf(first), cardOf(third)];
					const bankers = [cardOf(second), cardOf(fourth)];
					const rest = (used: bigint, cards: bigint) => (used === 2n ? cards * (cards - 1n) : used === 1n ? cards : 1n);
					if (totalOf(players) >= 8 || totalOf(bankers) >= 8) return count(players, bankers, w4 * rest(2n, l4));
					if (totalOf(players) > 5) {
						if (!bankerDraws(totalOf(bankers), null)) return count(players, bankers, w4 * rest(2n, l4));
						return deal(l4, w4, (fifth, w5, l5) => count(players, [...bankers, cardOf(fifth)], w5 * rest(1n, l5)));
					}
					deal(l4, w4, (fifth, w5, l5) => {
						const drawn = [...players, cardOf(fifth)];
						if (!bankerDraws(totalOf(bankers), cardOf(fifth))) return count(drawn, bankers, w5 * rest(1n, l5));
						deal(l5, w5, (sixth, w6) => count(drawn, [...bankers, cardOf(sixth)], w6));
					});
				}),
			),
		),
	);
	return { player: fraction(player, all), banker: fraction(banker, all), tie: fraction(tie, all) };
}
