/** The outcome of a command: refused with a code of the catalogue and nothing changed, or done. */
import type { ErrorCode } from '#values/error-catalogue.ts';
import type { BetId } from '#values/ids.ts';
import type { NoCashOut } from '#values/market-cash-out.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

/** The engine's refusals, a part of the one catalogue. */
export type EngineRefusal = Extract<
	ErrorCode,
	| 'UNKNOWN_MARKET'
	| 'MARKET_CLOSED'
	| 'MARKET_SUSPENDED'
	| 'UNKNOWN_RUNNER'
	| 'RUNNER_REMOVED'
	| 'RUNNER_SUSPENDED'
	| 'INVALID_SIDE'
	| 'PRICE_NOT_ON_LADDER'
	| 'STAKE_TOO_SMALL'
	| 'STAKE_TOO_LARGE'
	| 'INVALID_STAKE'
	| 'INVALID_PROFIT_RATIO'
	| 'UNKNOWN_USER'
	| 'DUPLICATE_ORDER'
	| 'INSUFFICIENT_FUNDS'
	| 'EXPOSURE_LIMIT'
	| 'PROFIT_TOO_LARGE'
	| 'INVALID_REDUCTION'
	| 'SELF_MATCH'
	| 'UNKNOWN_ORDER'
	| 'NOT_OWNER'
	| 'ORDER_NOT_ACTIVE'
	| 'NOTHING_TO_UPDATE'
	| 'TOO_MANY_TRIGGERS'
	| 'TERMS_NOT_POSSIBLE'
	| 'UNKNOWN_ORDER_GROUP'
	| 'ORDER_GROUP_CLOSED'
	| 'TOO_MANY_ORDER_GROUPS'
	| 'EXPIRY_PASSED'
	| 'WOULD_MATCH'
	| 'AUCTION_FULL'
	| 'INVALID_SIZE'
	| 'INVALID_AMOUNT'
	| 'ALREADY_IN_PLAY'
	| 'INCOMPLETE_RESULT'
	| 'WRONG_MARKET_STATE'
	| 'MARKET_SETTLING'
	| 'MARKET_CHANGING'
	| 'FORBIDDEN'
	| 'VALIDATION_FAILED'
	| 'QUOTE_MOVED'
	| NoCashOut
>;

/** A hedge of a cash-out, as it stands after the command. */
export interface PlacedHedge {
	betId: BetId;
	runner: number;
	side: SideCode;
	matched: AnyMinor;
	matchedValue: number;
	/** Set while the hedge is delayed. */
	dueAtMs: number | null;
}

/** A bet that a trigger placed. */
export interface TriggeredBet {
	betId: BetId;
	/** Set while the bet is delayed. */
	dueAtMs: number | null;
}

export type Outcome =
	| { ok: false; code: EngineRefusal; details?: Record<string, unknown> }
	/** For place-bet and cancel-bet: the bet's figures after the command; for cancel-trigger what was unmatched of its stake, as `cancelled`. `matchedValue` is Σ stake × price (minor units × hundredths). */
	| {
			ok: true;
			betId?: BetId;
			stake?: AnyMinor;
			/** Set where a post-only bet was moved to another price than it asked. */
			price?: AnyPrice;
			matched?: AnyMinor;
			matchedValue?: number;
			remaining?: AnyMinor;
			cancelled?: AnyMinor;
			/** Set while the bet is delayed. */
			dueAtMs?: number;
			/** For cash-outs. */
			hedges?: readonly PlacedHedge[];
			/** For fire-triggers. */
			triggered?: readonly TriggeredBet[];
	  };
