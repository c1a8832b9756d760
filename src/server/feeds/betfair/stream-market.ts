/**
 * Markets as a Betfair stream tells them: images replace, changes by price or by level, size 0 deletes, a definition is
 * whole. One message may name a runner several times, so books are looked at only at the end of a message. In handicap
 * markets a selection stands once for each line; it is a runner together with its line.
 * Source: the public Exchange Stream API documentation; exchange rules, "Feeds".
 */
import { faultOfChange } from '#server/feeds/betfair/stream-messages.ts';

export interface StreamDefinition {
	status: 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';
	inPlay: boolean;
	betDelay: number;
	numberOfWinners: number;
	marketTime: string;
	marketBaseRate?: number;
	marketType?: string;
	/** A match, or a day's races at a course. */
	eventId?: string;
	eventTypeId?: string;
	/** Recordings of some years name the event, the market and the runners. */
	eventName?: string;
	name?: string;
	venue?: string;
	timezone?: string;
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

/** A selection's number; with a handicap `number_line`, of characters that ids may have. */
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

	/** By price where there is such a ladder, else by level. */
	entries(): [price: number, size: number][] {
		return this.#byPrice.size > 0 ? [...this.#byPrice] : [...this.#byLevel.values()];
	}
}

export class StreamRunner {
	back = new Ladder();
	lay = new Ladder();
	lastPriceTraded: number | null = null;
}

export class StreamMarket {
	readonly id: string;
	definition: StreamDefinition | null = null;
	runners = new Map<RunnerKey, StreamRunner>();
	/** What was wrong with a change of it, which its book lacks since; an image puts that right. */
	fault: string | null = null;
	/** Number of messages that spoke of this market. */
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

	/** Prices a backer could take, highest first, and a layer, lowest first. */
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

	/** Applies a message and returns the markets it spoke of, each once. @throws Error when a change names no market */
	apply(message: MarketMessage): StreamMarket[] {
		this.messages++;
		const touched = new Set<StreamMarket>();
		for (const change of message.mc ?? []) {
			if (typeof change?.id !== 'string') throw new Error('a change names no market');
			const market = this.markets.get(change.id) ?? new StreamMarket(change.id);
			this.markets.set(change.id, market);
			market.apply(change);
			touched.add(market);
		}
		for (const market of touched) market.updates++;
		return [...touched];
	}

	/** A market of which nothing more is wanted; spoken of again it begins anew. */
	forget(marketId: string): void {
		this.markets.delete(marketId);
	}
}
