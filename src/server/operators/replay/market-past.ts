/** What the tables know of a market's past: bets, matches, and what happened to bets and to the market. */
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { MarketId } from '#values/ids.ts';

/** Amounts in minor units, prices in hundredths. */
export interface PastBet {
	betId: number;
	walletId: number;
	pool: string;
	runner: number;
	side: 0 | 1;
	/** Now. */
	price: number;
	stake: number;
	placedAtMs: number;
	/** It waits outside the book for the starting price, or did. */
	isOnClose: boolean;
}

interface PastMatch {
	atMs: number;
	taker: number;
	maker: number;
	pool: string;
	runner: number;
	price: number;
	stake: number;
	isVoid: boolean;
}

export interface PastEvent {
	atMs: number;
	what: 'CANCELLED' | 'LAPSED' | 'DELAYED' | 'ADMITTED' | 'REPRICED' | 'MARKET';
	betId: number | null;
	stake: number | null;
	price: number | null;
	status: string | null;
	inPlay: boolean | null;
	version: number | null;
}

/** Each in the order in which it happened. */
export interface MarketPast {
	bets: PastBet[];
	matches: PastMatch[];
	events: PastEvent[];
}

const BETS = `select bet_id as "betId", wallet_id as "walletId", pool, runner, side, price, stake,
	placed_at as "placedAtMs", on_close is not null as "isOnClose" from bet where market_id = $1`;

const MATCHES = `select coalesce(met.at, 0) as "atMs", taker_bet_id as taker, maker_bet_id as maker, maker.pool,
	met.runner, met.price, met.stake, void_match.batch is not null as "isVoid"
	from bet_match as met left join void_match using (batch, line)
	join (${BETS}) as maker on maker."betId" = met.maker_bet_id
	where met.market_id = $1 order by met.batch, met.line`;

const EVENTS = `select at as "atMs", what, bet_id as "betId", stake, price, status, in_play as "inPlay", version
	from market_event where market_id = $1 order by batch, line`;

/** From one snapshot each; what happens meanwhile is later than what is shown. */
export async function pastOf(reads: HeavyReads, marketId: MarketId): Promise<MarketPast> {
	const [bets, matches, events] = await Promise.all([
		reads.query<PastBet>(`${BETS} order by "betId"`, [marketId]),
		reads.query<PastMatch>(MATCHES, [marketId]),
		reads.query<PastEvent>(EVENTS, [marketId]),
	]);
	return { bets: bets.rows, matches: matches.rows, events: events.rows };
}
