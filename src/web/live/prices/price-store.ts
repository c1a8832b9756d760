/**
 * All markets' books and the cells that show them. Messages change the books at once; cells whose price or size differs
 * are notified once per animation frame, however many updates arrived in between.
 */

import type { Minor } from '#values/money.ts';
import { decimalFromPrice, type Price } from '#values/price-ladder.ts';
import {
	applyDelta,
	type BookImage,
	type BookSide,
	bookFromImage,
	type Level,
	type MarketBookDelta,
	type MarketBookImage,
	type PriceBook,
} from '#web/live/prices/price-book.ts';

/** What one cell shows; the same object until it changes. `move` is the direction of the last price change. */
export interface CellPrice {
	readonly price: Price;
	readonly size: Minor;
	readonly move: -1 | 0 | 1;
	/** Rises with each change of this cell, so that two changes in a row both flash. */
	readonly changeCount: number;
}

/** What a market's head shows; the same object until it changes. */
export interface MarketHead {
	readonly status: PriceBook['status'];
	readonly inPlay: boolean;
	readonly totalMatched: Minor;
	/** False until the hub's image, and from a lost message until the next: the shown prices cannot be bet on. */
	readonly whole: boolean;
	/** Σ of 100/best back and of 100/best lay, rounded; null while a runner has no price on that side. */
	readonly backPercent: number | null;
	readonly layPercent: number | null;
	/** Runner id → status, for those no longer in play and for results. */
	readonly runnerStatus: Readonly<Record<string, string>>;
}

type Listener = () => void;

interface Watched<Snapshot> {
	snapshot: Snapshot;
	listeners: Set<Listener>;
}

interface Cell extends Watched<CellPrice | null> {
	readonly runnerId: string;
	readonly side: BookSide;
	readonly level: number;
}

interface Entry {
	book: PriceBook | null;
	cells: Map<string, Cell>;
	head: Watched<MarketHead | null>;
	/** Readers of the whole book, notified of every change; the snapshot counts the changes. */
	whole: Watched<number>;
	/** Its image was requested, or arrives without a request. */
	awaitsImage: boolean;
	/** It was unused at the last check. */
	idle: boolean;
}

interface PriceStoreOptions {
	/** Runs the delivery at the next animation frame. */
	schedule: (deliver: () => void) => void;
	/** A delta did not follow on; requested once until the image arrives. */
	onGap: (marketId: string) => void;
}

/** The most listeners notified in one frame; further markets follow in the next frame, because a page's images come at once. */
const MOST_A_STEP = 32;

const cellKey = (runnerId: string, side: BookSide, level: number) => `${runnerId}|${side}|${level}`;

export class PriceStore {
	readonly #options: PriceStoreOptions;
	readonly #markets = new Map<string, Entry>();
	readonly #changed = new Set<string>();
	#scheduled = false;

	constructor(options: PriceStoreOptions) {
		this.#options = options;
	}

	/** The latest book, for decisions outside React; null before the first image. */
	book(marketId: string): PriceBook | null {
		return this.#markets.get(marketId)?.book ?? null;
	}

	/** The best price of a side now, or null. */
	best(marketId: string, runnerId: string, side: BookSide): Level | null {
		return this.book(marketId)?.runners.get(runnerId)?.[side][0] ?? null;
	}

	receive(message: MarketBookImage | MarketBookDelta): void {
		if (message.kind === 'IMAGE') this.receiveImage(message, true);
		else this.#receiveDelta(message);
	}

	/** `pushed` images answer a subscription; those of a call fill in until one comes. */
	receiveImage(image: BookImage, pushed: boolean): void {
		const entry = this.#entry(image.marketId);
		const { book } = entry;
		// If the hub's messages are incomplete, its image counts regardless of the version.
		if (book && image.version < book.version && (book.proved || !pushed)) return;
		if (book?.proved && !pushed) return;
		entry.book = bookFromImage(image, pushed);
		entry.awaitsImage &&= !pushed;
		this.#mark(image.marketId);
	}

	#receiveDelta(delta: MarketBookDelta): void {
		const entry = this.#entry(delta.marketId);
		if (!entry.book) return;
		const outcome = applyDelta(entry.book, delta);
		if (outcome === 'old') return;
		this.#mark(delta.marketId);
		if (outcome !== 'gap' || entry.awaitsImage) return;
		entry.awaitsImage = true;
		this.#options.onGap(delta.marketId);
	}

	/** Status, in-play flag and results are separate messages. */
	receiveStatus(marketId: string, status: PriceBook['status'], inPlay: boolean, runners: Record<string, string>): void {
		const book = this.#markets.get(marketId)?.book;
		if (!book) return;
		book.status = status;
		book.inPlay = inPlay;
		for (const [runnerId, runnerStatus] of Object.entries(runners)) {
			const runner = book.runners.get(runnerId);
			if (runner) runner.status = runnerStatus as typeof runner.status;
		}
		this.#mark(marketId);
	}

	/** The hub no longer sends these markets, or messages were lost: each is confirmed again by its next image. */
	unprove(marketIds: Iterable<string> = this.#markets.keys()): void {
		for (const marketId of marketIds) {
			const entry = this.#markets.get(marketId);
			if (!entry) continue;
			entry.awaitsImage = true;
			if (!entry.book?.proved) continue;
			entry.book.proved = false;
			this.#mark(marketId);
		}
	}

	/**
	 * Forgets the markets that were unused at this and the previous call, so that a match that is opened from a list shows
	 * its prices before its page has requested them.
	 */
	forgetIdle(isFollowed: (marketId: string) => boolean): void {
		for (const [marketId, entry] of this.#markets) {
			const idle = !isFollowed(marketId) && !isWatched(entry);
			if (idle && entry.idle) this.#markets.delete(marketId);
			entry.idle = idle;
		}
	}

	watchCell(marketId: string, runnerId: string, side: BookSide, level: number, listener: Listener): () => void {
		const cell = this.#cell(marketId, runnerId, side, level);
		cell.listeners.add(listener);
		return () => void cell.listeners.delete(listener);
	}

	cell(marketId: string, runnerId: string, side: BookSide, level: number): CellPrice | null {
		return this.#cell(marketId, runnerId, side, level).snapshot;
	}

	watchHead(marketId: string, listener: Listener): () => void {
		const { head } = this.#entry(marketId);
		head.listeners.add(listener);
		return () => void head.listeners.delete(listener);
	}

	head(marketId: string): MarketHead | null {
		return this.#entry(marketId).head.snapshot;
	}

	/** For views of a book other than cells, such as the lines of a fancy. */
	watchBook(marketId: string, listener: Listener): () => void {
		const { whole } = this.#entry(marketId);
		whole.listeners.add(listener);
		return () => void whole.listeners.delete(listener);
	}

	/** Rises with each delivered change of the book. */
	bookChangeCount(marketId: string): number {
		return this.#entry(marketId).whole.snapshot;
	}

	#entry(marketId: string): Entry {
		let entry = this.#markets.get(marketId);
		if (!entry) {
			entry = {
				book: null,
				cells: new Map(),
				head: { snapshot: null, listeners: new Set() },
				whole: { snapshot: 0, listeners: new Set() },
				awaitsImage: false,
				idle: false,
			};
			this.#markets.set(marketId, entry);
		}
		return entry;
	}

	#cell(marketId: string, runnerId: string, side: BookSide, level: number): Cell {
		const entry = this.#entry(marketId);
		const key = cellKey(runnerId, side, level);
		let cell = entry.cells.get(key);
		if (!cell) {
			const held = entry.book?.runners.get(runnerId)?.[side][level];
			const snapshot = held ? { price: held.price, size: held.size, move: 0 as const, changeCount: 0 } : null;
			cell = { runnerId, side, level, snapshot, listeners: new Set() };
			entry.cells.set(key, cell);
		}
		return cell;
	}

	#mark(marketId: string): void {
		this.#changed.add(marketId);
		this.#scheduleDelivery();
	}

	#scheduleDelivery(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		this.#options.schedule(() => this.#deliver());
	}

	/** Market by market, the longest waiting first; the rest follows in the next frame. */
	#deliver(): void {
		this.#scheduled = false;
		const due = new Set<Listener>();
		for (const marketId of this.#changed) {
			if (due.size >= MOST_A_STEP) break;
			this.#changed.delete(marketId);
			const entry = this.#markets.get(marketId);
			if (!entry?.book) continue;
			for (const cell of entry.cells.values()) if (refreshCell(cell, entry.book)) addAll(due, cell.listeners);
			if (refreshHead(entry.head, entry.book)) addAll(due, entry.head.listeners);
			entry.whole.snapshot++;
			addAll(due, entry.whole.listeners);
		}
		if (this.#changed.size > 0) this.#scheduleDelivery();
		for (const listener of due) listener();
	}
}

const isWatched = ({ head, whole, cells }: Entry): boolean =>
	[head, whole, ...cells.values()].some(({ listeners }) => listeners.size > 0);

function addAll(due: Set<Listener>, listeners: Set<Listener>): void {
	for (const listener of listeners) due.add(listener);
}

function refreshCell(cell: Cell, book: PriceBook): boolean {
	const now = book.runners.get(cell.runnerId)?.[cell.side][cell.level] ?? null;
	const was = cell.snapshot;
	if (now?.price === was?.price && now?.size === was?.size) return false;
	const move = now && was ? (Math.sign(now.price - was.price) as -1 | 0 | 1) : 0;
	cell.snapshot = now && { price: now.price, size: now.size, move, changeCount: (was?.changeCount ?? 0) + 1 };
	return true;
}

function percentOf(book: PriceBook, side: BookSide): number | null {
	let sum = 0;
	for (const runner of book.runners.values()) {
		if (runner.status !== 'ACTIVE') continue;
		const best = runner[side][0];
		if (!best) return null;
		sum += 100 / decimalFromPrice(best.price);
	}
	return sum === 0 ? null : Math.round(sum * 10) / 10;
}

function refreshHead(head: Watched<MarketHead | null>, book: PriceBook): boolean {
	const runnerStatus: Record<string, string> = {};
	for (const [runnerId, runner] of book.runners) runnerStatus[runnerId] = runner.status;
	const now: MarketHead = {
		status: book.status,
		inPlay: book.inPlay,
		totalMatched: book.totalMatched,
		whole: book.proved,
		backPercent: percentOf(book, 'back'),
		layPercent: percentOf(book, 'lay'),
		runnerStatus,
	};
	if (head.snapshot && JSON.stringify(head.snapshot) === JSON.stringify(now)) return false;
	head.snapshot = now;
	return true;
}
