/** A recording in step mode: its time waits for the bot, so that a strategy's result is that of its replay. */
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '#server/process/config.ts';
import { TestServer } from '../support/server.ts';
import { sharedFolder } from '../support/shared-folder.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';

const RECORDINGS = sharedFolder('recordings', 'no bot steps through a recording');
const FILE = join(RECORDINGS.path, '1.200806927-cricket-market.bz2');
const MARKET = '1.200806927';
const feeds = {
	simulatedSports: false,
	recordings: [FILE],
	speed: 1,
	isStepped: true,
	seed: 1,
	mostAnnounced: 0,
	proposedResults: [],
	betfair: null,
};

const opened: TestServer[] = [];
afterEach(async () => {
	for (const server of opened.splice(0)) await server.dispose();
});

async function sandbox(): Promise<{ server: TestServer; bot: Bot }> {
	const server = await TestServer.start(undefined, { feeds });
	opened.push(server);
	return { server, bot: await openBot(server) };
}

/** A strategy that takes prices and leaves orders, by what it sees alone. @returns what it saw, and what came of it */
async function play(stepMs: number): Promise<{ seen: Wire[]; cleared: Wire[]; steps: number }> {
	const { server, bot } = await sandbox();
	const seen: Wire[] = [];
	let steps = 0;
	for (let clock: Wire = { elapsedMs: 0, isEnded: false }; !clock.isEnded; steps++) {
		const priceProjection = { priceData: ['EX_BEST_OFFERS'] };
		const [book] = await result(server, bot, 'listMarketBook', { marketIds: [MARKET], priceProjection });
		const [first, second] = book.runners;
		seen.push([clock.elapsedMs, book.status, book.inplay, first.ex.availableToBack, second.ex.availableToLay]);
		const [best] = first.ex.availableToBack;
		if (book.status === 'OPEN' && best && steps % 5 === 0) {
			const orders = [
				limit(first.selectionId, 'BACK', best.price, 20 + steps),
				limit(second.selectionId, 'LAY', 1.5, 30),
			];
			const placed = await result(server, bot, 'placeOrders', { marketId: MARKET, instructions: orders });
			// No order waits: what it took is matched when it is answered.
			const [taken, left] = [{ status: 'SUCCESS', orderStatus: 'EXECUTION_COMPLETE' }, { status: 'SUCCESS' }];
			const at = `step ${steps}, with a delay of ${book.betDelay} s`;
			expect(placed, at).toMatchObject({ status: 'SUCCESS', instructionReports: [taken, left] });
		}
		clock = await result(server, bot, 'continue', { byMs: stepMs, afterMs: clock.elapsedMs });
	}
	const { clearedOrders } = await result(server, bot, 'listClearedOrders', { betStatus: 'SETTLED' });
	const cleared = clearedOrders.map(({ side, priceMatched, sizeSettled, betOutcome, profit }: Wire) => [
		side,
		priceMatched,
		sizeSettled,
		betOutcome,
		profit,
	]);
	return { seen, cleared, steps };
}

it.skipIf(!RECORDINGS.isPresent)(
	'gives the same bot the same books and the same result twice, with its market settled at the end',
	{ tags: 'thorough' },
	async () => {
		const [once, again] = [await play(600_000), await play(600_000)];
		expect(once.steps).toBeGreaterThan(10);
		expect(once.cleared.length).toBeGreaterThan(2);
		expect(once.seen.some(([, , inplay]: Wire) => inplay)).toBe(true);
		expect(again).toEqual(once);
	},
);

it.skipIf(!RECORDINGS.isPresent)(
	'holds the market at its start until it is told to go on, once for each call, however calls repeat',
	async () => {
		const { bot } = await sandbox();
		let [server] = opened as [TestServer];
		const book = async () => (await result(server, bot, 'listMarketBook', { marketIds: [MARKET] }))[0];
		const atStart = await book();
		expect(atStart).toMatchObject({ status: 'OPEN', inplay: false });
		const step = (asked: object) => result(server, bot, 'continue', asked);
		const first = await step({ afterMs: 0 });
		expect(first).toEqual({ elapsedMs: expect.any(Number), isEnded: false });
		expect(first.elapsedMs).toBeGreaterThan(0);
		// An answer that was lost: the call is repeated, also several times at once.
		for (const repeated of await Promise.all([1, 2, 3].map(() => step({ afterMs: 0 }))))
			expect(repeated).toEqual(first);
		const [second, ...others] = await Promise.all([1, 2, 3].map(() => step({ afterMs: first.elapsedMs, byMs: 1_000 })));
		for (const one of [second, ...others]) expect(one.elapsedMs).toBe(first.elapsedMs + 1_000);
		// A server that starts again goes on where the recording was, with a clock from 0.
		await step({ byMs: 600_000 });
		const { inplay, version } = await book();
		expect(inplay).toBe(true);
		await server.stop();
		server = await TestServer.start(server.database, { feeds });
		opened.splice(0, 1, server);
		expect(await book()).toMatchObject({ inplay: true, betDelay: 0 });
		expect((await book()).version).toBeGreaterThanOrEqual(version);
		expect((await step({ afterMs: second.elapsedMs })).elapsedMs).toBe(0);
		expect((await step({ afterMs: 0 })).elapsedMs).toBeGreaterThan(0);
	},
);

it('needs a recording, and has no clock to answer where time runs by itself', async () => {
	expect(() => readConfig(['--step'], {}, '/nonexistent')).toThrow('--step needs a recording');
	const server = await TestServer.start();
	onTestFinished(() => server.dispose());
	expect(await result(server, await openBot(server), 'continue', {})).toEqual({ elapsedMs: null, isEnded: true });
});
