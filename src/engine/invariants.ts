/**
 * Invariants that hold after every command. Tests check them after each step; in production the server checks them at
 * start.
 */
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { exposureMinor, matchedOf } from '#values/exposure.ts';
import type { AnyMinor } from '#values/money.ts';
import { BACK, LAY } from '#values/sides.ts';

/** By wallet row: the money the ledger holds for it, the money set aside for its quotes, and what its positions lack. */
interface Sums {
	held: Map<number, number>;
	aside: Map<number, number>;
	lacking: Map<number, number>;
}

/** Throws at the first broken invariant. */
export function checkInvariants(state: EngineState): void {
	poolsSumToZero(state);
	const sums: Sums = { held: new Map(), aside: new Map(), lacking: new Map() };
	for (const market of state.marketList) {
		for (const side of market.sides) {
			booksAreOpen(state, market, side);
			for (const position of state.positionsOf(side)) holdsItsExposure(state, position, sums);
			for (const bet of state.betsOf(side)) {
				if (state.bets.remaining(bet) + state.bets.matched(bet) > state.bets.stake(bet)) {
					throw new Error(`bet ${state.bets.id(bet)} is larger than its stake`);
				}
			}
		}
	}
	const { wallets } = state.accounts;
	for (const wallet of wallets.rows) {
		if (wallets.exposure(wallet) !== (sums.held.get(wallet) ?? 0)) {
			throw new Error(`exposure of wallet ${wallets.id(wallet)} is not the sum of its markets`);
		}
		if (wallets.setAside(wallet) !== (sums.aside.get(wallet) ?? 0)) {
			throw new Error(`what wallet ${wallets.id(wallet)} sets aside is not the sum of its markets`);
		}
		// The kernel asks of the wallets alone that are SHORT, and these of the markets alone that were noted.
		if (!wallets.isQuoting(wallet) && state.shortPositions.lackedBy(wallet) !== (sums.lacking.get(wallet) ?? 0)) {
			throw new Error(`what the bets of wallet ${wallets.id(wallet)} lack is not the sum of its markets`);
		}
	}
}

function booksAreOpen(state: EngineState, market: Market, side: PoolSide): void {
	for (let runner = 0; runner < market.terms.runners; runner++) {
		const takeable = state.books.bestFor(side.firstBook + runner, BACK);
		const layable = state.books.bestFor(side.firstBook + runner, LAY);
		if (takeable >= 0 && layable >= 0 && takeable >= layable) {
			throw new Error(`book ${runner} of market ${market.marketId} is crossed`);
		}
	}
}

/**
 * Held money plus the money set aside for quotes is the exposure. It is less only where a removed runner raised the
 * exposure above everything the player has.
 */
function holdsItsExposure(state: EngineState, position: number, sums: Sums): void {
	const wallet = state.positions.walletOf(position);
	const held = state.positions.held(position);
	const aside = state.positions.setAside(position);
	const holds = held + aside;
	const exposure = exposureMinor(state.positions.figures(position));
	const market = state.positions.marketOf(position);
	add(sums.held, wallet, held);
	add(sums.aside, wallet, aside);
	add(sums.lacking, wallet, state.shortPositions.lackedIn(market, wallet) ?? 0);
	// A wallet that is settled in part holds for the bets that are decided, too, and one that a change has not reached yet
	// for its bets as they were.
	if (market.status === 'SETTLING' || market.changing) return;
	const mayBeShort = market.terms.reducible || market.mayBeShort;
	if (holds > exposure || (holds < exposure && !mayBeShort)) {
		throw new Error(`wallet ${state.accounts.wallets.id(wallet)} holds ${holds} for an exposure of ${exposure}`);
	}
	const quotes = state.accounts.wallets.isQuoting(wallet);
	if (quotes ? held > exposureMinor(matchedOf(state.positions.figures(position))) : aside !== 0) {
		throw new Error(`wallet ${state.accounts.wallets.id(wallet)} holds ${held} for its quotes`);
	}
}

const add = (sums: Map<number, number>, wallet: number, minor: number): void => {
	sums.set(wallet, (sums.get(wallet) ?? 0) + minor);
};

function poolsSumToZero(state: EngineState): void {
	const sums = new Map<string, number>();
	const add = (pool: string, amount: AnyMinor) => sums.set(pool, (sums.get(pool) ?? 0) + amount);
	const { wallets } = state.accounts;
	for (const wallet of wallets.rows) {
		for (const account of ['exposure', 'hold', 'bonus'] as const) {
			const amount = wallets.balance(wallet, account);
			if (amount < 0) throw new Error(`wallet ${wallets.id(wallet)} has an account below zero`);
			add(wallets.pool(wallet), amount);
		}
		add(wallets.pool(wallet), wallets.cash(wallet));
	}
	for (const account of state.accounts.house.values()) add(account.pool, account.balance);
	for (const [pool, sum] of sums) if (sum !== 0) throw new Error(`pool ${pool} sums to ${sum}`);
}
