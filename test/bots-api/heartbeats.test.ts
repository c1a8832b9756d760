/** Bots that fall silent: their player's unmatched bets are cancelled once, by whichever process looks, and they are told. */
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { Heartbeats } from '#server/doors/bots-api/heartbeats.ts';
import { type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, result, rpc } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';

let server: TestServer;
let match: TestMatch;
let bot: Bot;
let rival: Bot;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival] = [await openBot(server), await openBot(server)];
	match = await openTestMatch(server);
});

const beat = async (of: Bot, preferredTimeoutSeconds: number) =>
	await result(server, of, 'heartbeat', { preferredTimeoutSeconds });
const actionOf = async (of: Bot): Promise<string> => (await beat(of, 0)).actionPerformed;
const place = (of: Bot) =>
	result(server, of, 'placeOrders', { marketId: `1.${match.marketId}`, instructions: [limit(1, 'BACK', 9, 20)] });
const waiting = (of: Bot) =>
	server.running.exchange.openBets(of.userId).filter(({ remaining }) => remaining > 0).length;

/** Another process on the same ledger that looks often, and from its start on. */
function watching(now = () => server.running.exchange.now()): Heartbeats {
	const { exchange } = server.running;
	const heartbeats = new Heartbeats({
		exchange: {
			submit: (request, key) => exchange.submit(request, key),
			openBets: (walletId) => exchange.openBets(walletId),
			isOpen: () => exchange.isOpen(),
			now,
		},
		db: server.database.db,
		log: pino({ enabled: false }),
		graceMs: 0,
		lookEveryMs: 10,
	});
	onTestFinished(() => heartbeats.stop());
	return heartbeats;
}

/** The deadline passes. @param cancelling a cancellation that another process claimed and did not finish */
async function fallSilent(of: Bot, cancelling: number | null = null): Promise<void> {
	await server.database.db.query(
		cancelling === null
			? 'update bot_heartbeat set due_at = at - 1 where player_id = $1 and due_at is not null'
			: `update bot_heartbeat set due_at = null, cancelling = ${cancelling}, action = 'CANCELLATION_REQUEST_SUBMITTED'
			   where player_id = $1`,
		[of.userId],
	);
}
async function isDone(of: Bot): Promise<void> {
	const open = async () => {
		const { rows } = await server.database.db.query(
			'select from bot_heartbeat where player_id = $1 and (cancelling is not null or due_at <= at)',
			[of.userId],
		);
		return rows.length;
	};
	await expect.poll(open).toBe(0);
}

it('brings the time within the limits, refuses what is no time, and takes no heartbeat from a key that may only read', async () => {
	for (const [preferred, actual] of [
		[5, 10],
		[10, 10],
		[300, 300],
		[400, 300],
		[0, 0],
	] as const)
		expect(await beat(bot, preferred)).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: actual });
	const refused = await rpc(server, bot, 'heartbeat', { preferredTimeoutSeconds: -1 });
	expect(refused.error).toMatchObject({
		message: 'HBT-0001',
		data: { APINGException: { errorCode: 'INVALID_INPUT_DATA' } },
	});
	expect((await rpc(server, bot, 'heartbeat', {})).error.message).toBe('DSC-0018');
	const reader = await openBot(server, { mayTrade: false });
	const denied = await rpc(server, reader, 'heartbeat', { preferredTimeoutSeconds: 10 });
	expect(denied.error.data.APINGException.errorCode).toBe('ACCESS_DENIED');
});

it('cancels what the silent bot’s player has unmatched and nothing else, says so once, and is unregistered then', async () => {
	for (const of of [bot, rival]) await place(of);
	await beat(bot, 10);
	watching().start();
	await fallSilent(bot);
	await expect.poll(() => waiting(bot)).toBe(0);
	await isDone(bot);
	expect([waiting(bot), waiting(rival)]).toEqual([0, 1]);
	await place(bot);
	expect([await actionOf(bot), await actionOf(bot)]).toEqual(['ALL_BETS_CANCELLED', 'NONE']);
	await fallSilent(bot);
	await isDone(bot);
	expect(waiting(bot)).toBe(1);
	await result(server, bot, 'cancelOrders', {});
});

it('goes on with a cancellation that another process did not finish, once, however often it is found unfinished', async () => {
	await place(bot);
	await beat(bot, 10);
	const claimed = 1_700_000_000_000;
	await fallSilent(bot, claimed);
	// A bot that is heard of in between is told that it was too late.
	expect(await actionOf(bot)).toBe('CANCELLATION_REQUEST_SUBMITTED');
	watching().start();
	await expect.poll(() => waiting(bot)).toBe(0);
	await isDone(bot);
	expect(await actionOf(bot)).toBe('NONE');
	// The process that cancelled died before it said so. What was placed since stays.
	await place(bot);
	await fallSilent(bot, claimed);
	await isDone(bot);
	expect([waiting(bot), await actionOf(bot)]).toEqual([1, 'SOME_BETS_NOT_CANCELLED']);
	await result(server, bot, 'cancelOrders', {});
});

it('gives every bot time again after the process stood still: their heartbeats waited with it', async () => {
	const healthy = await openBot(server);
	const { exchange } = server.running;
	let [nowMs, looks] = [exchange.now(), 0];
	const heartbeats = new Heartbeats({
		exchange: {
			submit: (request, key) => exchange.submit(request, key),
			openBets: (walletId) => exchange.openBets(walletId),
			isOpen: () => {
				looks += 1;
				return true;
			},
			now: () => nowMs,
		},
		db: server.database.db,
		log: pino({ enabled: false }),
		graceMs: 3_000,
		lookEveryMs: 10,
	});
	onTestFinished(() => heartbeats.stop());
	/** A whole look happens at that time, or at once after it stood still until then. */
	const pass = async (ms: number): Promise<void> => {
		nowMs += ms;
		const before = looks;
		await expect.poll(() => looks).toBeGreaterThan(before + 2);
	};
	await place(healthy);
	heartbeats.start();
	for (let second = 0; second < 5; second++) await pass(1_000);
	await heartbeats.beat(healthy.userId, 10);
	await pass(20_000);
	expect([await heartbeats.beat(healthy.userId, 10), waiting(healthy)]).toEqual(['NONE', 1]);
	for (let second = 0; second < 12; second++) await pass(1_000);
	await expect.poll(() => waiting(healthy)).toBe(0);
});

it('a heartbeat that a deposed process writes late does not arm the watch again', async () => {
	const earlier = server.running.exchange.now() - 1_000;
	const deposed = watching(() => earlier);
	await beat(bot, 0);
	await deposed.beat(bot.userId, 10);
	const { rows } = await server.database.db.query('select due_at from bot_heartbeat where player_id = $1', [
		bot.userId,
	]);
	expect(rows).toEqual([{ due_at: null }]);
});

onSeeds(
	[11, 12, 13],
	'a bot that is told of no action has its bets, whenever its heartbeats come and whichever of two processes looks (seed %i)',
	async (seed) => {
		let state = seed;
		const below = (most: number) => {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			return state % most;
		};
		for (const heartbeats of [watching(), watching()]) heartbeats.start();
		const outcomes = { kept: 0, cancelled: 0 };
		for (let round = 0; round < 25; round++) {
			await place(bot);
			await beat(bot, 10);
			const silent = delay(below(12)).then(() => fallSilent(bot));
			const late = Array.from({ length: 1 + below(3) }, async () => {
				await delay(below(40));
				return (await beat(bot, 10)).actionPerformed as string;
			});
			const told = await Promise.all(late);
			await silent;
			told.push(await actionOf(bot));
			await isDone(bot);
			told.push(await actionOf(bot));
			const isTold = told.some((action) => action !== 'NONE');
			expect([waiting(bot) === 0, told]).toEqual([isTold, told]);
			outcomes[isTold ? 'cancelled' : 'kept'] += 1;
			await result(server, bot, 'cancelOrders', {});
		}
		expect(Math.min(outcomes.kept, outcomes.cancelled)).toBeGreaterThan(0);
	},
	'thorough',
);
