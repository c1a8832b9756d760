/** Games of the house: rounds of one player, with turns and without, and bets on rounds that everybody plays. */
import { setTimeout as delay } from 'node:timers/promises';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { freshRequestId } from '../../support/match.ts';
import type { Account } from '../account.ts';
import type { Acts, Numbers } from '../step.ts';
import { pick, type World } from '../world.ts';

/** Rupees. */
const STAKES = [100, 20, 500, 1_000, 100_000] as const;
/** Equal bets in one request. */
const COUNTS = [1, 2, 5, 40] as const;
const TABLE = 'lucky-7';
const CHIPS = [['low'], ['high'], ['low', 'high'], ['seven'], ['red', 'black']] as const;
const LOOK_EVERY_MS = 20;
const LONGEST_WAIT_MS = 4_000;

async function until(isSo: () => Promise<boolean>): Promise<void> {
	const endsAt = performance.timeOrigin + performance.now() + LONGEST_WAIT_MS;
	while (!(await isSo()) && performance.timeOrigin + performance.now() < endsAt) await delay(LOOK_EVERY_MS);
}

const stakeOf = (account: Account, number: number): number => account.amount(pick(STAKES, number) ?? 100);

interface SharedStake {
	state: string;
	round: unknown;
	stake: number;
	/** How many bets it is. */
	chips: number;
}

/**
 * The account's bets in the round of one that was accepted, and those of all accounts of its person.
 * @param mineOf the present bets of an account
 */
async function sawShared(
	world: World,
	account: Account,
	{ state, round, game }: { state: string; round: unknown; game: string },
	mineOf: (own: Account) => Promise<readonly SharedStake[]>,
): Promise<void> {
	// What waits for the next round is judged when that round opens.
	if (state === 'WAITING') return;
	const see = (of: readonly SharedStake[], isOfPerson: boolean) => {
		const same = of.filter((bet) => bet.state === state && bet.round === round);
		const stake = same.reduce((sum, bet) => sum + bet.stake, 0) * MINOR_PER_MAJOR;
		const chips = same.reduce((sum, bet) => sum + bet.chips, 0);
		world.saw({ what: 'staked', account, game, stake, payout: 0, most: 0, chips, isOfPerson, wasBarred: false });
	};
	const others = world.walletsOf(account).filter((other) => other !== account);
	const mine = await mineOf(account);
	see(mine, false);
	if (others.length > 0) see([...mine, ...(await Promise.all(others.map(mineOf))).flat()], true);
}

async function tablePhase(account: Account): Promise<string> {
	return (await account.call('getTable', { game: TABLE })).result?.state.phase ?? 'CLOSED';
}
async function crashPhase(account: Account): Promise<string> {
	return (await account.call('getCrash', {})).result?.state.phase ?? 'CLOSED';
}

async function tableOpens(account: Account): Promise<void> {
	await until(async () => (await tablePhase(account)) !== 'BETTING');
	await until(async () => (await tablePhase(account)) === 'BETTING');
}
async function crashOpens(account: Account): Promise<void> {
	await until(async () => (await crashPhase(account)) !== 'BETTING');
	await until(async () => (await crashPhase(account)) === 'BETTING');
}

async function betAtTable(world: World, [who, chips, stake]: Numbers): Promise<void> {
	const account = world.account(who);
	const bets = (pick(CHIPS, chips) ?? ['low']).map((bet) => ({ bet, stake: stakeOf(account, stake) }));
	const { result } = await account.call('placeTableBet', { game: TABLE, bets, clientRequestId: freshRequestId() });
	if (!result) return;
	world.sharedBets.push({ account, betId: result.bet.betId, game: TABLE });
	await sawShared(world, account, { ...result.bet, game: TABLE }, async (own) => {
		const { mine = [] } = (await own.call('getTable', { game: TABLE })).result ?? {};
		return mine.map((bet) => ({ ...bet, chips: bet.bets.length }));
	});
}

async function betAtCrash(world: World, [who, slot, stake]: Numbers): Promise<void> {
	const account = world.account(who);
	const asked = { slot: ((slot % 2) + 1) as 1 | 2, stake: stakeOf(account, stake), autoCents: 101 };
	const { result } = await account.call('placeCrashBet', { ...asked, clientRequestId: freshRequestId() });
	if (!result) return;
	world.sharedBets.push({ account, betId: result.bet.betId, game: 'crash' });
	await sawShared(world, account, { ...result.bet, game: 'crash' }, async (own) => {
		const { mine = [] } = (await own.call('getCrash', {})).result ?? {};
		return mine.map((bet) => ({ ...bet, chips: 1 }));
	});
}

async function takeBack(world: World, which: number): Promise<void> {
	const bet = pick(world.sharedBets, which);
	if (!bet) return;
	world.sharedBets.splice(world.sharedBets.indexOf(bet), 1);
	const { account, betId, game } = bet;
	if (game === 'crash') await account.call('cancelCrashBet', { betId });
	else await account.call('cancelTableBet', { game, betId });
}

export const CASINO: Acts = {
	flip: {
		weight: 2,
		run: async (world, [who, count, stake, sides]) => {
			const account = world.account(who);
			const bets = Array.from({ length: pick(COUNTS, count) ?? 1 }, (_, at) => ({
				bet: sides % 3 === 0 && at % 2 === 1 ? 'tails' : 'heads',
				stake: stakeOf(account, stake),
			}));
			const asked = { game: 'coin-flip', bets, clientRequestId: freshRequestId() };
			const { result } = await account.call('playRound', asked);
			if (!result) return;
			const { round } = result;
			const on = (side: string) => bets.reduce((sum, { bet, stake: own }) => sum + (bet === side ? own : 0), 0);
			const most = Math.max(on('heads'), on('tails')) * 194;
			const sum = {
				stake: round.stake * MINOR_PER_MAJOR,
				payout: round.payout * MINOR_PER_MAJOR,
				most,
				chips: bets.length,
				wasBarred: false,
			};
			world.saw({ what: 'staked', account, game: 'coin-flip', ...sum });
		},
	},
	/** Begins a round with turns, or goes on with one: the first action that is named, if it is possible. */
	turn: {
		weight: 2,
		run: async (world, [who, game, stake, action]) => {
			const account = world.account(who);
			const wasBarred = account.isBarred;
			const [round] = (await account.call('getOpenRounds', {})).result?.rounds ?? [];
			const clientRequestId = freshRequestId();
			const { result } = round
				? await account.call('actInRound', {
						roundId: round.roundId,
						action: round.next.includes('double') ? 'double' : (pick(round.next, action) ?? ''),
						clientRequestId,
					})
				: await account.call('playRound', {
						game: game % 2 === 0 ? 'blackjack' : 'mines',
						bets: [{ bet: game % 2 === 0 ? '' : '3', stake: stakeOf(account, stake) }],
						clientRequestId,
					});
			if (!result) return;
			const staked = { stake: result.round.stake * MINOR_PER_MAJOR, payout: result.round.payout * MINOR_PER_MAJOR };
			// What was staked before is no news: only an action that stakes more is looked at.
			if (!round || result.round.stake > round.stake)
				world.saw({ what: 'staked', account, game: result.round.game, ...staked, most: 0, chips: 1, wasBarred });
		},
	},
	table: { weight: 2, run: betAtTable },
	crash: { weight: 2, run: betAtCrash },
	/** Bets as soon as a round opens, and takes the bet back at once: later the round is locked. */
	'table-back': {
		weight: 0.3,
		run: async (world, numbers) => {
			await tableOpens(world.account(numbers[0]));
			await betAtTable(world, numbers);
			await takeBack(world, -1);
		},
	},
	'crash-back': {
		weight: 0.3,
		run: async (world, numbers) => {
			await crashOpens(world.account(numbers[0]));
			await betAtCrash(world, numbers);
			await takeBack(world, -1);
		},
	},
	'take-back': { weight: 2, run: async (world, [which]) => await takeBack(world, which) },
	'table-opens': { weight: 0.3, run: async (world, [who]) => await tableOpens(world.account(who)) },
	'crash-opens': { weight: 0.3, run: async (world, [who]) => await crashOpens(world.account(who)) },
};
