/**
 * Live prices, outside React. This file: one market's book as images and deltas build it, with its versions.
 * `back` holds what a backer can take now, best first.
 */

import type * as wire from '#contract/hub-messages.ts';
import { type Minor, ZERO } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Inside } from '#web/api/units.ts';

export type MarketBookImage = Inside<wire.MarketBookImage>;
export type MarketBookDelta = Inside<wire.MarketBookDelta>;

export type BookSide = 'back' | 'lay';

export interface Level {
	price: Price;
	size: Minor;
}

export interface RunnerPrices {
	back: readonly Level[];
	lay: readonly Level[];
	lastPriceTraded: Price | null;
	totalMatched: Minor;
	status: MarketBookImage['runners'][number]['status'];
}

export interface PriceBook {
	version: number;
	status: MarketBookImage['status'];
	inPlay: boolean;
	totalMatched: Minor;
	runners: Map<string, RunnerPrices>;
	/** Built from an image of the hub and every message since. Any other book is displayed, but not bet on. */
	proved: boolean;
}

/** The image of a call's answer is one without kind and clock. */
export type BookImage = Omit<MarketBookImage, 'kind' | 'clock'>;

/** @param pushed by the hub, which sends all changes from here on */
export function bookFromImage(image: BookImage, pushed: boolean): PriceBook {
	const runners = new Map<string, RunnerPrices>();
	for (const { runnerId, back, lay, lastPriceTraded, totalMatched, status } of image.runners)
		runners.set(runnerId, { back, lay, lastPriceTraded, totalMatched, status });
	return {
		version: image.version,
		status: image.status,
		inPlay: image.inPlay,
		totalMatched: image.totalMatched,
		runners,
		proved: pushed,
	};
}

/** A call's image of a fancy holds only the lines in use at that time; other lines start empty. */
function runnerOf(book: PriceBook, runnerId: string): RunnerPrices {
	let runner = book.runners.get(runnerId);
	if (!runner) {
		runner = { back: [], lay: [], lastPriceTraded: null, totalMatched: ZERO, status: 'ACTIVE' };
		book.runners.set(runnerId, runner);
	}
	return runner;
}

/**
 * Applies a delta in place.
 * @returns 'applied', 'old' when it is not newer than the book, or 'gap' when a delta between was lost
 */
export function applyDelta(book: PriceBook, delta: MarketBookDelta): 'applied' | 'old' | 'gap' {
	if (!book.proved) return 'gap';
	if (delta.version <= book.version) return 'old';
	if (delta.from !== book.version) {
		book.proved = false;
		return 'gap';
	}
	book.version = delta.version;
	if (delta.totalMatched !== undefined) book.totalMatched = delta.totalMatched;
	for (const change of delta.runners) {
		const runner = runnerOf(book, change.runnerId);
		if (change.back) runner.back = change.back;
		if (change.lay) runner.lay = change.lay;
		if (change.lastPriceTraded !== undefined) runner.lastPriceTraded = change.lastPriceTraded;
		if (change.totalMatched !== undefined) runner.totalMatched = change.totalMatched;
	}
	return 'applied';
}
