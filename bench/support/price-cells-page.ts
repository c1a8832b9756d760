/**
 * The page of `bench price-cells`, which builds it and runs it in a browser: 600 cells by the site's own store, hooks
 * and price buttons, or by direct writes to the same elements (`?cells=site` or `?cells=direct`). With `&rows` they are
 * laid out as on a phone: a pair in each row of a page that scrolls.
 */
import { createElement, Fragment, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/styles.css';
import '#web/features/market/market.css';
import { flash } from '#ui/flash-sweeper.ts';
import { PriceButton } from '#ui/price-button.tsx';
import { type Minor, ZERO } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { formatCompact, formatPrice } from '#web/format.ts';
import { livePrices, useCellPrice } from '#web/live/prices/live-prices.ts';
import { type Level, type MarketBookDelta } from '#web/live/prices/price-book.ts';

const MARKETS = 25;
const RUNNERS = 4;
const LEVELS = [1, 2, 3] as const;
const SIDES = ['back', 'lay'] as const;
const UPDATES_PER_SECOND = 2000;
const TICK_MS = 10;

const ROW_CLASS = 'market-grid market-row';
const asked = new URLSearchParams(location.search);
const inRows = asked.has('rows');

type BookSide = (typeof SIDES)[number];
const sideName = (side: BookSide) => (side === 'back' ? 'BACK' : 'LAY');
const labelOf = (side: BookSide, price: Price, size: Minor) =>
	`${sideName(side)} a runner ${formatPrice(price)}, ${formatCompact(size)} available`;

/** Always the same walk: prices that move every time, with two decimals, and sizes beside them. */
let step = 0;
function nextLevel(level: number): Level {
	step++;
	return {
		price: (200 + ((step * 7) % 60) + level * 2) as Price,
		size: (10_000 + ((step * 37) % 9000) * 100) as Minor,
	};
}

const levelsNow = () => LEVELS.map(nextLevel);

interface Update {
	market: number;
	runner: number;
	side: BookSide;
	levels: Level[];
}

/** One side of one runner, as a delta of the hub replaces it: three cells. */
let turn = 0;
function nextUpdate(): Update {
	const at = turn++ % (MARKETS * RUNNERS * 2);
	return {
		market: Math.floor(at / (RUNNERS * 2)),
		runner: Math.floor(at / 2) % RUNNERS,
		side: SIDES[at % 2] as BookSide,
		levels: levelsNow(),
	};
}

function SiteCell(at: { market: string; runner: string; side: BookSide; level: 1 | 2 | 3 }): ReactElement {
	const cell = useCellPrice(at.market, at.runner, at.side, at.level - 1);
	return createElement(PriceButton, {
		side: sideName(at.side),
		level: at.level,
		price: cell ? formatPrice(cell.price) : null,
		size: cell ? formatCompact(cell.size) : null,
		label: cell ? labelOf(at.side, cell.price, cell.size) : '',
		move: cell?.move ?? 0,
		changeCount: cell?.changeCount ?? 0,
		pressed: false,
		disabled: false,
		own: false,
		onPress: () => undefined,
	});
}

/** The cells a row holds: both sides of a level. */
function* allRows() {
	for (let market = 0; market < MARKETS; market++)
		for (let runner = 0; runner < RUNNERS; runner++)
			for (const level of LEVELS) yield SIDES.map((side) => ({ market, runner, side, level }));
}

function showSite(root: HTMLElement): (updates: Update[]) => void {
	const versions = Array.from({ length: MARKETS }, () => 1);
	for (let market = 0; market < MARKETS; market++) {
		const runners = Array.from({ length: RUNNERS }, (_, runner) => ({
			runnerId: String(runner),
			status: 'ACTIVE' as const,
			lastPriceTraded: null,
			totalMatched: ZERO,
			back: levelsNow(),
			lay: levelsNow(),
		}));
		const image = {
			marketId: String(market),
			version: 1,
			status: 'OPEN',
			inPlay: true,
			totalMatched: ZERO,
			runners,
		} as const;
		livePrices.receiveImage({ ...image, runners }, true);
	}
	const rows = [...allRows()].map((row, at) => {
		const cells = row.map(({ market, runner, side, level }) =>
			createElement(SiteCell, { key: side, market: String(market), runner: String(runner), side, level }),
		);
		return inRows
			? createElement('div', { key: at, className: ROW_CLASS, 'data-levels': 1 }, createElement('span'), cells)
			: createElement(Fragment, { key: at }, cells);
	});
	createRoot(root).render(rows);
	return (updates) => {
		for (const { market, runner, side, levels } of updates) {
			const from = versions[market] as number;
			versions[market] = from + 1;
			const delta: MarketBookDelta = {
				kind: 'DELTA',
				marketId: String(market),
				from,
				version: from + 1,
				clock: 0,
				runners: [{ runnerId: String(runner), [side]: levels }],
			};
			livePrices.receive(delta);
		}
	};
}

/** The least work: writes the texts of the changed cells as they come, and the mark of the move. */
function showDirect(root: HTMLElement): (updates: Update[]) => void {
	const cells = new Map<string, { button: HTMLElement; label: Text; price: Text; size: Text; was: number }>();
	for (const row of allRows()) {
		const holder = inRows ? root.appendChild(document.createElement('div')) : root;
		if (inRows) {
			holder.className = ROW_CLASS;
			holder.dataset['levels'] = '1';
			holder.append(document.createElement('span'));
		}
		for (const { market, runner, side, level } of row) {
			const button = document.createElement('button');
			button.className = 'price';
			button.dataset['side'] = sideName(side);
			button.dataset['level'] = String(level);
			button.innerHTML = '<span class="unseen">x</span><b aria-hidden="true">x</b><small aria-hidden="true">x</small>';
			holder.append(button);
			const [label, price, size] = [...button.children].map((child) => child.firstChild as Text) as [Text, Text, Text];
			cells.set(`${market}.${runner}.${side}.${level}`, { button, label, price, size, was: 0 });
		}
	}
	return (updates) => {
		for (const { market, runner, side, levels } of updates) {
			levels.forEach(({ price, size }, at) => {
				const cell = cells.get(`${market}.${runner}.${side}.${at + 1}`);
				if (!cell) return;
				cell.price.data = formatPrice(price);
				cell.size.data = formatCompact(size);
				cell.label.data = labelOf(side, price, size);
				if (cell.was !== 0 && cell.was !== price) flash(cell.button, price > cell.was ? 1 : -1);
				cell.was = price;
			});
		}
	};
}

const root = document.createElement('main');
if (!inRows) root.style.cssText = 'display:grid;grid-template-columns:repeat(24,1fr);gap:4px';
document.body.append(root);
const send = asked.get('cells') === 'site' ? showSite(root) : showDirect(root);

// Timers are late on a busy machine: all due updates are sent, so that both ways get the same number.
const begun = performance.now();
/** Cells updated so far, for the bench to read. */
let told = 0;
setInterval(() => {
	const due = Math.floor(((performance.now() - begun) / 1000) * UPDATES_PER_SECOND);
	const updates: Update[] = [];
	for (; told < due; told += LEVELS.length) updates.push(nextUpdate());
	send(updates);
	root.dataset['told'] = String(told);
}, TICK_MS);
