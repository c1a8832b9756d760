/**
 * Markets as a Betfair stream reports them: an image replaces, changes are by price or by level, size 0 deletes, and a
 * definition is whole. A message may name a runner several times, so books are read only at the end of a message. In
 * handicap markets a selection appears once for each line; selection and line together are a runner.
 * Source: the public Exchange Stream API documentation; exchange rules, "Feeds".
 */
import { faultOfChange } from '#server/world/feeds/betfair/stream-messages.ts';

export interface StreamDefinition {
	status: 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';
	inPlay: boolean;
	betDelay: number;
	numberOfWinners: number;
	marketTime: string;
	marketBaseRate?: number;
	marketType?: string;
	/** A match, or the races of a day at a course. */
	eventId?: string;
	eventTypeId?: string;
	/** Names of event, market and runners: only in recordings of some years. */
	eventName?: string;
	name?: string;
	venue?: string;
	runners: {
		id: number;
		/** The handicap line; absent or 0 without one. */
		hc?: number | null;
		status: string;
		sortPriority: number;
		adjustmentFactor?: number | null;
		name?: string;
	}[];
}

type PriceSizes = [price: number, size: number][];
type LevelSizes = [level: number, price: number, size: number][];

/** A selection id; with a handicap `id_line`, in characters that our ids allow. */
export type RunnerKey = number | string;

export const runnerKey = ({ id, hc }: { id: number; hc?: number | null }): RunnerKey => (hc ? `${id}_${hc}` : id);

interface RunnerChange {
	id: number;
	hc?: number | null;
	atb?: PriceSizes;
	atl?: PriceSizes;
	trd?: PriceSizes;
	batb?: LevelSizes;
	batl?: LevelSizes;
	ltp?: number;
}

export interface MarketChange {
	id: string;
	img?: boolean;
	marketDefinition?: StreamDefinition;
	rc?: RunnerChange[];
}

export interface MarketMessage {
	op: 'mcm';
	/** Publish time, milliseconds. */
	pt: number;
	mc?: MarketChange[];
}

/** Price → size, or level → [price, size]. */
class Ladder {
	readonly #byPrice = new Map<number, number>();
	readonly #byLevel = new Map<number, [number, number]>();

	changePrices(changes: PriceSizes): void {
		for (const [price, size] of changes) {
			if (size === 0) this.#byPrice.delete(price);
			else this.#byPrice.set(price, size);
		}
	}

	changeLevels(changes: LevelSizes): void {
		for (const [level, price, size] of changes) {
			if (size === 0) this.#byLevel.delete(level);
			else this.#byLevel.set(level, [price, size]);
		}
	}

	/** The levels by price if the stream sends them, otherwise by level. */
	entries(): [price: number, size: number][] {
		return this.#byPrice.size > 0 ? [...this.#byPrice] : [...this.#byLevel.values()];
	}
}

class StreamRunner {
	back = new Ladder();
	lay = new Ladder();
	lastPriceTraded: number | null = null;
}

export class StreamMarket {
	readonly id: string;
	definition: StreamDefinition | null = null;
	runners = new Map<RunnerKey, StreamRunner>();
	/** The fault of a change. The book lacks that change until the next image. */
	fault: string | null = null;
	/** Number of messages about this market. */
	updates = 0;

	constructor(id: string) {
		this.id = id;
	}

	apply(change: MarketChange): void {
		const fault = faultOfChange(change);
		if (fault !== null || change.img) this.fault = fault;
		if (fault !== null) return;
		if (change.img) this.runners = new Map();
		if (change.marketDefinition) this.definition = change.marketDefinition;
		for (const part of change.rc ?? []) {
			const key = runnerKey(part);
			const runner = this.runners.get(key) ?? new StreamRunner();
			this.runners.set(key, runner);
			if (part.atb) runner.back.changePrices(part.atb);
			if (part.atl) runner.lay.changePrices(part.atl);
			if (part.batb) runner.back.changeLevels(part.batb);
			if (part.batl) runner.lay.changeLevels(part.batl);
			if (part.ltp !== undefined) runner.lastPriceTraded = part.ltp;
		}
	}

	/** Prices that backers can take, highest first, and prices that layers can take, lowest first. */
	book(key: RunnerKey): { back: [number, number][]; lay: [number, number][] } {
		const runner = this.runners.get(key);
		return {
			back: (runner?.back.entries() ?? []).sort(([one], [other]) => other - one),
			lay: (runner?.lay.entries() ?? []).sort(([one], [other]) => one - other),
		};
	}
}

/** All markets of a stream. */
export class StreamMarkets {
	readonly markets = new Map<string, StreamMarket>();
	messages = 0;

	/** Applies a message and returns its markets, each once. @throws Error when a change names no market */
	apply(message: MarketMessage): StreamMarket[] {
		this.messages++;
		const changed = new Set<StreamMarket>();
		for (const change of message.mc ?? []) {
			if (typeof change?.id !== 'string') throw new Error('a change names no market');
			const market = this.markets.get(change.id) ?? new StreamMarket(change.id);
			this.markets.set(change.id, market);
			market.apply(change);
			changed.add(market);
		}
		for (const market of changed) market.updates++;
		return [...changed];
	}

	/** Drops a market. If the stream reports it again it starts empty. */
	forget(marketId: string): void {
		this.markets.delete(marketId);
	}
}
