/** Bets on prices that stood still while the market's own moved. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LIVE_AGE_MS, type MarketBookImage } from '#contract/hub-messages.ts';
import { BookAges } from '#server/exchange/views/book-ages.ts';
import { HubClient } from '../hub/hub-client.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(async () => {
	vi.restoreAllMocks();
	await server.dispose();
});

it('placeBetV2: refusal of a bet on a book that was replaced long ago, unless it is a repetition', async () => {
	const match = await openTestMatch(server);
	const { token } = await server.demoPlayer();
	const client = await HubClient.connect(server.url, token);
	await client.subscribe(`market:${match.marketId}`);
	const offer = async (stake: number) => {
		await server.result('placeBetV2', betOn(match, { price: 5, stake }), token);
		const book = await client.message('MarketBook', ({ runners }) => runners[0]?.lay?.[0]?.size === stake);
		return book.version;
	};
	const seen = await offer(10);
	const bet = { ...betOn(match, { price: 3, stake: 10 }), bookVersion: seen };
	const first = await server.result('placeBetV2', bet, token);
	// The prices move on, and the time with them, while a page shows what it has.
	const now = performance.now.bind(performance);
	vi.spyOn(performance, 'now').mockImplementation(() => now() + 2 * LIVE_AGE_MS);
	await server.result('placeBetV2', betOn(match, { price: 4, stake: 10 }), token);
	await client.message('MarketBook', ({ runners }) => runners[0]?.lay?.length === 3);
	vi.spyOn(performance, 'now').mockImplementation(() => now() + 4 * LIVE_AGE_MS);
	const late = await server.call('placeBetV2', { ...betOn(match, { price: 3, stake: 10 }), bookVersion: seen }, token);
	expect([late.status, late.code]).toEqual([409, 'PRICES_PAUSED']);
	expect(await server.result('placeBetV2', { ...bet, bookVersion: 0 }, token)).toMatchObject({ betId: first.betId });
	const image = (client.received.findLast(({ code }) => code === 'MarketBook')?.data ?? {}) as MarketBookImage;
	const current = { ...betOn(match, { price: 3, stake: 10 }), bookVersion: image.version };
	expect((await server.call('placeBetV2', current, token)).status).toBe(200);
	await client.stop();
});

it('a version is never old before it was replaced for twice the live age, and always after three times that', () => {
	const old = 2 * LIVE_AGE_MS;
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 1, max: 2 * old }), { maxLength: 30 }), (pauses) => {
			let nowMs = 0;
			const ages = new BookAges(() => nowMs);
			const replacedAt: number[] = [];
			for (const pause of pauses) {
				nowMs += pause;
				// A moment passes without news, or brings the next version.
				if (pause % 3 > 0) {
					replacedAt.push(nowMs);
					ages.published('book', replacedAt.length);
				}
				replacedAt.forEach((at, version) => {
					if (nowMs - at < old) expect(ages.isOld('book', version)).toBe(false);
					if (nowMs - at >= 3 * old) expect(ages.isOld('book', version)).toBe(true);
				});
				expect(ages.isOld('book', replacedAt.length)).toBe(false);
			}
		}),
	);
});
