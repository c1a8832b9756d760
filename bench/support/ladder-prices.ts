/**
 * Prices of a market that change all the time, published to the hub as the publisher does, but without a bet behind them:
 * each message replaces both sides of one runner, three levels each.
 */
import type { MarketBookDelta } from '#contract/hub-messages.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import { LADDERS } from '#values/price-ladder.ts';

const LEVELS = [0, 1, 2] as const;
const CHANGES_OF_A_MESSAGE = 2 * LEVELS.length;
const TICK_MS = 10;
/** About 2.00; prices move three ticks up and down, so that all stay in a ladder's window. */
const MIDDLE_TICK = LADDERS.CLASSIC.tickOf(200);
const POOL = 'DEMO';

interface Level {
	price: number;
	size: number;
}

/** Always the same walk. @param step rises with each message */
function levelsAt(step: number): Record<'back' | 'lay', Level[]> {
	const middle = MIDDLE_TICK - 3 + ((step * 5) % 7);
	const at = (tick: number, level: number) => ({
		price: LADDERS.CLASSIC.priceAt(tick) / 100,
		size: 100 + ((step * 37 + level * 101) % 900),
	});
	return {
		back: LEVELS.map((level) => at(middle - level, level)),
		lay: LEVELS.map((level) => at(middle + 1 + level, level + 3)),
	};
}

export class LadderPrices {
	/** Prices and sizes published so far. */
	changes = 0;
	readonly #bus: Bus;
	readonly #perSecond: number;
	readonly #last = new Map<string, ReturnType<typeof levelsAt>>();
	#marketId = '';
	#runnerIds: readonly string[] = [];
	/** Of the server's own book, which a page gets when it subscribes. */
	#version = 0;
	#isPublishing = false;
	#step = 0;

	constructor(bus: Bus, perSecond: number) {
		this.#bus = bus;
		this.#perSecond = perSecond;
	}

	/** Resolves when the first prices are the server's book. @param quote puts prices into the book */
	async begin(
		marketId: string,
		runnerIds: readonly string[],
		quote: (runners: readonly QuotedRunner[]) => Promise<void>,
	): Promise<void> {
		this.#marketId = marketId;
		this.#runnerIds = runnerIds;
		const published = Promise.withResolvers<void>();
		this.#bus.subscribe(`market.${marketId}.${POOL}`, ({ code, data }) => {
			if (code !== 'MarketBook' || this.#isPublishing) return;
			this.#version = (data as MarketBookDelta).version;
			published.resolve();
		});
		const inUnits = (levels: readonly Level[]) =>
			levels.map(({ price, size }) => ({ price: Math.round(price * 100), size: size * 100 })) as QuotedRunner['back'];
		const first = levelsAt(0);
		await quote(runnerIds.map(() => ({ back: inUnits(first.back), lay: inUnits(first.lay) })));
		await published.promise;
	}

	/** Begins at the server's book, which the next page has; late timers publish all that is due. @returns what ends it */
	move(): () => void {
		const begun = performance.now();
		let version = this.#version;
		let sent = 0;
		const timer = setInterval(() => {
			const due = Math.floor(((performance.now() - begun) / 1000) * (this.#perSecond / CHANGES_OF_A_MESSAGE));
			for (; sent < due; sent++) this.#publish(version++);
		}, TICK_MS);
		return () => clearInterval(timer);
	}

	/** What the best cells of each runner read out loud now. */
	lastLabels(): string[] {
		return [...this.#last.values()].flatMap(({ back: [back], lay: [lay] }) => [
			`Back at ${back?.price.toFixed(2)}, ${back?.size} available`,
			`Lay at ${lay?.price.toFixed(2)}, ${lay?.size} available`,
		]);
	}

	#publish(from: number): void {
		this.#step += 1;
		const runnerId = this.#runnerIds[this.#step % this.#runnerIds.length] ?? '';
		const levels = levelsAt(this.#step);
		this.#last.set(runnerId, levels);
		this.changes += CHANGES_OF_A_MESSAGE;
		this.#isPublishing = true;
		// Without a key: every message counts, and none replaces another on its way.
		this.#bus.publish(`market.${this.#marketId}.${POOL}`, {
			code: 'MarketBook',
			data: {
				kind: 'DELTA',
				marketId: this.#marketId,
				from,
				version: from + 1,
				clock: Date.now(),
				runners: [{ runnerId, ...levels }],
			},
		});
		this.#isPublishing = false;
	}
}
