/** Recorded events played side by side in the real exchange: the recordings at hand, and files written by hand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningFeed } from '#server/world/feeds/feed.ts';
import { startRecordedEvents } from '#server/world/feeds/recorded/recorded-events.ts';
import { CRICKET, HORSE_RACING } from '#values/sports.ts';
import { expectSound } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { TestServer } from '../support/server.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const RECORDINGS = sharedFolder('recordings', 'the test that plays all of them is skipped');

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
	await playWith({}, speed, ...recordings);
}

type Options = Parameters<typeof startRecordedEvents>[0];

async function playWith(changes: Partial<Options>, speed: number, ...recordings: string[]): Promise<void> {
	const parts = { ...(await feedParts(server, speed)), ...changes };
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

describe.skipIf(!RECORDINGS.isPresent)('all recordings at hand', () => {
	it('play side by side, each under its own name, to their results', {
		timeout: 120_000,
		tags: 'thorough',
	}, async () => {
		await play(2000, RECORDINGS.path);
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
		await expectSound(server.database.db);
	});
});

describe('several files', () => {
	it('of one event are one fixture, of two events two', { tags: 'thorough' }, async () => {
		written('1.11', lines({ id: '1.11', event: 'a' }).join('\n'));
		written('toss.gz', gzipSync(lines({ id: '1.12', event: 'a', type: 'TO_WIN_THE_TOSS' }).join('\n')));
		written('other.jsonl', lines({ id: '1.13', event: 'b', names: ['Foxes', 'Storks'] }).join('\n'));
		written('notes.md', 'No recording, and left alone.');
		await play(60, folder);
		const first = await fixtureNamed('Kites v Bulls', 'IN_PLAY');
		expect(marketsOf(first).map(({ name }) => name)).toEqual(['Match Odds', 'to win the toss']);
		expect(marketsOf(await fixtureNamed('Foxes v Storks', 'IN_PLAY'))).toHaveLength(1);
	});

	it('continue after a restart where they were', async () => {
		const file = written('1.21', lines({ id: '1.21', names: ['Larks', 'Cranes'] }).join('\n'));
		await play(60, file);
		const before = await fixtureNamed('Larks v Cranes', 'IN_PLAY');
		await feed?.stop();
		await play(6000, file);
		expect(await fixtureNamed('Larks v Cranes', 'FINISHED')).toBe(before);
		await feed?.stop();
		// One that is over is played again, as another fixture.
		await play(60, file);
		expect(recorded().filter(({ title }) => title === 'Larks v Cranes')).toHaveLength(2);
	});
});

describe('the delay of bets in-play', () => {
	it('is as much shorter as recorded time is quicker', async () => {
		await play(6000, written('1.81', lines({ id: '1.81', names: ['Rails', 'Coots'] }).join('\n')));
		const [market] = marketsOf(await fixtureNamed('Rails v Coots', 'FINISHED'));
		expect(market?.state).toMatchObject({ inPlay: true, betDelayMs: 0 });
	});

	it('is none where recorded time stands between steps, in which a bet would never reach the book', async () => {
		const file = written('1.82', lines({ id: '1.82', names: ['Ducks', 'Teals'] }).join('\n'));
		await playWith({ isStepped: true }, 1, file);
		await feed?.step?.({ afterMs: null, byMs: 6 * 60_000 });
		const [market] = marketsOf(await fixtureNamed('Ducks v Teals', 'IN_PLAY'));
		expect(market?.state).toMatchObject({ status: 'OPEN', inPlay: true, betDelayMs: 0 });
	});
});

describe('results', () => {
	it('of an over/under market beside the match odds end the fixture', async () => {
		written('1.61', lines({ id: '1.61', event: 'c', names: ['Terns', 'Gulls'] }).join('\n'));
		const goals = ['Under 2.5 Goals', 'Over 2.5 Goals'];
		written('1.62', lines({ id: '1.62', event: 'c', names: goals, type: 'OVER_UNDER_25' }).join('\n'));
		await play(6000, folder);
		const id = await fixtureNamed('Terns v Gulls', 'FINISHED');
		const results = marketsOf(id).map(({ name, state }) => [name, state?.status, state?.results]);
		// The stream's first runner wins; of goals that is under, which is our second.
		expect(results).toEqual([
			['Match Odds', 'SETTLED', ['WIN', 'LOSE']],
			['over under', 'SETTLED', ['LOSE', 'WIN']],
		]);
		expect(warnings).toEqual([]);
	});

	it('that members confirm end the fixture, whose market waits for them', async () => {
		const resultProposals = { ...server.running.resultProposals, covers: () => true };
		await playWith(
			{ resultProposals },
			6000,
			written('1.71', lines({ id: '1.71', names: ['Egrets', 'Ibises'] }).join('\n')),
		);
		const id = await fixtureNamed('Egrets v Ibises', 'FINISHED');
		expect(marketsOf(id).map(({ state }) => state?.status)).toEqual(['CLOSED']);
		expect(warnings).toEqual([]);
	});

	it('are not taken from a last definition that lacks runners: the market is suspended, with one log line', async () => {
		const all = lines({ id: '1.63', names: ['Robins', 'Finches', 'Doves'] });
		const last = JSON.parse(all.at(-1) ?? '') as { mc: [{ marketDefinition: { runners: object[] } }] };
		last.mc[0].marketDefinition.runners = [{ id: 3, status: 'REMOVED', sortPriority: 3 }];
		written('1.63', [...all.slice(0, -1), JSON.stringify(last)].join('\n'));
		await play(6000, folder);
		const id = await fixtureNamed('Robins v Finches v Doves', 'IN_PLAY');
		await expect.poll(() => warnings).toHaveLength(2);
		expect(warnings).toEqual([
			expect.stringContaining('it lacks the runners 1, 2.'),
			'The recording of Robins v Finches v Doves ends before its result: an operator settles or voids it.',
		]);
		const [market] = marketsOf(id);
		expect(market?.state).toMatchObject({ status: 'SUSPENDED', removed: [[2, 0]] });
	});

	it('are taken from a later complete definition, not from an incomplete one after it', async () => {
		const all = lines({ id: '1.64', names: ['Crows', 'Rooks'] });
		const closing = all.at(-1) ?? '';
		const lacking = closing.replace(/\{"id":1,[^}]*\},/, '');
		expect(lacking).not.toBe(closing);
		written('1.64', [...all.slice(0, -1), lacking, closing, lacking].join('\n'));
		await play(6000, folder);
		const id = await fixtureNamed('Crows v Rooks', 'FINISHED');
		expect(marketsOf(id)[0]?.state?.results).toEqual(['WIN', 'LOSE']);
	});
});

describe('names', () => {
	it('come from the event, and the draw is known by its number', async () => {
		const named = (changes: object) => (text: string) => {
			const message = JSON.parse(text) as { mc: [{ marketDefinition?: object }] };
			if (message.mc[0].marketDefinition) Object.assign(message.mc[0].marketDefinition, changes);
			return JSON.stringify(message);
		};
		const final = lines({ id: '1.71', names: ['Rovers', 'United'] }).map(named({ eventName: 'The Cup Final' }));
		written('1.71', final.join('\n'));
		const race = { eventName: 'Kempton 1st May', name: '2m Hurdle', eventTypeId: '7' };
		const horses = lines({ id: '1.72', names: ['Comet', 'Star'], type: 'WIN' }).map(named(race));
		written('1.72', horses.join('\n'));
		const unnamed = lines({ id: '1.73', names: ['', '', ''] }).map((text) =>
			text
				.replaceAll('"id":3,', '"id":58805,')
				.replaceAll('"id":2,', '"id":12,')
				.replaceAll('"name":"",', '')
				.replaceAll('"betDelay":5', '"betDelay":99'),
		);
		written('1.73', unnamed.join('\n'));
		const team = { name: 'Rovers $1', selectionId: 1 };
		written('score', JSON.stringify({ op: 'ccm', pt: START, cc: [{ marketId: '1.73', homeTeam: team }] }));
		await play(6, ...['1.71', '1.72', '1.73', 'score'].map((name) => join(folder, name)));
		await fixtureNamed('The Cup Final', 'UPCOMING');
		await fixtureNamed('Kempton 1st May, 17:30 2m Hurdle', 'UPCOMING');
		const match = await fixtureNamed('Rovers $1 v Runner 12', 'UPCOMING');
		const [market] = server.running.fixtures.markets(match);
		expect(market?.runners.map(({ name }) => name)).toEqual(['Rovers $1', 'Runner 12', 'The Draw']);
		// Of the twelve seconds that a delay may last at most, at six times the speed.
		expect(market?.betDelaySeconds).toBe(2);
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
	])('are refused with their name and the reason: %s', async (_, file, sentence) => {
		await expect(play(60, file())).rejects.toThrow(sentence);
	});

	it('that are unusable are named and left out, and the others play', async () => {
		const whole = lines({ id: '1.31', names: ['Auks', 'Divers'] }).join('\n');
		const marked = written('1.31', `\uFEFF${whole}`);
		const copy = written('copy.jsonl', whole);
		const packed = written('a.gz', Buffer.from('PK\x03\x04 and so on'));
		const garbled = written('b.jsonl', 'no JSON');
		await play(6000, folder);
		await fixtureNamed('Auks v Divers', 'FINISHED');
		expect(warnings).toEqual([
			`The recording ${packed} is a zip archive: unpack it, and name the files in it. It is left out.`,
			`${garbled} is no recording of a stream: line 1 holds no message, because it is not JSON. It is left out.`,
			`The recordings ${marked} and ${copy} both hold the market 1.31; the first is played.`,
		]);
	});

	it('that are cut short are played to their end; then no market stays open, and the log says so', async () => {
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

	it('that are out of order are played by time, and the log says so', async () => {
		const [first = '', second = '', third = '', last = ''] = lines({ id: '1.53', names: ['Swans', 'Geese'] });
		const file = written('1.53', [first, third, second, last].join('\n'));
		await play(6000, file);
		await fixtureNamed('Swans v Geese', 'FINISHED');
		expect(warnings).toEqual([
			`The recording ${file} is out of order: line 3 is earlier than a line before it; it is played in the order of time.`,
		]);
	});

	it('with a market that cannot be listed leave it out with the reason', async () => {
		written('1.54', lines({ id: '1.54', event: 'd', names: ['Owls', 'Hawks'] }).join('\n'));
		const alone = written('1.55', lines({ id: '1.55', event: 'd', names: ['Owls'], type: 'SET_WINNER' }).join('\n'));
		const places = lines({ id: '1.56', event: 'd', names: ['Owls', 'Hawks'], type: 'PLACE' });
		const many = written('1.56', places.join('\n').replaceAll('"numberOfWinners":1', '"numberOfWinners":3'));
		await play(60, folder);
		expect(marketsOf(await fixtureNamed('Owls v Hawks', 'UPCOMING'))).toHaveLength(1);
		expect(warnings).toEqual([
			`The market 1.55 in ${alone} is left out: it names fewer than two runners.`,
			`The market 1.56 in ${many} is left out: it announces 3 places for 2 runners.`,
		]);
	});

	it('with a market of an unsupported type leave it out with a log line', { tags: 'thorough' }, async () => {
		written('1.51', lines({ id: '1.51', names: ['Wrens', 'Swifts'] }).join('\n'));
		const odd = written('1.52', lines({ id: '1.52', event: '1.51', type: 'TOTAL_CORNERS' }).join('\n'));
		await play(60, folder);
		expect(marketsOf(await fixtureNamed('Wrens v Swifts', 'IN_PLAY'))).toHaveLength(1);
		expect(warnings).toEqual([
			`The market 1.52 in ${odd} is left out: it is of a kind that is not ours (TOTAL_CORNERS).`,
		]);
	});
});
