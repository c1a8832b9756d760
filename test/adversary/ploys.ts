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
	const game = numbers.from(['table', 'crash']);
	const bets = [0, 1, 2].map((slot) => `${game} ${who} ${game === 'crash' ? slot : 0} 0`);
	return [`limit ${who} 0 0`, `${game}-opens ${who}`, ...bets];
};

const manyBetsAtProvider: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`limit ${who} 0 0`, `provider-bet ${who} 0 0`, `provider-bet ${who} 0 1`];
};

const double: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`limit ${who} 0 0`, `turn ${who} 0 0`, `turn ${who} 0 0`, `turn ${who} 0 0 1`];
};

const takenBack: Ploy = (numbers) => {
	const who = someone(numbers);
	const game = numbers.from(['table', 'crash']);
	return [...deposit(who), `${game}-opens ${who}`, `${game} ${who} 0 2`, 'take-back -1'];
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
const twoMarkets: Ploy = (numbers) => {
	const who = loner(numbers);
	const runner = numbers.below(2);
	const wager = numbers.from([[`claim ${who} 0`], deposit(who)]);
	const stake = numbers.from([0, 4]);
	const bets = [
		`meet ${who} ${7 - who} ${what('BACK', runner, 0)} ${stake}`,
		`bet ${who} 1 ${what('LAY', runner, 0)} ${stake}`,
	];
	return [`enrich ${who}`, ...wager, ...bets, `settle ${numbers.below(2)}`];
};

const coinsBesideRounds: Ploy = (numbers) => {
	const who = someone(numbers);
	return [`turn ${who} 1 2`, `coins ${who}`];
};

const debt: Ploy = (numbers) => {
	const who = loner(numbers);
	const bet = `bet ${who} 0 ${what('BACK', 0, 0)} 4`;
	return [`receipt ${who} 0 2 1`, 'judge -1 0', bet, bet, 'reverse -1', `coins ${who}`];
};

const blocked: Ploy = (numbers) => {
	const payer = someone(numbers);
	const other = (payer + 1 + numbers.below(4)) % 5;
	const verdict = numbers.chance(50) ? ['judge -1 1'] : [];
	return [`order ${payer} 0`, `receipt ${other} -1`, ...verdict, numbers.from(['pay -1', `receipt ${payer} -1`])];
};

const disputes: Ploy = (numbers) => {
	const who = someone(numbers);
	const part = () => numbers.below(3);
	const short = [`bet ${who} 0 ${what('BACK', 0, 5)} 4`, `bet ${who} 0 ${what('BACK', 0, 5)} 0`];
	const once = [`dispute -1 ${part()}`, 'dispute-ends -1 0'];
	const hidden = numbers.chance(50) ? [[...short, `dispute -1 2`, `cancel ${who}`, 'dispute-ends -1 1']] : [];
	const [plan = []] = hidden.length > 0 ? hidden : [[...once, `dispute -1 ${part()}`, 'dispute-ends -1 1']];
	return [...deposit(who), ...plan];
};

const lies: Ploy = (numbers) => {
	const who = someone(numbers);
	const lie = () => `provider-lies -1 ${numbers.below(8)} ${numbers.below(5)}`;
	return [`provider-bet ${who} 2`, lie(), lie(), lie()];
};

const behindBars: Ploy = (numbers) => {
	const who = someone(numbers);
	const begun = [`turn ${who} 0 0`, `provider-bet ${who} 2`, `make-key ${who}`, `order ${who} 0`];
	const doors = [
		`table ${who}`,
		`crash ${who}`,
		`flip ${who}`,
		`turn ${who} 0 0`,
		`seat ${who}`,
		`bet ${who} 0 0 1`,
		`provider-bet ${who} 2`,
		`coins ${who}`,
		`claim ${who}`,
		`invite ${who}`,
		`again ${who}`,
		`make-key ${who}`,
		`use-key ${who}`,
		`order ${who}`,
		'pay -1',
	];
	const tried = Array.from({ length: 5 }, () => numbers.from(doors));
	const waits = numbers.chance(30) ? [`${numbers.from(['table', 'crash'])}-opens ${who}`] : [];
	return [...begun.slice(numbers.below(4)), `${numbers.from(['exclude', 'time-out'])} ${who}`, ...waits, ...tried];
};

export const PLOYS = {
	poses,
	siblings,
	grandchild,
	cashbackOfFriends,
	manyFlips,
	manyChips,
	manyBetsAtProvider,
	double,
	takenBack,
	rolledBack,
	shortOdds,
	twoMarkets,
	coinsBesideRounds,
	debt,
	blocked,
	disputes,
	lies,
	behindBars,
} satisfies Record<string, Ploy>;
export type PloyName = keyof typeof PLOYS;
