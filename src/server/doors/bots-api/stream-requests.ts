/** Requests of the stream's clients, and the resulting subscriptions. */
import * as v from 'valibot';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { endedBets } from '#server/doors/bots-api/ended-bets.ts';
import { bettingTypeOf, eventTypeOf, marketTypeCode, wireMarketId } from '#server/doors/bots-api/fields.ts';
import { isForAll, NO_RACE_TYPE } from '#server/doors/bots-api/market-filter.ts';
import { DATA_FIELDS, type DataField, type DataFilter } from '#server/doors/bots-api/market-snapshots.ts';
import { MarketSubscription } from '#server/doors/bots-api/market-subscription.ts';
import { atMost, Flag, given, isAmong, Texts, Whole } from '#server/doors/bots-api/operation.ts';
import { type OrderGap, OrderSubscription } from '#server/doors/bots-api/order-subscription.ts';
import { type Instant, WINDOW_MS } from '#server/doors/bots-api/stream-clock.ts';
import { type StreamHouse, StreamRefusal } from '#server/doors/bots-api/stream-house.ts';
import type { SubscriptionTerms } from '#server/doors/bots-api/subscription.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';

/** Markets in one subscription. */
const MOST_MARKETS = 1_000;
/** Books have so many. */
const MOST_LEVELS = 10;
const LONGEST_CONFLATION_MS = 120_000;
const [SHORTEST_HEARTBEAT_MS, LONGEST_HEARTBEAT_MS] = [500, 5_000];

const Milliseconds = given(v.pipe(Whole, v.maxValue(LONGEST_CONFLATION_MS)));
const Clock = given(v.pipe(v.string(), v.maxLength(200)));
const Terms = {
	segmentationEnabled: Flag,
	conflateMs: Milliseconds,
	heartbeatMs: Milliseconds,
	initialClk: Clock,
	clk: Clock,
};

export const MarketRequest = v.object({
	...Terms,
	marketFilter: given(
		v.object({
			marketIds: Texts,
			eventTypeIds: Texts,
			eventIds: Texts,
			marketTypes: Texts,
			bettingTypes: Texts,
			venues: Texts,
			countryCodes: Texts,
			raceTypes: Texts,
			bspMarket: Flag,
			turnInPlayEnabled: Flag,
		}),
	),
	marketDataFilter: given(
		v.object({
			fields: given(v.array(v.string())),
			ladderLevels: given(atMost(MOST_LEVELS)),
		}),
	),
});
export type MarketRequest = v.InferOutput<typeof MarketRequest>;

export const OrderRequest = v.object({
	...Terms,
	orderFilter: given(
		v.object({
			includeOverallPosition: Flag,
			customerStrategyRefs: Texts,
			partitionMatchedByStrategyRef: Flag,
			/** Of this exchange alone: messages have the player's triggers, too. */
			includeTriggers: Flag,
		}),
	),
});
export type OrderRequest = v.InferOutput<typeof OrderRequest>;

/** Of races, or balls of cricket. */
export const NoneRequest = v.object(Terms);

type Asked = Pick<MarketRequest, 'segmentationEnabled' | 'conflateMs' | 'heartbeatMs'>;

export const termsOf = (
	{ segmentationEnabled, conflateMs, heartbeatMs }: Asked,
	id: number | undefined,
): SubscriptionTerms => ({
	id,
	conflateMs: conflateMs ?? 0,
	heartbeatMs: Math.min(LONGEST_HEARTBEAT_MS, Math.max(SHORTEST_HEARTBEAT_MS, heartbeatMs ?? LONGEST_HEARTBEAT_MS)),
	segmentationEnabled: segmentationEnabled ?? false,
});

/** What a client's clock belongs to: the same filter gets the same text. */
export function initialClkOf(request: MarketRequest | OrderRequest | v.InferOutput<typeof NoneRequest>): string {
	const { clk: _clk, initialClk: _initial, conflateMs: _conflate, heartbeatMs: _heartbeat, ...asked } = request;
	return secretHash(JSON.stringify(asked)).slice(0, 16);
}

/** The clock from which the client goes on; null when it gets an image. */
function sinceOf({ clock }: StreamHouse, request: MarketRequest | OrderRequest): Instant | null {
	const { clk, initialClk } = request;
	if (clk === undefined || initialClk === undefined || initialClk !== initialClkOf(request)) return null;
	return clock.read(clk);
}

/** What an earlier process changed in books is not known, nor how a market ended that has left memory: an image tells. */
function marketsSince(house: StreamHouse, request: MarketRequest): number | null {
	const since = sinceOf(house, request);
	return since?.isOwn && since.batch >= house.sources.forgotten() ? since.batch : null;
}

/** What happened to the caller's orders since the clock that the client names. */
function gapOf(house: StreamHouse, caller: BotCaller, request: OrderRequest): OrderGap {
	if (request.clk === undefined) return { from: 'START' };
	const { playerId, untilMs, receivedMs } = { ...caller, playerId: caller.login.playerId };
	const since = sinceOf(house, request);
	const { parts } = house.sources;
	const missed = since?.isOwn ? house.orders.after(playerId, since.batch) : null;
	// A market that was settled meanwhile may have left memory: then the tables name it.
	const areNamed = missed?.every(({ marketId }) => parts.fixtures.market(marketId) !== null);
	if (missed && areNamed) return { from: 'MEMORY', missed };
	const sinceMs = since?.atMs ?? parts.exchange.now() - WINDOW_MS;
	const deadlineMs = performance.now() + (untilMs - receivedMs);
	return {
		from: 'TABLES',
		isKnown: since !== null,
		ended: endedBets(parts, playerId, { sinceMs, untilMs: deadlineMs }),
	};
}

const isField = (field: string): field is DataField => (DATA_FIELDS as readonly string[]).includes(field);
const USUAL_LEVELS = 3;

function dataFilterOf({ marketDataFilter: asked }: MarketRequest): DataFilter {
	const fields = (asked?.fields ?? []).filter(isField);
	const chosen = fields.length > 0 ? fields : [...DATA_FIELDS];
	const ladderLevels = asked?.ladderLevels ?? USUAL_LEVELS;
	return { fields: new Set(chosen), ladderLevels, key: `${[...new Set(chosen)].sort().join()}.${ladderLevels}` };
}

export function marketSubscriptionOf(
	house: StreamHouse,
	caller: BotCaller,
	request: MarketRequest,
	id: number | undefined,
): MarketSubscription {
	const filter = request.marketFilter;
	const isNamed = [filter?.marketIds, filter?.marketTypes, filter?.bettingTypes].some((asked) => asked?.length);
	const hasStartingPrice = ({ id }: MarketListing) => house.sources.parts.exchange.market(id)?.startingPrice ?? false;
	const wants = (listing: MarketListing, fixture: Fixture): boolean =>
		(filter?.bspMarket === undefined || filter.bspMarket === hasStartingPrice(listing)) &&
		filter?.turnInPlayEnabled !== false &&
		isAmong(wireMarketId(listing.id), filter?.marketIds) &&
		isAmong(eventTypeOf(fixture.sportId), filter?.eventTypeIds) &&
		isAmong(String(fixture.id), filter?.eventIds) &&
		isAmong(marketTypeCode(listing), filter?.marketTypes) &&
		isAmong(bettingTypeOf(listing), filter?.bettingTypes) &&
		isAmong('', filter?.venues) &&
		isAmong('', filter?.countryCodes) &&
		isAmong(NO_RACE_TYPE, filter?.raceTypes) &&
		isForAll(listing, isNamed);
	const subscription = new MarketSubscription(house.sources, caller, {
		terms: termsOf(request, id),
		filter: dataFilterOf(request),
		wants,
		since: marketsSince(house, request),
	});
	if (subscription.markets().length > MOST_MARKETS) {
		throw new StreamRefusal('SUBSCRIPTION_LIMIT_EXCEEDED', `More than ${MOST_MARKETS} markets.`);
	}
	return subscription;
}

export function orderSubscriptionOf(
	house: StreamHouse,
	caller: BotCaller,
	request: OrderRequest,
	id: number | undefined,
): OrderSubscription {
	const { playerId } = caller.login;
	const gap = gapOf(house, caller, request);
	house.orders.follow(playerId, house.clock.value);
	const filter = request.orderFilter;
	const refs = filter?.customerStrategyRefs;
	return new OrderSubscription({ ...house.sources, orders: house.orders }, caller, {
		terms: termsOf(request, id),
		filter: {
			includeOverallPosition: filter?.includeOverallPosition ?? true,
			partitionMatchedByStrategyRef: filter?.partitionMatchedByStrategyRef ?? false,
			includeTriggers: filter?.includeTriggers ?? false,
			customerStrategyRefs: refs && refs.length > 0 ? new Set(refs) : null,
		},
		gap,
	});
}
