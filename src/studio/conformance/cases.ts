/**
 * The cases of the suite: each call as usual, repeated, changed, in parallel, late, with nothing at stake, and forged.
 */
import { randomUUID } from 'node:crypto';
import type { Forgery, Said, TriedWallet } from '#studio/conformance/tried-wallet.ts';
import { type Case, Fault, type Verdict, verdictsOf } from '#studio/conformance/verdicts.ts';
import type { StudioDialect, WalletCall, WalletStatus } from '#studio/dialects/dialect.ts';

interface WalletCase extends Case<TriedWallet> {
	/** Missing if every dialect has it. */
	isIn?: (dialect: StudioDialect) => boolean;
}

const AT_ONCE = 10;
/** One more than the window. */
const CLOCK_OFF_MS = 6 * 60_000;

/** Requests that differ only in their own id get the same answer. */
function expectSame(answers: readonly Said[]): void {
	const [first, ...others] = answers.map(({ text }) => text.replace(/"request_uuid":"[^"]*"/, ''));
	const other = others.find((text) => text !== first);
	if (other !== undefined) throw new Fault(`expected the first answer ${first} again, got ${other}`);
}

async function repeated(wallet: TriedWallet, call: WalletCall, earlier: Said): Promise<void> {
	expectSame([earlier, await wallet.ask(call)]);
}

async function inParallel(wallet: TriedWallet, call: WalletCall): Promise<void> {
	const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => wallet.ask(call)));
	for (const answer of answers) wallet.check(answer, 'OK');
	expectSame(answers);
}

async function refused(
	wallet: TriedWallet,
	call: WalletCall,
	status: WalletStatus | readonly WalletStatus[],
	forgery?: Forgery,
): Promise<void> {
	await wallet.expectMoved(0, () => wallet.expect(call, status, forgery));
}

/** A bet that the wallet has taken. */
async function taken(wallet: TriedWallet) {
	const bet = wallet.freshBet();
	await wallet.expect(bet, 'OK');
	return bet;
}

const SESSIONS: readonly WalletCase[] = [
	{
		name: 'open: an unknown token opens nothing',
		run: async (wallet) => {
			await wallet.expect({ call: 'open', token: 'unknown', game: wallet.game }, 'INVALID_TOKEN');
		},
	},
	{
		name: 'open: a launch token that was used opens nothing a second time',
		isIn: ({ keepsToken }) => !keepsToken,
		run: async (wallet) => {
			await wallet.expect({ call: 'open', token: wallet.launchToken, game: wallet.game }, 'INVALID_TOKEN');
		},
	},
	{
		name: 'balance: an unknown session has none',
		run: async (wallet) => {
			await wallet.expect({ call: 'balance', ...wallet.seat, sessionToken: 'unknown' }, 'INVALID_TOKEN');
		},
	},
];

const BETS: readonly WalletCase[] = [
	{
		name: 'bet: takes the stake, and says the balance after it',
		run: async (wallet) => {
			const before = await wallet.balance();
			const { balance } = await wallet.expect(wallet.freshBet(), 'OK');
			if (balance !== before - wallet.stake)
				throw new Fault(`expected ${before - wallet.stake} minor units, got ${balance}`);
		},
	},
	{
		name: 'bet: the same request again is answered as before, also after other bets, and takes nothing',
		run: (wallet) => {
			const bet = wallet.freshBet();
			return wallet.expectMoved(-2 * wallet.stake, async () => {
				const first = await wallet.expect(bet, 'OK');
				await repeated(wallet, bet, first);
				await taken(wallet);
				await repeated(wallet, bet, first);
			});
		},
	},
	{
		name: 'bet: ten times at once takes the stake once',
		run: (wallet) => wallet.expectMoved(-wallet.stake, () => inParallel(wallet, wallet.freshBet())),
	},
	{
		name: 'bet: a known id with another amount is refused',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await refused(wallet, { ...bet, amount: bet.amount + 100 }, 'DUPLICATE_TRANSACTION');
		},
	},
	{
		name: 'bet: nothing at stake is taken',
		run: (wallet) => wallet.expectMoved(0, () => wallet.expect(wallet.freshBet({ amount: 0 }), 'OK')),
	},
	{
		name: 'bet: more than the balance is refused',
		run: async (wallet) => {
			const amount = (await wallet.balance()) + 100;
			// Above the house's limit, the refusal may name a limit instead.
			const call = wallet.freshBet({ amount });
			await wallet.expectMoved(0, () => wallet.expect(call, ['INSUFFICIENT_FUNDS', 'LIMIT_REACHED']));
		},
	},
	{
		name: 'bet: an unknown session is refused',
		run: (wallet) => refused(wallet, wallet.freshBet({ sessionToken: 'unknown' }), 'INVALID_TOKEN'),
	},
	{
		name: 'bet: another game is refused',
		run: (wallet) => refused(wallet, wallet.freshBet({ game: 'no-such-game' }), 'INVALID_GAME'),
	},
	{
		name: 'bet: another currency is refused',
		run: (wallet) => refused(wallet, wallet.freshBet({ currency: 'XTS' }), 'WRONG_CURRENCY'),
	},
	{
		name: 'bet: a stake below zero is refused',
		run: (wallet) => refused(wallet, wallet.freshBet({ amount: -100 }), 'WRONG_SYNTAX'),
	},
	{
		name: 'bet: a stake finer than the smallest coin is refused',
		run: (wallet) => refused(wallet, wallet.freshBet({ amount: 0.5 }), 'WRONG_SYNTAX'),
	},
	{
		name: 'betwin: moves stake and win together, once however often it is asked',
		isIn: ({ hasBetWin }) => hasBetWin,
		run: (wallet) =>
			wallet.expectMoved(500, () =>
				inParallel(wallet, { ...wallet.freshBet(), call: 'betwin', win: wallet.stake + 500 }),
			),
	},
];

const WINS: readonly WalletCase[] = [
	{
		name: 'win: pays, and says the balance after it',
		run: async (wallet) => {
			const bet = await taken(wallet);
			const before = await wallet.balance();
			const { balance } = await wallet.expect(wallet.winOf(bet, 700), 'OK');
			if (balance !== before + 700) throw new Fault(`expected ${before + 700} minor units, got ${balance}`);
		},
	},
	{
		name: 'win: the same request again is answered as before, and pays nothing',
		run: async (wallet) => {
			const bet = await taken(wallet);
			const win = wallet.winOf(bet, wallet.stake);
			await wallet.expectMoved(wallet.stake, async () => repeated(wallet, win, await wallet.expect(win, 'OK')));
		},
	},
	{
		name: 'win: ten times at once pays once',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expectMoved(wallet.stake, () => inParallel(wallet, wallet.winOf(bet, wallet.stake)));
		},
	},
	{
		name: 'win: a known id with another amount is refused',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expect(wallet.winOf(bet, 100), 'OK');
			await refused(wallet, wallet.winOf(bet, 200), 'DUPLICATE_TRANSACTION');
		},
	},
	{
		name: 'win: a second one on a round that is over is refused',
		isIn: ({ hasWinIds }) => hasWinIds,
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expect(wallet.winOf(bet, 100), 'OK');
			await refused(wallet, { ...wallet.winOf(bet, 100), txId: randomUUID() }, 'ALREADY_SETTLED');
		},
	},
	{
		name: 'win: nothing ends the round',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expectMoved(0, () => wallet.expect(wallet.winOf(bet, 0), 'OK'));
			await refused(wallet, wallet.rollbackOf(bet), 'ALREADY_SETTLED');
		},
	},
	{
		name: 'win: without its bet is refused',
		run: (wallet) => refused(wallet, wallet.winOf(wallet.freshBet(), 100), 'TRANSACTION_NOT_FOUND'),
	},
	{
		name: 'win: in another currency is refused',
		isIn: ({ currencyField }) => currencyField !== null,
		run: async (wallet) => {
			const bet = await taken(wallet);
			await refused(wallet, wallet.winOf(bet, 100), 'WRONG_CURRENCY', {
				fields: wallet.saying('currencyField', 'XTS'),
			});
		},
	},
	{
		name: 'win: in the name of another player is refused',
		isIn: ({ userField }) => userField !== null,
		run: async (wallet) => {
			const bet = await taken(wallet);
			const statuses = ['INVALID_TOKEN', 'TRANSACTION_NOT_FOUND'] as const;
			await refused(wallet, wallet.winOf(bet, 100), statuses, { fields: wallet.saying('userField', '999999999') });
		},
	},
	{
		name: 'win: after the rollback of its bet is refused',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expect(wallet.rollbackOf(bet), 'OK');
			await refused(wallet, wallet.winOf(bet, 100), 'ALREADY_REFUNDED');
		},
	},
];

const ROLLBACKS: readonly WalletCase[] = [
	{
		name: 'rollback: gives the stake back',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expectMoved(wallet.stake, () => wallet.expect(wallet.rollbackOf(bet), 'OK'));
		},
	},
	{
		name: 'rollback: the same request again is answered as before, and gives nothing',
		run: async (wallet) => {
			const bet = await taken(wallet);
			const rollback = wallet.rollbackOf(bet);
			await wallet.expectMoved(wallet.stake, async () =>
				repeated(wallet, rollback, await wallet.expect(rollback, 'OK')),
			);
		},
	},
	{
		name: 'rollback: ten times at once gives the stake back once',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expectMoved(wallet.stake, () => inParallel(wallet, wallet.rollbackOf(bet)));
		},
	},
	{
		name: 'rollback: a bet that never came is refused when it comes',
		run: async (wallet) => {
			const bet = wallet.freshBet();
			await wallet.expectMoved(0, async () => {
				await wallet.expect(wallet.rollbackOf(bet), ['OK', 'TRANSACTION_NOT_FOUND']);
				await wallet.expect(bet, 'ALREADY_REFUNDED');
			});
		},
	},
	{
		name: 'rollback: a bet that won is not given back',
		run: async (wallet) => {
			const bet = await taken(wallet);
			await wallet.expect(wallet.winOf(bet, 100), 'OK');
			await refused(wallet, wallet.rollbackOf(bet), 'ALREADY_SETTLED');
		},
	},
	{
		name: 'rollback: at once with its bet leaves the stake with the player',
		run: (wallet) => {
			const bet = wallet.freshBet();
			return wallet.expectMoved(0, () => Promise.all([wallet.ask(bet), wallet.ask(wallet.rollbackOf(bet))]));
		},
	},
	{
		name: 'rollback: at once with a win, one of the two happens',
		run: async (wallet) => {
			const bet = await taken(wallet);
			const before = await wallet.balance();
			const answers = await Promise.all([wallet.ask(wallet.winOf(bet, 300)), wallet.ask(wallet.rollbackOf(bet))]);
			const happened = answers.filter(({ status }) => status === 'OK').length;
			const moved = (await wallet.balance()) - before;
			const isWon = answers[0]?.status === 'OK';
			if (happened !== 1 || moved !== (isWon ? 300 : wallet.stake))
				throw new Fault(`expected one of the two, ${happened} were accepted and the balance changed by ${moved}`);
		},
	},
];

/** Refusals of a body that was signed for another call: by its signature, or by its fields. */
const FOR_ANOTHER_CALL = ['INVALID_SIGNATURE', 'WRONG_SYNTAX', 'DUPLICATE_TRANSACTION'] as const;

const SIGNATURES: readonly WalletCase[] = [
	{
		name: 'signature: a bet that was taken gives nothing back at the address of rollbacks',
		run: async (wallet) => {
			const bet = await taken(wallet);
			const { path } = wallet.dialect.ask(wallet.rollbackOf(bet));
			await refused(wallet, bet, FOR_ANOTHER_CALL, { path });
		},
	},
	{
		name: 'signature: a win that was paid takes nothing at the address of rollbacks',
		run: async (wallet) => {
			const bet = await taken(wallet);
			const win = wallet.winOf(bet, 100);
			await wallet.expect(win, 'OK');
			const { path } = wallet.dialect.ask(wallet.rollbackOf(bet));
			await refused(wallet, win, FOR_ANOTHER_CALL, { path });
		},
	},
	...(
		[
			['without a signature', () => ({ isUnsigned: true })],
			['with another key', ({ freshKey }: StudioDialect) => ({ secret: freshKey().secret })],
			['with a body that was changed on its way', () => ({ body: '{"changed":true}' })],
		] as const
	).map(
		([how, forgery]): WalletCase => ({
			name: `signature: a bet ${how} is refused`,
			run: (wallet) => refused(wallet, wallet.freshBet(), 'INVALID_SIGNATURE', forgery(wallet.dialect)),
		}),
	),
	...(['behind', 'ahead'] as const).map(
		(way): WalletCase => ({
			name: `signature: a bet with a clock that is six minutes ${way} is refused`,
			isIn: ({ hasClock }) => hasClock,
			run: (wallet) => {
				const clockMs = Date.now() + (way === 'ahead' ? CLOCK_OFF_MS : -CLOCK_OFF_MS);
				return refused(wallet, wallet.freshBet(), 'INVALID_SIGNATURE', { clockMs });
			},
		}),
	),
	{
		name: 'syntax: a body without its fields is refused',
		run: (wallet) => {
			const fields = Object.fromEntries(
				Object.keys(wallet.dialect.ask(wallet.freshBet()).fields).map((name) => [name, {}]),
			);
			return refused(wallet, wallet.freshBet(), 'WRONG_SYNTAX', { fields });
		},
	},
];

export const CASES: readonly WalletCase[] = [...SESSIONS, ...BETS, ...WINS, ...ROLLBACKS, ...SIGNATURES];

/** Runs every case of the dialect, in order. @throws Fault if the launch token opens no session */
export async function tryWallet(wallet: TriedWallet, onVerdict?: (verdict: Verdict) => void): Promise<Verdict[]> {
	await wallet.open();
	const cases = CASES.filter(({ isIn = () => true }) => isIn(wallet.dialect));
	return await verdictsOf(cases, wallet, onVerdict);
}
