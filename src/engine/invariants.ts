/** What must hold after every command; asked in tests after each step, in production when a server starts. */
import type { EngineState } from '#engine/engine-state.ts';
import { exposurePaise } from '#values/exposure.ts';

/** Throws with the first thing that does not hold. */
export function checkInvariants(state: EngineState): void {
	poolsSumToZero(state);
	const held = new Map<number, number>();
	for (const market of state.markets.values()) {
		for (const side of market.sides) {
			side.books.forEach((book, runner) => {
				const takeable = book.bestFor(0);
				const layable = book.bestFor(1);
				if (takeable >= 0 && layable >= 0 && takeable >= layable) {
					throw new Error(`book ${runner} of market ${market.terms.marketId} is crossed`);
				}
			});
			for (const position of side.positions.values()) {
				if (exposurePaise(position.outcomes) !== position.held) {
					throw new Error(`wallet ${position.wallet.walletId} holds a wrong exposure`);
				}
				held.set(position.wallet.walletId, (held.get(position.wallet.walletId) ?? 0) + position.held);
			}
		}
	}
	for (const wallet of state.accounts.wallets.values()) {
		if (wallet.exposure !== (held.get(wallet.walletId) ?? 0)) {
			throw new Error(`exposure of wallet ${wallet.walletId} is not the sum of its markets`);
		}
	}
	for (const bet of state.bets.values()) {
		if (bet.remaining + bet.matched > bet.stake) throw new Error(`bet ${bet.betId} is larger than its stake`);
	}
}

function poolsSumToZero(state: EngineState): void {
	const sums = new Map<string, number>();
	const add = (pool: string, amount: number) => sums.set(pool, (sums.get(pool) ?? 0) + amount);
	for (const wallet of state.accounts.wallets.values()) {
		const accounts = [wallet.cash, wallet.exposure, wallet.hold, wallet.bonus];
		for (const amount of accounts) {
			if (amount < 0) throw new Error(`wallet ${wallet.walletId} has an account below zero`);
			add(wallet.pool, amount);
		}
	}
	for (const account of state.accounts.house.values()) add(account.pool, account.balance);
	for (const [pool, sum] of sums) if (sum !== 0) throw new Error(`pool ${pool} sums to ${sum}`);
}
