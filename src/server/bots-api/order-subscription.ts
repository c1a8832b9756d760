/**
 * One client's subscription to its own orders. Every bet that changed is sent with its latest state, also one that was
 * placed and ended between two messages. Matched positions are differences from what the client has.
 */
import type { BotCaller } from '#server/bots-api/caller.ts';
import { handicapOf, selectionIdOf, wireAverage, wireMarketId, wirePrice, wireSize } from '#server/bots-api/fields.ts';
import type { BotParts } from '#server/bots-api/operation.ts';
import type { Subscription, SubscriptionTerms, Update } from '#server/bots-api/subscription.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import type { BetId, MarketId, PlayerId } from '#values/ids.ts';

/** Changes of bets that are remembered of one player, for subscriptions that resume. */
const MOST_REMEMBERED = 5_000;

/** The latest changes of the bets of players who have, or had, a subscription. */
export class OrderLog {
	/** By player, oldest change first. */
	readonly #players = new Map<PlayerId, { since: number; bets: Map<BetId, { bet: BetRecord; clock: number }> }>();

	/** Remembers the player's changes from this clock on. */
	follow(playerId: PlayerId, clock: number): void {
		if (!this.#players.has(playerId)) this.#players.set(playerId, { since: clock, bets: new Map() });
	}

	forgetAll(): void {
		this.#players.clear();
	}

	changed(bet: BetRecord, clock: number): void {
		const of = this.#players.get(bet.walletId);
		if (!of) return;
		of.bets.delete(bet.betId);
		of.bets.set(bet.betId, { bet: { ...bet }, clock });
		if (of.bets.size <= MOST_REMEMBERED) return;
		const [oldest] = of.bets;
		if (!oldest) return;
		of.bets.delete(oldest[0]);
		of.since = oldest[1].clock;
	}

	/** The bets that changed after a clock, each once; null when some of them are forgotten. */
	after(playerId: PlayerId, clock: number): BetRecord[] | null {
		const of = this.#players.get(playerId);
		if (!of || clock < of.since) return null;
		return [...of.bets.values()].flatMap((one) => (one.clock > clock ? [one.bet] : []));
	}
}

export interface OrderFilter {
	includeOverallPosition: boolean;
	/** Positions by the reference of the strategy, beside the overall one. */
	partitionMatchedByStrategyRef: boolean;
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
	readonly #clock: () => number;
	readonly #missed: readonly BetRecord[] | null;
	/** Changed since the last message. */
	readonly #dirty = new Map<BetId, BetRecord>();
	readonly #closed = new Set<MarketId>();
	/** The markets that the client has orders of, and the positions that it has there by runner. */
	readonly #sent = new Map<MarketId, Map<number, Positions>>();

	/** @param missed bets that changed since the client's clock; null for an image */
	constructor(
		{ parts, clock }: { parts: BotParts; clock: () => number },
		caller: BotCaller,
		asked: { terms: SubscriptionTerms; filter: OrderFilter; missed: readonly BetRecord[] | null },
	) {
		this.#parts = parts;
		this.#clock = clock;
		this.#caller = caller;
		this.terms = asked.terms;
		this.#filter = asked.filter;
		this.#missed = asked.missed;
	}

	/** Notes a change of one of the caller's bets. */
	changed(bet: BetRecord): void {
		if (!this.#passes(bet)) return;
		this.#dirty.set(bet.betId, { ...bet });
		if (!this.#sent.has(bet.marketId)) this.#sent.set(bet.marketId, new Map());
	}

	/** The market was settled or void: its orders are over. */
	ended(marketId: MarketId): void {
		if (this.#sent.has(marketId)) this.#closed.add(marketId);
	}

	get isDirty(): boolean {
		return this.#dirty.size > 0 || this.#closed.size > 0;
	}

	begin(): Update {
		const clock = this.#clock();
		this.#dirty.clear();
		const openByMarket = Map.groupBy(this.#open(), ({ marketId }) => marketId);
		const missed = this.#missed?.filter((bet) => this.#passes(bet)) ?? null;
		const missedByMarket = Map.groupBy(missed ?? [], ({ marketId }) => marketId);
		// After a reconnect, what the client has of other markets stands.
		for (const [marketId, open] of openByMarket) if (missed) this.#sent.set(marketId, positionsOf(open));
		const marketIds = missed ? missedByMarket.keys() : openByMarket.keys();
		const changes = [...marketIds].flatMap((id) =>
			this.#marketImage(id, openByMarket.get(id) ?? [], missedByMarket.get(id) ?? []),
		);
		return { ct: missed ? 'RESUB_DELTA' : 'SUB_IMAGE', changes, clock };
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
			const listing = this.#parts.fixtures.market(marketId);
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
			changes.push({ id: wireMarketId(marketId), accountId: this.#caller.login.playerId, closed: true });
			this.#sent.delete(marketId);
		}
		this.#closed.clear();
		return changes.length > 0 ? { changes, clock: this.#clock() } : null;
	}

	#passes({ references }: BetRecord): boolean {
		const asked = this.#filter.customerStrategyRefs;
		return asked === null || asked.has(references?.strategyRef ?? '');
	}

	#open(): BetRecord[] {
		return this.#parts.exchange.openBets(this.#caller.login.playerId).filter((bet) => this.#passes(bet));
	}

	/** A market as a whole: what can still be matched, the positions, and what ended while the client was away. */
	#marketImage(marketId: MarketId, open: readonly BetRecord[], missed: readonly BetRecord[]): object[] {
		const listing = this.#parts.fixtures.market(marketId);
		if (!listing) return [];
		const shown = new Map(missed.map((bet) => [bet.betId, bet]));
		for (const bet of open) if (bet.remaining > 0) shown.set(bet.betId, bet);
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
		const hasEnded = ['SETTLED', 'VOIDED'].includes(this.#parts.exchange.market(marketId)?.status ?? 'SETTLED');
		if (!hasEnded) this.#sent.set(marketId, positions);
		const closed = hasEnded ? { closed: true } : {};
		return [{ id: wireMarketId(marketId), accountId: this.#caller.login.playerId, ...closed, fullImage: true, orc }];
	}

	#runnerHead(listing: MarketListing, runner: number) {
		const handicap = handicapOf(listing, runner);
		return { id: selectionIdOf(listing, runner), ...(handicap === 0 ? {} : { hc: handicap }) };
	}

	/** The differences of a runner from the positions that the client has. */
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

/** A bet as the stream says it: short names, times in milliseconds. */
export function orderOf(bet: BetRecord) {
	const { matched, matchedValue, remaining, lapsed, cancelled, voided, references, matchedAtMs } = bet;
	return {
		id: String(bet.betId),
		p: wirePrice(bet.price),
		s: wireSize(bet.stake),
		side: bet.side === 0 ? 'B' : 'L',
		status: remaining > 0 ? 'E' : 'EC',
		pt: bet.persist ? 'P' : 'L',
		ot: 'L',
		pd: bet.placedAtMs,
		...(matchedAtMs === null ? {} : { md: matchedAtMs }),
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
	};
}
