/**
 * Money other than bets: deposits, withdrawals, bonuses, casino rounds. A transfer makes one or more moves between the
 * accounts of one wallet and of the house, in one pool: all of them, or none.
 */
import type { Transfer, TransferMove } from '#engine/command.ts';
import type { Effects, TransferKind } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { isPlayerAccount } from '#engine/wallets.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { isOfCoins, isRealPool } from '#values/pools.ts';

/** Far enough below the end of the safe integers for every sum of balances. */
export const LARGEST_BALANCE = 2 ** 52;

/**
 * These take what a player owes, as far as there is cash. Whatever else leaves cash is spent, and leaves what open bets lack; a
 * correction that may overdraw asks for no money at all.
 * Source: docs/FUNDS.md, "What is spent and what is owed".
 */
const TAKES_WHAT_IS_OWED: ReadonlySet<TransferKind> = new Set<TransferKind>(['DISPUTE']);

const isSpent = ({ kind, debit, mayOverdraw }: TransferMove): boolean =>
	debit === 'cash' && mayOverdraw !== true && !TAKES_WHAT_IS_OWED.has(kind);

/**
 * Refuses moves that the player's balances do not allow. A move that the house's accounts do not allow is a mistake of
 * the caller, and throws. Neither changes anything.
 */
export function transfer(state: EngineState, command: Transfer, effects: Effects): Outcome {
	const { walletId, pool, moves } = command;
	const { wallets } = state.accounts;
	if (walletId !== 0) {
		const wallet = wallets.find(walletId);
		if (wallet === NONE || wallets.pool(wallet) !== pool) return refuse('UNKNOWN_USER');
		// The money that a market maker has set aside for its quotes is not in the accounts.
		if (wallets.isQuoting(wallet)) return refuse('FORBIDDEN');
	}
	const refusal = refusalOf(state, command);
	if (refusal) return refusal;
	for (const { debit, credit, ...move } of moves) {
		const debitOwner = isPlayerAccount(debit) ? walletId : 0;
		const creditOwner = isPlayerAccount(credit) ? walletId : 0;
		state.accounts.move({ ...move, pool, debit, debitOwner, credit, creditOwner, marketId: 0 }, effects);
	}
	return DONE;
}

const lackedBy = ({ accounts, shortPositions }: EngineState, walletId: WalletId): AnyMinor =>
	shortPositions.lackedBy(accounts.wallets.find(walletId));

/** Applies the moves to copies of the balances. */
function refusalOf(state: EngineState, { walletId, pool, moves }: Transfer): Outcome | null {
	const balances = new Map<TransferMove['debit'], number>();
	const balanceOf = (account: TransferMove['debit']): number => {
		if (!isPlayerAccount(account)) return state.accounts.houseBalance(account, pool, 0);
		if (walletId === 0) throw new Error(`a transfer of the house names ${account}`);
		return state.accounts.wallets.balance(state.accounts.wallets.find(walletId), account);
	};
	const add = (account: TransferMove['debit'], amount: AnyMinor): number => {
		const balance = (balances.get(account) ?? balanceOf(account)) + amount;
		balances.set(account, balance);
		return balance;
	};
	for (const move of moves) {
		const { debit, credit, amount, mayOverdraw = false } = move;
		if (!Number.isSafeInteger(amount) || amount <= 0 || !isOfCoins(pool, amount)) return refuse('INVALID_AMOUNT');
		if (isRealPool(pool) && (debit === 'mint' || credit === 'mint')) return refuse('FORBIDDEN');
		const left = add(debit, -amount);
		const reached = add(credit, amount);
		if (Math.max(Math.abs(left), Math.abs(reached)) > LARGEST_BALANCE) return refuse('INVALID_AMOUNT');
		if (isSpent(move) && left < lackedBy(state, walletId)) return refuse('INSUFFICIENT_FUNDS');
		if (left >= 0) continue;
		if (!isPlayerAccount(debit)) state.accounts.assertMayBeNegative(debit);
		else if (!(debit === 'cash' && mayOverdraw)) return refuse('INSUFFICIENT_FUNDS');
	}
	return null;
}
