/**
 * The money that an account had at risk, worked out by counting: all outcomes of a match over all its markets, all
 * outcomes of a round. It is an upper bound of what a rule may count as wagered. Amounts are minor units.
 */
import { MINOR_PER_MAJOR } from '#values/money.ts';
import type { Account } from './account.ts';
import type { Book } from './book.ts';
import type { World } from './world.ts';

const HUNDREDTHS = 100;
const OUTCOMES = [0, 1] as const;
const MOST_ROUNDS = 200;

/** The sum that the wallets together lose over outcomes of the match, at worst. */
function lossIn({ bets }: Book, wallets: ReadonlySet<number>, outcomes: readonly number[]): number {
	const own = bets.filter(({ walletId }) => wallets.has(walletId));
	const nets = outcomes.map((winner) =>
		own.reduce((net, { runner, isBack, matched, matchedValue }) => {
			const ofBacker = runner === winner ? matchedValue / HUNDREDTHS - matched : -matched;
			return net + (isBack ? ofBacker : -ofBacker);
		}, 0),
	);
	return Math.max(0, -Math.min(...nets));
}

const isPerson = (one: Account, other: Account): boolean =>
	one === other || (one.isProven && other.isProven && one.mobile === other.mobile);
const rootOf = (account: Account): Account => (account.inviter ? rootOf(account.inviter) : account);

/**
 * Accounts of one interest with this one: the trees of invitations in which an account of its person stands, each account
 * with the others of its person; and those that have the mobile which it only says.
 */
export function relativesOf(world: World, account: Account): Account[] {
	const roots = new Set(world.accounts.filter((other) => isPerson(account, other)).map(rootOf));
	const trees = world.accounts.filter((other) => roots.has(rootOf(other)));
	return world.accounts.filter(
		(other) =>
			(!account.isProven && other.mobile === account.mobile) || trees.some((member) => isPerson(member, other)),
	);
}

/**
 * What the account loses over outcomes: alone, or together with its relatives in its currency, whichever is less. What the relatives lose
 * together is shared out among them, so an account may be given a part of what another one loses.
 */
function lossOf(world: World, account: Account, book: Book, outcomes: readonly number[]): number {
	const relatives = relativesOf(world, account).filter(({ currency }) => currency === account.currency);
	const group = new Set(relatives.map(({ userId }) => userId));
	return Math.min(lossIn(book, new Set([account.userId]), outcomes), lossIn(book, group, outcomes));
}

interface Round {
	lost: number;
	game: string;
	/** Of one that everybody played; null for the account's own. */
	shared: string | null;
	chips: { bet: string; stake: number }[];
}

/** Lucky 7 by its card, 1 to 13, and its colour: the payout of a bet in hundredths of the stake. */
function luckySeven(bet: string, rank: number, isRed: boolean): number {
	if (bet === 'low' || bet === 'high') return rank === 7 ? 50 : (bet === 'low') === rank < 7 ? 200 : 0;
	if (bet === 'seven') return rank === 7 ? 1_200 : 0;
	return (bet === 'red') === isRed ? 190 : 0;
}

/** Payouts of each outcome, in hundredths of the stakes; a game that is not counted here may lose all of them. */
const COUNTED: Readonly<Record<string, readonly ((bet: string) => number)[]>> = {
	'coin-flip': ['heads', 'tails'].map((side) => (bet: string) => (bet === side ? 194 : 0)),
	'lucky-7': Array.from({ length: 26 }, (_, at) => (bet: string) => luckySeven(bet, (at >> 1) + 1, at % 2 === 0)),
};

function riskOfRound({ game, chips }: Round): number {
	const staked = chips.reduce((sum, { stake }) => sum + stake, 0);
	const outcomes = COUNTED[game];
	if (!outcomes) return staked;
	const paid = outcomes.map((paysFor) =>
		chips.reduce((sum, { bet, stake }) => sum + (paysFor(bet) * stake) / HUNDREDTHS, 0),
	);
	return Math.max(0, staked - Math.min(...paid));
}

/** All rounds of the account that were decided; what a provider gave back is none of them. */
async function decidedRounds(account: Account): Promise<Round[]> {
	const { items } = await account.read('getRounds', { maxResultCount: String(MOST_ROUNDS) });
	const decided = items.filter(({ state, stake }) => state === 'SETTLED' && stake > 0);
	const rounds = decided.map((round): Round => {
		const chips = round.bets.map(({ bet, stake }) => ({ bet, stake: stake * MINOR_PER_MAJOR }));
		const staked = chips.reduce((sum, { stake }) => sum + stake, 0);
		// An action may have staked more than the bet, and a provider may have given a part of it back.
		const isPlain = staked === Math.round(round.stake * MINOR_PER_MAJOR);
		return {
			lost: Math.max(0, round.stake - round.payout) * MINOR_PER_MAJOR,
			game: round.game,
			shared: round.tableRound ? `${round.game} ${round.tableRound}` : null,
			chips: isPlain ? chips : [{ bet: '', stake: round.stake * MINOR_PER_MAJOR }],
		};
	});
	const shared = Map.groupBy(
		rounds.filter((round) => round.shared !== null),
		(round) => round.shared,
	);
	const together = [...shared.values()].map((of) => ({
		lost: of.reduce((sum, { lost }) => sum + lost, 0),
		game: of[0]?.game ?? '',
		shared: null,
		chips: of.flatMap(({ chips }) => chips),
	}));
	const alone = rounds.filter((round) => round.shared === null);
	return [...alone, ...together];
}

/** All that the account had at risk so far; a match counts once it has bets, because bets that hedge come off it. */
export async function allRisk(world: World, account: Account): Promise<number> {
	let sum = (await decidedRounds(account)).reduce((risk, round) => risk + riskOfRound(round), 0);
	for (const match of world.matches) sum += lossOf(world, account, await world.book(match), OUTCOMES);
	return sum;
}

/** What the account lost in matches and rounds that it did not win. */
export async function allLosses(world: World, account: Account): Promise<number> {
	let sum = (await decidedRounds(account)).reduce((losses, { lost }) => losses + lost, 0);
	for (const match of world.matches)
		if (match.winner !== null) sum += lossOf(world, account, await world.book(match), [match.winner]);
	return sum;
}
