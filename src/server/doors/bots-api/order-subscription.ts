/**
 * One client's subscription to its own orders. Every changed bet is sent with its latest state, including bets placed
 * and ended between two messages. Matched positions are differences from the client's state.
 */
import type { TriggerView } from '#engine/effect.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import type { EndedBets } from '#server/doors/bots-api/ended-bets.ts';
import {
	askedOf,
	handicapOf,
	orderTypeOf,
	selectionIdOf,
	wireAverage,
	wireMarketId,
	wireSize,
} from '#server/doors/bots-api/fields.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import type { DatedBet, OrderLog } from '#server/doors/bots-api/order-log.ts';
import { currentTrigger } from '#server/doors/bots-api/order-views.ts';
import type { Subscription, SubscriptionTerms, Update } from '#server/doors/bots-api/subscription.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { BetId, MarketId } from '#values/ids.ts';

/** What happened to a player's orders before a subscription, and where that is known from. */
export type OrderGap =
	/** A first subscription: the client has nothing. */
	| { from: 'START' }
	/** Bets that changed since the client's clock, which this process gave. */
	| { from: 'MEMORY'; missed: readonly DatedBet[] }
	/**
	 * All live bets, and those that ended since the client's clock; since the window began when the clock is not known, whose
	 * client gets an image.
	 */
	| { from: 'TABLES'; isKnown: boolean; ended: Promise<EndedBets> };

interface OrderFilter {
	includeOverallPosition: boolean;
	/** Positions by the reference of the strategy, beside the overall one. */
	partitionMatchedByStrategyRef: boolean;
	/** The player's triggers, which have no references. */
	includeTriggers: boolean;
	/** Null: all. */
	customerStrategyRefs: ReadonlySet<string> | null;
}

type Points = Map<number, number>;
/** Matched sizes by price. */
interface Position {
	mb: Points;
	ml: Points;
}
/** A runner's position, as a whole and by strategy. */
interface Positions extends Position {
	byStrategy: Map<string, Position>;
}

const NOTHING: Positions = { mb: new Map(), ml: new Map(), byStrategy: new Map() };
const cents = (size: number): number => Math.round(size * 100) / 100;

export class OrderSubscription implements Subscription {
	readonly op = 'ocm';
	readonly list = 'oc';
	readonly terms: SubscriptionTerms;
	readonly #parts: BotParts;
	readonly #caller: BotCaller;
	readonly #filter: OrderFilter;
	readonly ready: Promise<unknown> | null;
	/** Told with the first message, and then forgotten. */
	#gap: OrderGap;
	#ended: EndedBets | null = null;
	readonly #orders: OrderLog;
	/** Changed since the last message. */
	readonly #dirty = new Map<BetId, DatedBet>();
	/** The markets of the bets that changed: they may leave memory before the client is told. */
	readonly #listings = new Map<MarketId, MarketListing>();
	/** Triggers that changed since the last message. */
	readonly #dirtyTriggers = new Map<BetId, TriggerView>();
	readonly #closed = new Set<MarketId>();
	/** The client's markets with orders, and its positions there by runner. */
	readonly #sent = new Map<MarketId, Map<number, Positions>>();

	constructor(
		{ parts, orders }: { parts: BotParts; orders: OrderLog },
		caller: BotCaller,
		asked: { terms: SubscriptionTerms; filter: OrderFilter; gap: OrderGap },
	) {
		this.#parts = parts;
		this.#orders = orders;
		this.#caller = caller;
		this.terms = asked.terms;
		this.#filter = asked.filter;
		this.#gap = asked.gap;
		this.ready = asked.gap.from === 'TABLES' ? this.#read(asked.gap.ended) : null;
	}

	async #read(ended: Promise<EndedBets>): Promise<void> {
		this.#ended = await ended;
	}

	/** Notes a change of one of the caller's bets. */
	changed(bet: DatedBet): void {
		if (!this.#passes(bet)) return;
		this.#dirty.set(bet.betId, bet);
		const listing = this.#parts.fixtures.market(bet.marketId);
		if (listing) this.#listings.set(bet.marketId, listing);
		if (!this.#sent.has(bet.marketId)) this.#sent.set(bet.marketId, new Map());
	}

	/** Notes a change of one of the caller's triggers. */
	triggerChanged(trigger: TriggerView): void {
		if (this.#filter.includeTriggers) this.#dirtyTriggers.set(trigger.triggerId, trigger);
	}

	/** The market was settled or void: its orders have ended. */
	ended(marketId: MarketId): void {
		if (this.#sent.has(marketId)) this.#closed.add(marketId);
	}

	get isDirty(): boolean {
		return this.#dirty.size > 0 || this.#dirtyTriggers.size > 0 || this.#closed.size > 0;
	}

	begin(): Update {
		const open = this.#open();
		const missed = this.#missed(open);
		this.#dirty.clear();
		this.#dirtyTriggers.clear();
		this.#closed.clear();
		const openByMarket = Map.groupBy(open, ({ marketId }) => marketId);
		const missedByMarket = Map.groupBy(missed, ({ marketId }) => marketId);
		// What the client has of other markets stands.
		const isPartial = this.#gap.from === 'MEMORY';
		for (const [marketId, ofMarket] of openByMarket) if (isPartial) this.#sent.set(marketId, positionsOf(ofMarket));
		const marketIds = new Set([...(isPartial ? [] : openByMarket.keys()), ...missedByMarket.keys()]);
		const changes = [...marketIds].flatMap((id) =>
			this.#marketImage(id, openByMarket.get(id) ?? [], missedByMarket.get(id) ?? []),
		);
		const isKnown = isPartial || (this.#gap.from === 'TABLES' && this.#gap.isKnown && this.#ended?.areAll === true);
		[this.#gap, this.#ended] = [{ from: 'START' }, null];
		this.#listings.clear();
		const triggers = this.#parts.exchange.triggers(this.#caller.login.playerId);
		return { ct: isKnown ? 'RESUB_DELTA' : 'SUB_IMAGE', changes, ...this.#shown(triggers) };
	}

	#shown(triggers: Iterable<TriggerView>): Pick<Update, 'triggers'> {
		if (!this.#filter.includeTriggers) return {};
		const shown = [...triggers].flatMap((trigger) => {
			const listing = this.#parts.fixtures.market(trigger.marketId);
			return listing ? [currentTrigger(trigger, listing)] : [];
		});
		return { triggers: shown };
	}

	/** The bets that the client may not know as they are, each once; what was committed since it subscribed counts last. */
	#missed(open: readonly BetRecord[]): DatedBet[] {
		const live = open.map((bet) => this.#orders.dated(bet));
		const earlier = this.#gap.from === 'MEMORY' ? this.#gap.missed : this.#ended ? [...this.#ended.bets, ...live] : [];
		const latest = new Map([...earlier, ...this.#dirty.values()].map((bet) => [bet.betId, bet]));
		return [...latest.values()].filter((bet) => this.#passes(bet));
	}

	next(): Update | null {
		const dirty = Map.groupBy(this.#dirty.values(), ({ marketId }) => marketId);
		this.#dirty.clear();
		const openByMarket = Map.groupBy(
			this.#open().filter(({ marketId }) => dirty.has(marketId)),
			({ marketId }) => marketId,
		);
		const changes: object[] = [];
		for (const [marketId, bets] of dirty) {
			const listing = this.#listingOf(marketId);
			if (!listing) continue;
			const positions = positionsOf(openByMarket.get(marketId) ?? []);
			const orc = [...Map.groupBy(bets, ({ runner }) => runner)].map(([runner, ofRunner]) => ({
				...this.#runnerHead(listing, runner),
				uo: ofRunner.map(orderOf),
				...this.#positionChange(marketId, runner, positions),
			}));
			this.#sent.set(marketId, positions);
			changes.push({ id: wireMarketId(marketId), accountId: this.#caller.login.playerId, orc });
		}
		for (const marketId of this.#closed) {
			// Opened again before the client was told.
			if (!this.#hasEnded(marketId)) continue;
			changes.push({ id: wireMarketId(marketId), accountId: this.#caller.login.playerId, closed: true });
			this.#sent.delete(marketId);
		}
		this.#closed.clear();
		this.#listings.clear();
		if (this.#dirtyTriggers.size === 0) return changes.length > 0 ? { changes } : null;
		const shown = this.#shown(this.#dirtyTriggers.values());
		this.#dirtyTriggers.clear();
		return { changes, ...shown };
	}

	#passes({ references }: BetRecord): boolean {
		const asked = this.#filter.customerStrategyRefs;
		return asked === null || asked.has(references?.strategyRef ?? '');
	}

	#open(): BetRecord[] {
		return this.#parts.exchange.openBets(this.#caller.login.playerId).filter((bet) => this.#passes(bet));
	}

	/** A whole market: matchable orders, positions, and orders that ended while the client was away. */
	#marketImage(marketId: MarketId, open: readonly BetRecord[], missed: readonly DatedBet[]): object[] {
		const listing = this.#listingOf(marketId);
		if (!listing) return [];
		const shown = new Map(missed.map((bet) => [bet.betId, bet]));
		for (const bet of open) if (bet.remaining > 0) shown.set(bet.betId, this.#orders.dated(bet));
		const runners = new Set([...open, ...shown.values()].map(({ runner }) => runner));
		const shownByRunner = Map.groupBy(shown.values(), ({ runner }) => runner);
		const positions = positionsOf(open);
		this.#sent.delete(marketId);
		const orc = [...runners].map((runner) => {
			const uo = shownByRunner.get(runner)?.map(orderOf);
			return {
				fullImage: true,
				...this.#runnerHead(listing, runner),
				...(uo ? { uo } : {}),
				...this.#positionChange(marketId, runner, positions),
			};
		});
		const hasEnded = this.#hasEnded(marketId);
		if (!hasEnded) this.#sent.set(marketId, positions);
		const closed = hasEnded ? { closed: true } : {};
		return [{ id: wireMarketId(marketId), accountId: this.#caller.login.playerId, ...closed, fullImage: true, orc }];
	}

	#listingOf(marketId: MarketId): MarketListing | undefined {
		return this.#parts.fixtures.market(marketId) ?? this.#listings.get(marketId) ?? this.#ended?.listings.get(marketId);
	}

	#hasEnded(marketId: MarketId): boolean {
		return ['SETTLED', 'VOIDED'].includes(this.#parts.exchange.market(marketId)?.status ?? 'SETTLED');
	}

	#runnerHead(listing: MarketListing, runner: number) {
		const handicap = handicapOf(listing, runner);
		return { id: selectionIdOf(listing, runner), ...(handicap === 0 ? {} : { hc: handicap }) };
	}

	/** The changes of a runner's positions since the client's state. */
	#positionChange(marketId: MarketId, runner: number, positions: ReadonlyMap<number, Positions>) {
		const { includeOverallPosition, partitionMatchedByStrategyRef } = this.#filter;
		const [before, now] = [this.#sent.get(marketId)?.get(runner) ?? NOTHING, positions.get(runner) ?? NOTHING];
		const smc: Record<string, object> = {};
		for (const ref of new Set([...before.byStrategy.keys(), ...now.byStrategy.keys()])) {
			const change = changeOf(before.byStrategy.get(ref) ?? NOTHING, now.byStrategy.get(ref) ?? NOTHING);
			if (Object.keys(change).length > 0) smc[ref] = change;
		}
		return {
			...(includeOverallPosition ? changeOf(before, now) : {}),
			...(partitionMatchedByStrategyRef && Object.keys(smc).length > 0 ? { smc } : {}),
		};
	}
}

const nothing = (): Position => ({ mb: new Map(), ml: new Map() });

/** The positions of a market's bets by runner. */
function positionsOf(open: readonly BetRecord[]): Map<number, Positions> {
	const positions = new Map<number, Positions>();
	for (const bet of open) {
		if (bet.matched === 0) continue;
		const ofRunner = positions.get(bet.runner) ?? { ...nothing(), byStrategy: new Map<string, Position>() };
		positions.set(bet.runner, ofRunner);
		const ref = bet.references?.strategyRef ?? '';
		const ofStrategy = ofRunner.byStrategy.get(ref) ?? nothing();
		ofRunner.byStrategy.set(ref, ofStrategy);
		for (const position of [ofRunner, ofStrategy]) addMatched(position, bet);
	}
	return positions;
}

function addMatched({ mb, ml }: Position, { side, matched, matchedValue }: BetRecord): void {
	const points = side === 0 ? mb : ml;
	const price = wireAverage(matched, matchedValue);
	points.set(price, cents((points.get(price) ?? 0) + wireSize(matched)));
}

function changeOf(before: Position, now: Position) {
	const [mb, ml] = [pointChanges(before.mb, now.mb), pointChanges(before.ml, now.ml)];
	return { ...(mb.length > 0 ? { mb } : {}), ...(ml.length > 0 ? { ml } : {}) };
}

function pointChanges(before: Points, now: Points): [price: number, size: number][] {
	const changed = [...now].filter(([price, size]) => before.get(price) !== size);
	const gone = [...before.keys()].filter((price) => !now.has(price));
	return [...changed, ...gone.map((price): [number, number] => [price, 0])];
}

const SHORT_TYPES = { LIMIT: 'L', LIMIT_ON_CLOSE: 'LOC', MARKET_ON_CLOSE: 'MOC' } as const;

/** A bet in the stream's format: short names, times in milliseconds. */
function orderOf(bet: DatedBet) {
	const { matched, matchedValue, remaining, lapsed, cancelled, voided, references } = bet;
	const { matchedAtMs, cancelledAtMs, lapsedAtMs, terms } = bet;
	const { price, size, bspLiability } = askedOf(bet);
	return {
		id: String(bet.betId),
		p: price,
		s: size,
		...(bet.onClose ? { bsp: bspLiability } : {}),
		side: bet.side === 0 ? 'B' : 'L',
		status: remaining > 0 ? 'E' : 'EC',
		pt: bet.takesStart ? 'MOC' : bet.persist ? 'P' : 'L',
		ot: SHORT_TYPES[orderTypeOf(bet)],
		pd: bet.placedAtMs,
		...(matchedAtMs === null ? {} : { md: matchedAtMs }),
		...(cancelledAtMs === null ? {} : { cd: cancelledAtMs }),
		...(lapsedAtMs === null ? {} : { ld: lapsedAtMs }),
		...(matched === 0 ? {} : { avp: wireAverage(matched, matchedValue) }),
		sm: wireSize(matched),
		sr: wireSize(remaining),
		sl: wireSize(lapsed),
		sc: wireSize(cancelled),
		sv: wireSize(voided),
		rac: '',
		rc: 'NONE',
		rfo: references?.orderRef ?? '',
		rfs: references?.strategyRef ?? '',
		...(bet.changed === null ? {} : { cs: bet.changed.batchSeq, ca: bet.changed.atMs }),
		...(terms?.postOnly != null && remaining > 0 ? { po: terms.postOnly } : {}),
		...(terms?.expiresAtMs != null && remaining > 0 ? { gt: terms.expiresAtMs } : {}),
		...(terms?.untilMatched != null && remaining > 0 ? { gm: wireSize(terms.untilMatched) } : {}),
	};
}
