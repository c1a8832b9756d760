/** Live prices: what cells are told, how often, and what happens when a message is missing. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketBookDelta, MarketBookImage } from '#web/live/prices/price-book.ts';
import { PriceStore } from '#web/live/prices/price-store.ts';
import { messageInside } from '../support/inside.ts';

let store: PriceStore;
let frame: (() => void)[];
let asked: string[];

/** Runs the callbacks of the next animation frame. */
const nextFrame = () => {
	for (const deliver of frame.splice(0)) deliver();
};

const image = (version: number, price: number, size: number): MarketBookImage =>
	messageInside('MarketBook', {
		kind: 'IMAGE',
		clock: 0,
		marketId: 'm',
		version,
		status: 'OPEN',
		inPlay: false,
		totalMatched: 0,
		runners: [
			{ runnerId: 'a', status: 'ACTIVE', lastPriceTraded: null, totalMatched: 0, back: [{ price, size }], lay: [] },
			{
				runnerId: 'b',
				status: 'ACTIVE',
				lastPriceTraded: null,
				totalMatched: 0,
				back: [{ price: 4, size: 1 }],
				lay: [],
			},
		],
	}) as MarketBookImage;
const delta = (from: number, version: number, price: number): MarketBookDelta =>
	messageInside('MarketBook', {
		kind: 'DELTA',
		marketId: 'm',
		from,
		version,
		clock: 0,
		runners: [{ runnerId: 'a', back: [{ price, size: 5 }] }],
	}) as MarketBookDelta;

beforeEach(() => {
	frame = [];
	asked = [];
	store = new PriceStore({ schedule: (deliver) => frame.push(deliver), onGap: (marketId) => asked.push(marketId) });
});

describe('a cell', () => {
	it('is notified once a frame, with the last of many changes and the direction of the price', () => {
		store.receive(image(1, 2, 10));
		nextFrame();
		let told = 0;
		store.watchCell('m', 'a', 'back', 0, () => {
			told += 1;
		});
		expect(store.cell('m', 'a', 'back', 0)).toMatchObject({ price: 200, size: 1000 });
		store.receive(delta(1, 2, 2.02));
		store.receive(delta(2, 3, 2.04));
		store.receive(delta(3, 4, 1.98));
		nextFrame();
		expect(told).toBe(1);
		expect(store.cell('m', 'a', 'back', 0)).toMatchObject({ price: 198, size: 500, move: -1 });
	});

	it('is not notified of changes elsewhere, and keeps its object', () => {
		store.receive(image(1, 2, 10));
		nextFrame();
		let told = 0;
		store.watchCell('m', 'b', 'back', 0, () => {
			told += 1;
		});
		const before = store.cell('m', 'b', 'back', 0);
		store.receive(delta(1, 2, 3));
		nextFrame();
		expect(told).toBe(0);
		expect(store.cell('m', 'b', 'back', 0)).toBe(before);
	});
});

describe('a missing message', () => {
	it('stops belief in the market, asks for its image once, and believes again when that comes', () => {
		store.receive(image(1, 2, 10));
		store.watchHead('m', () => {});
		store.receive(delta(5, 6, 9));
		store.receive(delta(6, 7, 9.2));
		nextFrame();
		expect(asked).toEqual(['m']);
		expect(store.head('m')?.whole).toBe(false);
		expect(store.best('m', 'a', 'back')?.price).toBe(200);
		store.receive(image(7, 3, 1));
		nextFrame();
		expect(store.head('m')?.whole).toBe(true);
		expect(store.best('m', 'a', 'back')?.price).toBe(300);
	});

	it('is none when an old one comes twice', () => {
		store.receive(image(3, 2, 10));
		store.receive(delta(1, 2, 8));
		expect(asked).toEqual([]);
		expect(store.best('m', 'a', 'back')?.price).toBe(200);
	});
});

describe('an image of a call', () => {
	it('loses against a newer pushed one', () => {
		store.receive(image(9, 2, 10));
		store.receiveImage(image(8, 5, 10), false);
		expect(store.best('m', 'a', 'back')?.price).toBe(200);
	});

	it('is shown and not trusted, and a change of it makes the store ask for the hub’s', () => {
		store.receiveImage(image(3, 2, 10), false);
		expect(store.book('m')?.proved).toBe(false);
		store.receive(delta(3, 4, 5));
		expect([asked, store.best('m', 'a', 'back')?.price]).toEqual([['m'], 200]);
		store.receive(image(2, 6, 10));
		expect(store.book('m')).toMatchObject({ proved: true, version: 2 });
	});
});

describe('a market that the hub no longer sends', () => {
	it('keeps its prices, which its head no longer vouches for, until its next image', () => {
		store.receive(image(3, 2, 10));
		store.watchHead('m', () => {});
		nextFrame();
		store.unprove(['m', 'unknown']);
		nextFrame();
		expect([store.head('m')?.whole, store.best('m', 'a', 'back')?.price]).toEqual([false, 200]);
		store.receive(delta(3, 4, 5));
		store.receive(image(1, 7, 10));
		nextFrame();
		expect([store.head('m')?.whole, asked]).toEqual([true, []]);
	});
});

describe('the head', () => {
	it('adds up the book, and has no percentage while a runner has no price', () => {
		store.receive(image(1, 2, 10));
		store.watchHead('m', () => {});
		nextFrame();
		// 100/2 + 100/4
		expect(store.head('m')).toMatchObject({ backPercent: 75, layPercent: null });
	});
});

describe('a market that was left', () => {
	const inUse = new Set<string>();
	const forget = () => store.forgetIdle((marketId) => inUse.has(marketId));

	it('is kept while it has followers or watchers, and a while longer', () => {
		store.receive(image(1, 2, 10));
		inUse.add('m');
		const leave = store.watchHead('m', () => {});
		for (const last of [() => inUse.clear(), leave]) {
			forget();
			forget();
			last();
		}
		forget();
		expect(store.best('m', 'a', 'back')?.price).toBe(200);
		forget();
		expect(store.book('m')).toBeNull();
	});

	it('is kept when a follower returns in time', () => {
		store.receive(image(1, 2, 10));
		forget();
		const leave = store.watchCell('m', 'a', 'back', 0, () => {});
		forget();
		leave();
		forget();
		expect(store.best('m', 'a', 'back')?.price).toBe(200);
	});
});
