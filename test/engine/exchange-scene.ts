/** An engine with players and markets, and short methods to act on it. Prices decimal, amounts minor units. */
import type { OpenMarket, PlaceBet } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { Pool } from '#values/pools.ts';
import { type Fill, RecordedEffects } from './recorded-effects.ts';

export const MARKET = 1;

export type BetTerms = Partial<
	Pick<
		PlaceBet,
		'marketId' | 'persist' | 'betId' | 'fillOrKill' | 'minFill' | 'marketVersion' | 'terms' | 'takesStart'
	> & {
		atMs: number;
	}
>;

export class ExchangeScene {
	readonly engine: Engine = createEngine();
	readonly effects = new RecordedEffects(this.engine);
	#lastBetId = 0;

	apply(command: Parameters<Engine['apply']>[0]): Outcome {
		const outcome = this.engine.apply(command, this.effects);
		this.engine.checkInvariants();
		return outcome;
	}

	openMarket(terms: Partial<OpenMarket> = {}): Outcome {
		return this.apply({
			kind: 'open-market',
			atMs: 0,
			marketId: MARKET,
			pools: ['PLAY'],
			runners: 3,
			numberOfWinners: 1,
			commissionBp: 0,
			minStake: 1,
			maxStake: 1_000_000_000,
			profitRatioRule: false,
			selfMatch: 'REFUSE',
			suspended: false,
			...terms,
		});
	}

	/** Opens wallets with the same funds. */
	players(funds: number, walletIds: readonly number[], pool: Pool = 'PLAY'): void {
		for (const walletId of walletIds) this.player(walletId, funds, pool);
	}

	player(walletId: number, funds: number, pool: Pool = 'PLAY', commissionBp?: number): void {
		const rate = commissionBp === undefined ? {} : { commissionBp };
		this.apply({ kind: 'open-wallet', atMs: 0, walletId, pool, ...rate });
		if (funds > 0) this.apply({ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount: funds });
	}

	back(walletId: number, runner: number, price: number, stake: number, terms: BetTerms = {}): Outcome {
		return this.#place({ walletId, runner, side: 0, price, stake }, terms);
	}

	lay(walletId: number, runner: number, price: number, stake: number, terms: BetTerms = {}): Outcome {
		return this.#place({ walletId, runner, side: 1, price, stake }, terms);
	}

	#place(bet: Pick<PlaceBet, 'walletId' | 'runner' | 'side' | 'price' | 'stake'>, terms: BetTerms): Outcome {
		const betId = terms.betId ?? Math.max(this.#lastBetId, this.engine.counters().lastBetId) + 1;
		const outcome = this.apply({
			kind: 'place-bet',
			atMs: 0,
			marketId: MARKET,
			...bet,
			price: Math.round(bet.price * 100),
			persist: false,
			...terms,
			betId,
		});
		if (outcome.ok) this.#lastBetId = betId;
		return outcome;
	}

	/** The id of the bet placed last. */
	get lastBet(): number {
		return this.#lastBetId;
	}

	cancel(betId: number, walletId?: number, size?: number): Outcome {
		return this.apply({
			kind: 'cancel-bet',
			atMs: 0,
			betId,
			...(walletId === undefined ? {} : { walletId }),
			...(size === undefined ? {} : { size }),
		});
	}

	suspend(how: { lapseUnmatched?: boolean; ballRunning?: boolean; byFeed?: true } = {}): Outcome {
		return this.apply({ kind: 'suspend-market', atMs: 0, marketId: MARKET, lapseUnmatched: false, ...how });
	}
	resume(how: { seenVersion?: number } = {}): Outcome {
		return this.apply({ kind: 'resume-market', atMs: 0, marketId: MARKET, ...how });
	}
	turnInPlay(): Outcome {
		return this.apply({ kind: 'turn-in-play', atMs: 0, marketId: MARKET });
	}
	close(): Outcome {
		return this.apply({ kind: 'close-market', atMs: 0, marketId: MARKET });
	}
	settle(winner: number, marketId = MARKET): Outcome {
		const runners = this.engine.market(marketId)?.runners ?? 0;
		const results = Array.from({ length: runners }, (_, runner) => (runner === winner ? 'WIN' : 'LOSE'));
		return this.apply({ kind: 'settle-market', atMs: 0, marketId, results });
	}
	voidMarket(): Outcome {
		return this.apply({ kind: 'void-market', atMs: 0, marketId: MARKET });
	}

	cash(walletId: number): number | undefined {
		return this.engine.wallet(walletId)?.cash;
	}
	exposure(walletId: number): number | undefined {
		return this.engine.wallet(walletId)?.exposure;
	}

	/** Fills as [taker, maker, decimal price, stake]. */
	fills(from = 0): [number, number, number, number][] {
		return this.effects.fills
			.slice(from)
			.map(({ taker, maker, price, stake }: Fill) => [taker, maker, price / 100, stake]);
	}
}
