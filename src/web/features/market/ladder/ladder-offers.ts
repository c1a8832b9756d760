/**
 * What is offered on a ladder, outside React: prices change up to sixty times a second, and rendering the rows each time
 * would cost many times what writing the changed cells costs. Each cell is told when its own offer changes.
 */
import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Minor } from '#values/money.ts';
import type { Ladder, Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import {
	type Depth,
	mergedDepth,
	middleTick,
	offersAround,
	TICKS_AROUND,
	withinLadder,
} from '#web/betting/ladder-view.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';

/** `share` of the largest offer in sight, to which bars are drawn. */
interface Offer {
	size: Minor;
	share: number;
}

type Write = (offer: Offer | null) => void;

interface Cell {
	offer: Offer | null;
	write: Write | null;
}

type Cells = Map<number, Cell>;

const NOTHING: Depth = { back: [], lay: [] };

/** The cells of a ladder by side and tick. */
export class LadderOffers {
	readonly #cells: Record<Side, Cells> = { BACK: new Map(), LAY: new Map() };
	#shown: { depth: Depth; middle: number } | null = null;

	/** @param write called with the offer at once and at each change. @returns a function that ends it */
	watch(side: Side, tick: number, write: Write): () => void {
		const cell = this.#cell(side, tick);
		cell.write = write;
		write(cell.offer);
		return () => {
			if (cell.write === write) cell.write = null;
		};
	}

	/** The same arrays as before are the same offers: the book replaces what changes. */
	show(ladder: Ladder, middle: number, depth: Depth): void {
		const was = this.#shown;
		if (was && was.middle === middle && was.depth.back === depth.back && was.depth.lay === depth.lay) return;
		this.#shown = { depth, middle };
		const offers = { BACK: offersAround(ladder, middle, depth.back), LAY: offersAround(ladder, middle, depth.lay) };
		const most = Math.max(1, ...offers.BACK.values(), ...offers.LAY.values());
		for (const side of ['BACK', 'LAY'] as const) {
			for (const [tick, cell] of this.#cells[side]) if (!offers[side].has(tick)) change(cell, null);
			for (const [tick, size] of offers[side]) change(this.#cell(side, tick), { size, share: size / most });
		}
	}

	#cell(side: Side, tick: number): Cell {
		const cells = this.#cells[side];
		const cell = cells.get(tick) ?? { offer: null, write: null };
		cells.set(tick, cell);
		return cell;
	}
}

function change(cell: Cell, offer: Offer | null): void {
	if (cell.offer?.size === offer?.size && cell.offer?.share === offer?.share) return;
	cell.offer = offer;
	cell.write?.(offer);
}

/** Where a ladder's prices come from. */
interface Source {
	marketId: string;
	runnerId: string;
	/** The deeper levels of the last answer. */
	deep: Depth | null;
	lastTraded: Price | null;
}

const depthNow = ({ marketId, runnerId, deep }: Source): Depth =>
	mergedDepth(livePrices.book(marketId)?.runners.get(runnerId) ?? null, deep);

function useOnBook(marketId: string): (listener: () => void) => () => void {
	return useCallback((listener: () => void) => livePrices.watchBook(marketId, listener), [marketId]);
}

/** Before there is any price. */
const UNKNOWN = 'UNKNOWN';

/** The window of ticks: it moves only on request, never with the prices. */
export function useWindow(ladder: Ladder, source: Source) {
	const { marketId, lastTraded } = source;
	const [held, setHeld] = useState<number | null>(null);
	const best = () => withinLadder(ladder, middleTick(ladder, depthNow(source), lastTraded));
	/** What was traded last may be far from what is offered when the book comes. */
	const isKnown = () => {
		const { back, lay } = depthNow(source);
		return back.length + lay.length > 0;
	};
	/** Until the window stands the tick to hold, then whether the best prices are out of its sight. */
	const now = useSyncExternalStore(useOnBook(marketId), () => {
		if (held !== null) return Math.abs(best() - held) > TICKS_AROUND;
		return isKnown() ? best() : UNKNOWN;
	});
	if (typeof now === 'number') setHeld(now);
	return {
		middle: held ?? (typeof now === 'number' ? now : withinLadder(ladder, middleTick(ladder, NOTHING, lastTraded))),
		isAway: now === true,
		show: (tick: number) => setHeld(withinLadder(ladder, tick)),
		centre: () => setHeld(best()),
	};
}

/** The offers in the window, kept current without rendering. */
export function useOffers(ladder: Ladder, middle: number, { marketId, runnerId, deep }: Source): LadderOffers {
	const [offers] = useState(() => new LadderOffers());
	const onBook = useOnBook(marketId);
	useLayoutEffect(() => {
		const follow = () => {
			const live = livePrices.book(marketId)?.runners.get(runnerId) ?? null;
			offers.show(ladder, middle, mergedDepth(live, deep));
		};
		follow();
		return onBook(follow);
	}, [offers, onBook, ladder, middle, marketId, runnerId, deep]);
	return offers;
}
