/**
 * Plans that chance alone would rarely come upon: each is a few steps with numbers of chance in them. Other steps come
 * between theirs, and a plan may be cut short, so a ploy finds more than its own hole.
 */
import type { SeededNumbers } from '../reference/random-commands.ts';

/** @param next the number of the account that registers next */
type Ploy = (numbers: SeededNumbers, next: number) => readonly string[];

/** Of the accounts that are there from the beginning. */
const someone = (numbers: SeededNumbers): number => numbers.below(5);
/** Neither invited nor inviting. */
const loner = (numbers: SeededNumbers): number => 3 + numbers.below(2);
const deposit = (who: number, amount = 0): string[] => [`order ${who} ${amount}`, 'pay -1'];
/** What a bet is, in one number. */
const what = (side: 'BACK' | 'LAY', runner: number, price: number): number =>
	(side === 'BACK' ? 0 : 1) + 2 * runner + 4 * price;

const poses: Ploy = (numbers, next) => {
	const owner = someone(numbers);
	const harm = numbers.from([`exclude ${next}`, `time-out ${next}`, `limit ${next} 0 1`, `limit ${next} 1 1`]);
	return [...deposit(owner), `pose ${owner}`, harm, `bet ${owner} 0 0 1`];
};

const siblings: Ploy = (numbers) => {
	const side = numbers.from(['BACK', 'LAY'] as const);
	const meet = `meet 1 2 ${what(side, numbers.below(2), 0)} 0`;
	return [...deposit(1), ...deposit(2), meet, `settle ${numbers.below(2)}`, 'referrals 0'];
};

/** A friend of a friend meets the one who invited first. */
const grandchild: Ploy = (_, next) => [
	'invite 1',
	...deposit(next),
	...deposit(2),
	`meet ${next} 2 ${what('BACK', 0, 0)} 0`,
	'settle 1',
	'referrals 1',
	'referrals 0',
];

/** One loses to the other, and gets a part of it back. */
const cashbackOfFriends: Ploy = (numbers) => {
	const meet = `meet 1 2 ${what(numbers.from(['BACK', 'LAY']), 0, 0)} 0`;
	return [meet, `settle ${numbers.below(2)}`, 'pass 2', 'claim 1 1', 'claim 2 1'];
};

const manyFlips: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`enrich ${who}`, `flip ${who} 3 4 1`];
};

const manyChips: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`limit ${who} 0 0`, `table-opens ${who}`, `table ${who} 0 0`, `table ${who} 1 0`, `table ${who} 0 0`];
};

const bothSlots: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`limit ${who} 0 0`, `crash-opens ${who}`, `crash ${who} 0 0`, `crash ${who} 1 0`];
};

/** Two accounts of one person at one table, each within the person's limit. */
const bothAccounts: Ploy = (numbers, next) => {
	const who = someone(numbers);
	const bets = [`table-opens ${who}`, `table ${who} 0 0`, `table ${next} 1 0`];
	return [`again ${who}`, `limit ${who} 0 0`, ...bets];
};

/** Each bet by itself is as large as a round may be. */
const largeBets = (numbers: SeededNumbers, bet: (who: number) => readonly string[]): string[] => {
	const who = someone(numbers);
	return [`enrich ${who}`, ...bet(who)];
};
const largeChips: Ploy = (numbers) =>
	largeBets(numbers, (who) => [`table-opens ${who}`, `table ${who} 0 4`, `table ${who} 1 4`]);
const largeSlots: Ploy = (numbers) =>
	largeBets(numbers, (who) => [`crash-opens ${who}`, `crash ${who} 0 4`, `crash ${who} 1 4`]);
const largeBetsAtProvider: Ploy = (numbers) =>
	largeBets(numbers, (who) => [`provider-bet ${who} 3 0`, `provider-bet ${who} 3 1`, `provider-bet ${who} 3 1`]);

const manyBetsAtProvider: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`limit ${who} 0 0`, `provider-bet ${who} 0 0`, `provider-bet ${who} 0 1`];
};

const double: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`limit ${who} 0 0`, `turn ${who} 0 0`, `turn ${who} 0 0`, `turn ${who} 0 0 1`];
};

const takenBackAtTable: Ploy = (numbers) => {
	const who = someone(numbers);
	return [...deposit(who), `table-back ${who} 0 2`];
};

const takenBackAtCrash: Ploy = (numbers) => {
	const who = someone(numbers);
	return [...deposit(who), `crash-back ${who} 0 2`];
};

const rolledBack: Ploy = (numbers) => {
	const who = someone(numbers);
	return [...deposit(who), `provider-bet ${who} 1`, 'roll-back -1'];
};

const shortOdds: Ploy = (numbers) => {
	const who = loner(numbers);
	const other = 7 - who;
	return [`enrich ${other}`, ...deposit(who, 2), `meet ${who} ${other} ${what('LAY', 0, 1)} 5`, 'settle 0'];
};

/** Backs an outcome among players and lays it at the house. */
const twoMarkets = (numbers: SeededNumbers, wager: (who: number) => readonly string[]): string[] => {
	const who = loner(numbers);
	const runner = numbers.below(2);
	const bets = [`meet ${who} ${7 - who} ${what('BACK', runner, 0)} 4`, `bet ${who} 1 ${what('LAY', runner, 0)} 4`];
	return [`enrich ${who}`, `enrich ${7 - who}`, ...wager(who), ...bets, `settle ${numbers.below(2)}`];
};
const twoMarketsForBonus: Ploy = (numbers) => twoMarkets(numbers, (who) => [`claim ${who} 0`]);
const twoMarketsForDeposit: Ploy = (numbers) => twoMarkets(numbers, (who) => deposit(who));

const coinsBesideRounds: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`turn ${who} 1 2`, `coins ${who}`];
};

const debt: Ploy = (numbers) => {
	const who = loner(numbers);
	const bet = `bet ${who} 0 ${what('BACK', 0, 0)} 4`;
	return [`receipt ${who} 0 2 1`, 'judge -1 0', bet, bet, 'reverse -1', `coins ${who}`];
};

/** Another's receipt has the reference of a payment, and is rejected or not. */
const blocked = (numbers: SeededNumbers, then: (payer: number) => string): string[] => {
	const payer = someone(numbers);
	const other = (payer + 1 + numbers.below(4)) % 5;
	const verdict = numbers.chance(50) ? ['judge -1 1'] : [];
	return [`order ${payer} 0`, `receipt ${other} -1`, ...verdict, then(payer)];
};
const blockedPayment: Ploy = (numbers) => blocked(numbers, () => 'pay -1');
const blockedReceipt: Ploy = (numbers) => blocked(numbers, (payer) => `receipt ${payer} -1`);

/** Another's receipt with the reference of a payment was approved before the payment comes. */
const approvedReceipt: Ploy = (numbers) => {
	const payer = someone(numbers);
	return [`order ${payer} 0`, `receipt ${(payer + 1 + numbers.below(4)) % 5} -1`, 'judge -1 0', 'pay -1'];
};

const disputesInParts: Ploy = (numbers) => {
	const who = someone(numbers);
	const won = [`dispute -1 ${numbers.below(2)}`, 'dispute-ends -1 0'];
	return [...deposit(who), ...won, `dispute -1 ${numbers.below(3)}`, 'dispute-ends -1 1'];
};

/** Money stands in bets that no player takes while the dispute opens, and is free again when it ends. */
const hiddenFromDispute: Ploy = (numbers) => {
	const who = loner(numbers);
	const bet = (stake: number) => `bet ${who} 0 ${what('BACK', 0, 5)} ${stake}`;
	return [...deposit(who), bet(4), bet(0), 'dispute -1 2', `cancel ${who}`, 'dispute-ends -1 1'];
};

const shuffled = <T>(numbers: SeededNumbers, list: readonly T[]): T[] => {
	const left = [...list];
	return list.map(() => left.splice(numbers.below(left.length), 1)[0] as T);
};

const lies: Ploy = (numbers) => {
	const who = someone(numbers);
	const told = shuffled(numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
	return [`enrich ${who}`, `provider-bet ${who} 2`, ...told.map((lie) => `provider-lies -1 ${lie} ${(who + 1) % 5}`)];
};

const behindBars: Ploy = (numbers) => {
	const who = someone(numbers);
	const begun = [`turn ${who} 0 0`, `provider-bet ${who} 2`, `make-key ${who}`, `order ${who} 0`];
	const doors = shuffled(numbers, [
		'pay -1',
		...['flip', 'seat', 'coins', 'claim', 'invite', 'again', 'make-key', 'use-key', 'order', 'crash', 'table'].map(
			(act) => `${act} ${who}`,
		),
		`turn ${who} 0 0`,
		`bet ${who} 0 0 1`,
		`provider-bet ${who} 2`,
	]);
	const bar = numbers.from(['exclude', 'time-out']);
	const inWindows = [`table-opens ${who}`, `table ${who}`, `crash-opens ${who}`, `crash ${who}`];
	return [...begun, `${bar} ${who}`, ...doors, ...inWindows];
};

/** A bet rests, at odds that few take, when its player takes a break. */
const restingAtBreak: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`bet ${who} 0 ${what('BACK', numbers.below(2), 5)} 1`, `time-out ${who}`];
};

export const PLOYS = {
	poses,
	siblings,
	grandchild,
	cashbackOfFriends,
	manyFlips,
	manyChips,
	bothSlots,
	bothAccounts,
	largeChips,
	largeSlots,
	largeBetsAtProvider,
	manyBetsAtProvider,
	double,
	takenBackAtTable,
	takenBackAtCrash,
	rolledBack,
	shortOdds,
	twoMarketsForBonus,
	twoMarketsForDeposit,
	coinsBesideRounds,
	debt,
	blockedPayment,
	blockedReceipt,
	approvedReceipt,
	disputesInParts,
	hiddenFromDispute,
	lies,
	behindBars,
	restingAtBreak,
} satisfies Record<string, Ploy>;
export type PloyName = keyof typeof PLOYS;
