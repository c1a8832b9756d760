/** Whether a market takes bets at this moment: never at prices that no live line confirms. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LIVE_AGE_MS } from '#contract/hub-messages.ts';
import { isPausedNow, takesBetsNow } from '#web/live/market-now.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';
import type { MarketBookImage } from '#web/live/prices/price-book.ts';
import { channels } from '#web/store/channels.ts';
import { messageInside } from '../support/inside.ts';

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date'] });
	// The hub listens, if another file of the worker made it.
	vi.stubGlobal('document', { hidden: false });
	vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

const imageOf = (marketId: string): MarketBookImage =>
	messageInside('MarketBook', {
		kind: 'IMAGE',
		clock: 0,
		marketId,
		version: 1,
		status: 'OPEN',
		inPlay: false,
		totalMatched: 0,
		runners: [
			{
				runnerId: 'a',
				status: 'ACTIVE',
				lastPriceTraded: null,
				totalMatched: 0,
				back: [{ price: 2, size: 10 }],
				lay: [],
			},
		],
	}) as MarketBookImage;

/** The page watches it, the server has acknowledged that, and its image has come. */
function followed(marketId: string): void {
	channels.subscribe(`market:${marketId}`);
	channels.name(1);
	channels.acknowledge(`market:${marketId}`, 1);
	livePrices.receive(imageOf(marketId));
	channels.review();
}

const now = (marketId: string) => ({ takesBets: takesBetsNow(marketId), isPaused: isPausedNow(marketId) });
const TAKES = { takesBets: true, isPaused: false };
const PAUSED = { takesBets: false, isPaused: true };

it('takes bets while the line confirms the prices, and none once the connection is lost', () => {
	expect(now('lost')).toEqual(PAUSED);
	followed('lost');
	expect(now('lost')).toEqual(TAKES);
	channels.refuseAll();
	channels.review();
	expect(now('lost')).toEqual(PAUSED);
});

it('takes none once the line is silent for longer than the stated age, until a heartbeat confirms the prices', () => {
	followed('silent');
	vi.setSystemTime(Date.now() + LIVE_AGE_MS);
	channels.review();
	expect(now('silent')).toEqual(PAUSED);
	channels.vouch();
	channels.review();
	expect(now('silent')).toEqual(TAKES);
});
