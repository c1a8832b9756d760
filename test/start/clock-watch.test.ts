/** The drift of the machine's clock against others, and its jumps, as the doctor and the journal have them. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ClockWatch } from '#server/process/health/clock-watch.ts';
import { HOUR_MS } from '#values/time.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

const NTP_EPOCH_SECONDS = 2_208_988_800;

/** An NTP server whose clock is late by some time. */
async function ntpServer(lateMs: number, stratum = 2): Promise<string> {
	const socket = createSocket('udp4');
	socket.on('message', (question, { port, address }) => {
		const answer = Buffer.alloc(48);
		answer[0] = ((question[0] ?? 0) & 0b111000) | 4;
		answer[1] = stratum;
		const seconds = (Date.now() - lateMs) / 1000 + NTP_EPOCH_SECONDS;
		for (const at of [32, 40]) {
			answer.writeUInt32BE(Math.floor(seconds), at);
			answer.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4);
		}
		socket.send(answer, port, address);
	});
	socket.bind(0, '127.0.0.1');
	await once(socket, 'listening');
	onTestFinished(() => void socket.close());
	return `ntp://127.0.0.1:${socket.address().port}`;
}

async function httpServer(lateMs: number): Promise<string> {
	const server = createServer((_, response) => {
		response.sendDate = false;
		response.setHeader('Date', new Date(Date.now() - lateMs).toUTCString()).end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

type Recorded = [act: string, subject: string, details: object];

function watchOf(timeSource: string | null) {
	const recorded: Recorded[] = [];
	const now = { wallMs: Date.parse('2026-11-26T12:00:00Z'), monotonicMs: 0 };
	const records = { add: (...row: Recorded) => void recorded.push(row) };
	const clock = { wallMs: () => now.wallMs, monotonicMs: () => now.monotonicMs };
	const watch = new ClockWatch({ db: database.db, timeSource, records, clock });
	return { watch, recorded, now };
}

it.each([
	['an NTP server', ntpServer],
	['an HTTP server', httpServer],
])('a machine that is minutes ahead of %s is failing, whatever the database says', async (_, open) => {
	const { watch } = watchOf(await open(180_000));
	expect(await watch.look()).toMatchObject({ state: 'failing', words: expect.stringContaining('TIME_SOURCE') });
	// The Date of HTTP has whole seconds.
	expect(Math.abs((watch.drifts['source'] ?? 0) - 180_000)).toBeLessThan(2_000);
	expect(Math.abs(watch.drifts['database'] ?? Number.NaN)).toBeLessThan(2_000);
});

it.each([
	['an NTP server', ntpServer],
	['an HTTP server', httpServer],
])('a machine that has the time of %s is well', async (_, open) => {
	expect(await watchOf(await open(0)).watch.look()).toMatchObject({ state: 'ok' });
});

it('a source that has no time is a warning, and the database is compared nevertheless', async () => {
	const { watch } = watchOf(await ntpServer(0, 0));
	expect(await watch.look()).toMatchObject({ state: 'warning', words: expect.stringContaining('gave no time') });
	expect(Object.keys(watch.drifts)).toEqual(['database']);
});

it('a jump is recorded once, forwards and backwards, and a slow correction is none', async () => {
	const { watch, recorded, now } = watchOf(null);
	const after = async (passedMs: number, jumpMs: number) => {
		now.monotonicMs += passedMs;
		now.wallMs += passedMs + jumpMs;
		await watch.look();
	};
	await after(0, 0);
	// NTP corrects half a millisecond a second at most.
	for (let look = 0; look < 100; look++) await after(30_000, 15);
	expect(recorded.filter(([act]) => act === 'clock-jumped')).toEqual([]);
	await after(30_000, 5_000);
	await after(30_000, 0);
	await after(30_000, -90_000);
	expect(recorded.filter(([act]) => act === 'clock-jumped')).toEqual([
		['clock-jumped', 'clock', { byMs: 5_000 }],
		['clock-jumped', 'clock', { byMs: -90_000 }],
	]);
});

it('the journal has the course of the drift once an hour, by a clock that is never set', async () => {
	const { watch, recorded, now } = watchOf(await ntpServer(0));
	for (const atMs of [0, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS - 1]) {
		now.monotonicMs = atMs;
		now.wallMs -= HOUR_MS;
		await watch.look();
	}
	const measured = recorded.filter(([act]) => act === 'clock-measured');
	expect(measured).toHaveLength(2);
	for (const [, , details] of measured) {
		const course = { least: expect.any(Number), most: expect.any(Number), last: expect.any(Number) };
		expect(details).toEqual({ database: course, source: course });
	}
});
