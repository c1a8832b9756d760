/** How a server stops: messages that are under way first, then its calls, and at once when it is told a second time. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { HOUR_MS } from '#values/time.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { demoPlayer, type Market, openBetIds, placeBet, restingBet } from './support/player-client.ts';

/** Less than what ends a stop by itself. */
const AT_ONCE_MS = 5_000;
/** Signals that are further apart than those of one Ctrl-C. */
const LATER_MS = 1_000;

let server: FaultyServer | null = null;
afterEach(async () => {
	await server?.dispose();
	server = null;
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<FaultyServer> {
	server = await FaultyServer.start({ args: ['--no-feeds'], environment });
	return server;
}

it('a second signal ends it at once, and the next start has every bet that was answered', async () => {
	const running = await start();
	const market: Market = await running.openMarket();
	const player = await demoPlayer(running);
	const betId = await placeBet(running, player, restingBet(market));
	const { pid, postgres } = running;
	// A drain has to wait for the database.
	postgres.freeze();
	process.kill(pid, 'SIGTERM');
	await delay(LATER_MS);
	process.kill(pid, 'SIGTERM');
	const ended = await Promise.race([running.ended, delay(AT_ONCE_MS, 'waits', { ref: false })]);
	postgres.thaw();
	expect(ended).toEqual({ code: 1, signal: null });
	await running.start();
	expect(await openBetIds(running, player)).toContain(betId);
	expect(await running.failedAuditChecks()).toEqual([]);
});

it('two signals at once, as Ctrl-C sends them through npm, are one: it drains, and stops its database', async () => {
	const { pid, ended, postgres } = await start();
	expect(postgres.postmaster).not.toBeNull();
	process.kill(pid, 'SIGINT');
	process.kill(pid, 'SIGTERM');
	expect(await ended).toEqual({ code: 0, signal: null });
	expect(postgres.postmaster).toBeNull();
});

/** A webhook for alarms: the test answers its first message. */
async function slowWebhook() {
	const asked = Promise.withResolvers<ServerResponse>();
	let count = 0;
	const http = createServer((_, response) => {
		count++;
		if (count === 1) asked.resolve(response);
		else response.end();
	}).listen(0, '127.0.0.1');
	await once(http, 'listening');
	onTestFinished(() => void http.close());
	return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, asked: asked.promise };
}

it('an alarm that is being sent is sent before calls end', { tags: 'thorough' }, async () => {
	const webhook = await slowWebhook();
	const running = await start({ ALARM_WEBHOOK_URL: webhook.url });
	await running.shiftClock(HOUR_MS);
	const response = await webhook.asked;
	const order: string[] = [];
	const ended = running.ended.then((how) => {
		order.push('ended');
		return how;
	});
	process.kill(running.pid, 'SIGTERM');
	await expect.poll(async () => (await fetch(`${running.url}/ready`)).status).toBe(503);
	// Players are served meanwhile.
	expect(await demoPlayer(running)).toBeTruthy();
	order.push('answered');
	response.end();
	expect(await ended).toEqual({ code: 0, signal: null });
	expect(order).toEqual(['answered', 'ended']);
	expect(running.log.tail().filter((line) => line.includes('took no message'))).toEqual([]);
});

it('a webhook that does not answer keeps it from no drain', { tags: 'thorough' }, async () => {
	const webhook = await slowWebhook();
	const running = await start({ ALARM_WEBHOOK_URL: webhook.url });
	await running.shiftClock(HOUR_MS);
	await webhook.asked;
	process.kill(running.pid, 'SIGTERM');
	expect(await running.ended).toEqual({ code: 0, signal: null });
	expect(running.postgres.postmaster).toBeNull();
});
