/** Commands about a wallet alone: it is opened, gets play money and settings of its own, and its money moves. */
import { cancelAll } from '#engine/cancel-bet.ts';
import type { GrantCoins, OpenWallet, SetLimits, SetOrderGroup, SetSelfMatch, Transfer } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import { setOrderGroup } from '#engine/guard-groups.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { LARGEST_BALANCE, transfer } from '#engine/transfer.ts';
import { isRealPool } from '#values/pools.ts';

type OfWallet = OpenWallet | GrantCoins | Transfer | SetLimits | SetSelfMatch | SetOrderGroup;

export function dispatchToWallet(state: EngineState, command: OfWallet, effects: Effects): Outcome {
	switch (command.kind) {
		case 'open-wallet':
			return openWallet(state, command, effects);
		case 'grant-coins':
			return grantCoins(state, command, effects);
		case 'transfer':
			return transfer(state, command, effects);
		case 'set-limits':
			return setLimits(state, command, effects);
		case 'set-self-match':
			return setSelfMatch(state, command, effects);
		case 'set-order-group':
			return setOrderGroup(state, command, effects);
	}
}

function openWallet(state: EngineState, command: OpenWallet, effects: Effects): Outcome {
	const { wallets } = state.accounts;
	const { walletId, pool, quotes = false } = command;
	const known = wallets.find(walletId);
	if (known !== NONE && (!quotes || wallets.isQuoting(known))) return DONE;
	const commissionBp = command.commissionBp ?? null;
	// A resting quote is held for like any bet, and cancelled like any bet.
	if (known !== NONE) cancelAll(state, { kind: 'cancel-all', walletId }, effects);
	const wallet = known === NONE ? wallets.add(walletId, pool, commissionBp) : known;
	if (quotes) wallets.setQuoting(wallet);
	effects.walletOpened(walletId, pool, wallets.commissionBp(wallet));
	return DONE;
}

function setLimits(state: EngineState, { walletId, limits }: SetLimits, effects: Effects): Outcome {
	const { wallets } = state.accounts;
	const wallet = wallets.find(walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const amounts = [limits.maxStake, limits.maxProfit, limits.maxExposure];
	if (amounts.some((amount) => !Number.isSafeInteger(amount) || amount < 0)) return refuse('INVALID_SIZE');
	wallets.setLimits(wallet, limits);
	effects.limitsSet(walletId);
	return DONE;
}

function setSelfMatch(state: EngineState, { walletId, choice }: SetSelfMatch, effects: Effects): Outcome {
	const { wallets } = state.accounts;
	const wallet = wallets.find(walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	wallets.setSelfMatch(wallet, choice);
	effects.selfMatchSet(walletId);
	return DONE;
}

/** Ten thousand crore rupees. */
const LARGEST_GRANT = 10 ** 13;

/** Play money comes from the mint of its pool; real money cannot be made. */
function grantCoins(state: EngineState, command: GrantCoins, effects: Effects): Outcome {
	const { wallets } = state.accounts;
	const wallet = wallets.find(command.walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const pool = wallets.pool(wallet);
	if (isRealPool(pool)) return refuse('FORBIDDEN');
	const sound = Number.isSafeInteger(command.amount) && command.amount > 0 && command.amount <= LARGEST_GRANT;
	if (!sound) return refuse('INVALID_SIZE');
	const granted = -state.accounts.houseAccount('mint', pool, 0).balance;
	if (Math.max(granted, wallets.cash(wallet)) + command.amount > LARGEST_BALANCE) return refuse('INVALID_SIZE');
	state.accounts.move(
		{
			kind: 'GRANT',
			ref: command.grantId,
			step: 0,
			pool,
			debit: 'mint',
			debitOwner: 0,
			credit: 'cash',
			creditOwner: command.walletId,
			amount: command.amount,
			marketId: 0,
		},
		effects,
	);
	return DONE;
}
