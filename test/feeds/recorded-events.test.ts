/** Recorded events played side by side in the real exchange: the recordings at hand, and files written by hand. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningFeed } from '#server/feeds/fixture-market.ts';
import { startRecordedEvents } from '#server/feeds/recorded-events.ts';
import { CRICKET, HORSE_RACING } from '#values/sports.ts';
import { audit } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { TestServer } from '../support/server.ts';

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared', 'recordings');
const present = existsSync(SHARED);
if (!present) console.warn('No recordings here: the test that plays all of them is skipped.');

const START = Date.parse('2024-05-01T12:00:00.000Z');

let server: TestServer;
let folder: string;
let feed: RunningFeed | null = null;
let warnings: string[] = [];
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backlay-recordings-'));
	warnings = [];
});
afterEach(async () => {
	await feed?.stop();
	feed = null;
	rmSync(folder, { recursive: true });
});

async function play(speed: number, ...recordings: string[]): Promise<void> {
	const parts = await feedParts(server, speed);
	const log = pino(
		{ level: 'warn' },
		{ write: (line: string) => warnings.push((JSON.parse(line) as { msg: string }).msg) },
	);
	feed = await startRecordedEvents({ ...parts, log, recordings });
}

const recorded = () => server.running.fixtures.all().filter(({ source }) => source === 'recording');
const marketsOf = (fixtureId: number) =>
	server.running.fixtures
		.markets(fixtureId)
		.map(({ id, name }) => ({ name, state: server.running.exchange.market(id) }));
const fixtureNamed = async (title: string, status: string): Promise<number> => {
	await expect
		.poll(() => recorded().find((fixture) => fixture.title === title)?.status, { timeout: 30_000 })
		.toBe(status);
	return recorded().find((fixture) => fixture.title === title)?.id ?? 0;
};

/** A market between two, from a minute before play to its result five minutes later. */
function lines({
	id,
	names = ['Kites', 'Bulls'],
	event = id,
	type = 'MATCH_ODDS',
}: {
	id: string;
	names?: string[];
	event?: string;
	type?: string;
}): string[] {
	const definition = (changes: object) => ({
		status: 'OPEN',
		inPlay: false,
		betDelay: 5,
		numberOfWinners: 1,
		marketTime: new Date(START).toISOString(),
		marketType: type,
		eventTypeId: '4',
		eventId: event,
		runners: names.map((name, at) => ({ id: at + 1, name, status: 'ACTIVE', sortPriority: at + 1 })),
		...changes,
	});
	const message = (minute: number, change: object) =>
		JSON.stringify({ op: 'mcm', pt: START + minute * 60_000, futureField: true, mc: [{ id, ...change }] });
	const ended = names.map((name, at) => ({
		id: at + 1,
		name,
		status: at === 0 ? 'WINNER' : 'LOSER',
		sortPriority: at + 1,
	}));
	return [
		message(-1, { img: true, marketDefinition: definition({}), rc: [{ id: 1, atb: [[2, 50]], atl: [[2.1, 50]] }] }),
		message(0, { marketDefinition: definition({ inPlay: true }) }),
		message(1, {
			rc: [
				{
					id: 1,
					atb: [[1.5, 50]],
					atl: [
						[2.1, 0],
						[1.6, 50],
					],
				},
			],
		}),
		message(5, { marketDefinition: definition({ inPlay: true, status: 'CLOSED', runners: ended }) }),
	];
}

function written(name: string, content: string | Uint8Array): string {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
}

describe.skipIf(!present)('all recordings at hand', () => {
	it('play side by side, each under its own name, to their results', { timeout: 120_000 }, async () => {
		await play(2000, SHARED);
		const opened = recorded();
		expect(opened.map(({ sportId }) => sportId).sort()).toEqual([HORSE_RACING, HORSE_RACING, CRICKET]);
		expect(new Set(opened.map(({ title }) => title)).size).toBe(3);
		expect(opened.map(({ title }) => title)).toContain('Netherlands v Papua New Guinea');
		// On one clock: all of them begin together, although years lie between them.
		const starts = opened.map(({ startsAtMs }) => startsAtMs);
		expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(2000);
		await expect
			.poll(() => recorded().map(({ status }) => status), { timeout: 100_000 })
			.toEqual(Array(3).fill('FINISHED'));
		const markets = opened.flatMap(({ id }) => marketsOf(id));
		expect(markets.map(({ name }) => name).sort()).toEqual(['Match Odds', 'To be placed (3 places)', 'Win']);
		for (const { name, state } of markets) {
			expect([name, state?.status]).toEqual([name, 'SETTLED']);
			expect(state?.results?.filter((result) => result === 'WIN')).toHaveLength(name.startsWith('To be') ? 3 : 1);
			expect(state?.removed).toHaveLength(name === 'Win' ? 2 : 0);
		}
		expect(warnings).toEqual([]);
		expect((await audit(server.database.url)).code).toBe(0);
	});
});

describe('several files', () => {
	it('of one event are one fixture, of two events two', async () => {
		written('1.11', lines({ id: '1.11', event: 'a' }).join('\n'));
		written('toss.gz', gzipSync(lines({ id: '1.12', event: 'a', type: 'TO_WIN_THE_TOSS' }).join('\n')));
		written('other.jsonl', lines({ id: '1.13', event: 'b', names: ['Foxes', 'Storks'] }).join('\n'));
		written('notes.md', 'No recording, and left alone.');
		await play(60, folder);
		const first = await fixtureNamed('Kites v Bulls', 'IN_PLAY');
		expect(marketsOf(first).map(({ name }) => name)).toEqual(['Match Odds', 'to win the toss']);
		expect(marketsOf(await fixtureNamed('Foxes v Storks', 'IN_PLAY'))).toHaveLength(1);
	});

	it('go on after a restart where they were', async () => {
		const file = written('1.21', lines({ id: '1.21', names: ['Larks', 'Cranes'] }).join('\n'));
		await play(60, file);
		const before = await fixtureNamed('Larks v Cranes', 'IN_PLAY');
		await feed?.stop();
		await play(6000, file);
		expect(await fixtureNamed('Larks v Cranes', 'FINISHED')).toBe(before);
		await feed?.stop();
		// One that is over is played anew, as another fixture.
		await play(60, file);
		expect(recorded().filter(({ title }) => title === 'Larks v Cranes')).toHaveLength(2);
	});
});

describe('bad recordings', () => {
	const whole = () => lines({ id: '1.31' }).join('\n');

	it.each([
		['an empty file', () => written('1.31', ''), /1\.31 is empty\.$/],
		[
			'a file that is no recording',
			() => written('1.31', 'Dear Sir,\nplease find enclosed'),
			/line 1 holds no message/,
		],
		['JSON that is no stream', () => written('1.31', '{"a":1}\n{"b":2}'), /line 1 holds no message/],
		['a stream without markets', () => written('1.31', '{"op":"connection"}\n'), /holds no market and no score/],
		[
			'a damaged line in the middle',
			() => written('1.31', whole().replace('"inPlay":true', '')),
			/line 2|line 3|line 4|no message/,
		],
		[
			'a packed file cut before its first line',
			() => written('1.31.bz2', Buffer.from('BZh91AY&SY')),
			/cut short before/,
		],
		['a file that is not there', () => join(folder, 'nothing.bz2'), /nothing\.bz2 cannot be read/],
		['a folder without recordings', () => folder, /holds no recordings/],
		[
			'scores of a market that is not there',
			() => written('1.31', JSON.stringify({ op: 'ccm', pt: START, cc: [{ marketId: '1.9' }] })),
			/scores of no market/,
		],
	])('are refused with a word on which and why: %s', async (_, file, sentence) => {
		await expect(play(60, file())).rejects.toThrow(sentence);
	});

	it('are refused when the same market is in two files', async () => {
		written('1.31', whole());
		written('copy.jsonl', whole());
		await expect(play(60, folder)).rejects.toThrow(/1\.31 and .*copy\.jsonl both hold the market 1\.31/);
		expect(recorded().filter(({ sourceRef }) => sourceRef.startsWith('1.31'))).toEqual([]);
	});

	it('that are cut short are played as far as they go; then nothing stays open, and the log says so', async () => {
		const text = lines({ id: '1.41', names: ['Herons', 'Otters'] }).join('\n');
		const file = written('1.41.gz', gzipSync(text.slice(0, text.lastIndexOf('"status":"WINNER"'))).subarray(0, -6));
		await play(6000, file);
		const id = await fixtureNamed('Herons v Otters', 'IN_PLAY');
		await expect.poll(() => marketsOf(id)[0]?.state?.status).toBe('SUSPENDED');
		expect(warnings).toEqual([
			`The recording ${file} is cut short; it is played as far as it goes.`,
			'The recording of Herons v Otters ends before its result: an operator settles or voids it.',
		]);
	});

	it('with a market of a kind that is not ours leave that market out, and say so', async () => {
		written('1.51', lines({ id: '1.51', names: ['Wrens', 'Swifts'] }).join('\n'));
		const odd = written('1.52', lines({ id: '1.52', event: '1.51', type: 'TOTAL_CORNERS' }).join('\n'));
		await play(60, folder);
		expect(marketsOf(await fixtureNamed('Wrens v Swifts', 'IN_PLAY'))).toHaveLength(1);
		expect(warnings).toEqual([
			`The market 1.52 in ${odd} is left out: it is of a kind that is not ours (TOTAL_CORNERS).`,
		]);
	});
});
