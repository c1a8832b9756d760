/** Everything the engine remembers, and the few moves that several commands share. */
import { Accounts, type Wallet } from '#engine/accounts.ts';
import type { Effects, LapseReason } from '#engine/effect.ts';
import type { EngineCounters } from '#engine/engine.ts';
import { Market, type MarketTerms, type PoolSide, Position } from '#engine/market.ts';
import type { Bet } from '#engine/order-book.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { StateDigest } from '#engine/state-hash.ts';
import { addUnmatched, exposurePaise } from '#values/exposure.ts';

export const refuse = (code: EngineRefusal, details?: Record<string, unknown>): Outcome =>
	details ? { ok: false, code, details } : { ok: false, code };
export const DONE: Outcome = { ok: true };

export class EngineState {
	readonly digest: StateDigest;
	readonly accounts: Accounts;
	readonly markets = new Map<number, Market>();
	/** Every bet of an unsettled market with a resting or a matched part. */
	readonly bets = new Map<number, Bet>();
	readonly counters: EngineCounters = { lastBetId: 0, lastReservation: 0, lastCommand: 0 };

	constructor(keepDigest: boolean) {
		this.digest = new StateDigest(keepDigest);
		this.accounts = new Accounts(this.digest);
	}

	addMarket(terms: MarketTerms): Market {
		const market = new Market(terms);
		this.markets.set(terms.marketId, market);
		this.digest.touch(market);
		return market;
	}

	/** The wallet's position, or a new one that counts only from its first bet on: a refused bet leaves no trace. */
	positionOf(market: Market, side: PoolSide, wallet: Wallet): Position {
		return side.positions.get(wallet.walletId) ?? new Position(wallet, market.terms.marketId, market.terms.runners);
	}

	/** From here on the bet is part of the state; it reaches a book separately. */
	addBet(side: PoolSide, bet: Bet): void {
		this.bets.set(bet.betId, bet);
		side.bets.add(bet);
		if (!bet.position.counts) {
			bet.position.counts = true;
			side.positions.set(bet.position.wallet.walletId, bet.position);
		}
		this.digest.touch(bet);
		this.digest.touch(bet.position);
	}

	/** Brings the money held for a position to what its exposure asks; one posting or none. */
	hold(position: Position, effects: Effects): void {
		this.holdExactly(position, exposurePaise(position.outcomes), effects);
	}

	holdExactly(position: Position, exposure: number, effects: Effects): void {
		const change = exposure - position.held;
		this.digest.touch(position);
		if (change === 0) return;
		position.held = exposure;
		this.accounts.reserve(position.wallet, change, ++this.counters.lastReservation, position.marketId, effects);
	}

	/** Takes unmatched stake off a resting bet; a bet with nothing left and nothing matched is forgotten. */
	takeOff(side: PoolSide, bet: Bet, stake: number): void {
		side.books[bet.runner]?.reduce(bet, stake);
		addUnmatched(bet.position.outcomes, bet.runner, bet.side, bet.price, -stake);
		this.digest.touch(bet);
		if (bet.remaining === 0 && bet.matched === 0) this.forget(side, bet);
	}

	forget(side: PoolSide, bet: Bet): void {
		bet.gone = true;
		this.digest.touch(bet);
		side.bets.remove(bet);
		this.bets.delete(bet.betId);
	}

	/** Lapses the resting bets of a market, those of `which`, and releases what was held for them. */
	lapse(market: Market, which: (bet: Bet) => boolean, reason: LapseReason, effects: Effects): void {
		for (const side of market.sides) {
			const touched = new Set<Position>();
			for (const book of side.books) {
				for (const bet of book.resting()) {
					if (!which(bet)) continue;
					const stake = bet.remaining;
					this.takeOff(side, bet, stake);
					touched.add(bet.position);
					effects.betLapsed(bet.betId, stake, reason);
				}
			}
			for (const position of touched) this.hold(position, effects);
		}
	}
}
