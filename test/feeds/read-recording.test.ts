/** Recorded files as they really come: packed in parallel, cut, damaged, garbled. Nothing of them stops or pays by mistake. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StreamMarket } from '#server/world/feeds/betfair/stream-market.ts';
import { resultOf } from '#server/world/feeds/betfair/stream-result.ts';
import { readRecording } from '#server/world/feeds/recorded/read-recording.ts';
import { readRecordedFiles } from '#server/world/feeds/recorded/recorded-files.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { sharedFolder } from '../support/shared-folder.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

const { path: REAL, isPresent } = sharedFolder(
	'recordings/1.132153978-basic-two-removals.bz2',
	'the test that cuts a real recording is skipped',
);

/** Three lines as a program packs them that works on two parts at once: the second line is in both. */
const FIRST = Buffer.from(
	'QlpoOTFBWSZTWadmTFoAABZbgAAQEAQwEAAKCALECiAAISkAPQQpgACkQSRxFFxIfRdi0JumWKLDnpr4u5IpwoSFOzJi0A==',
	'base64',
);
const SECOND = Buffer.from(
	'QlpoOTFBWSZTWeJLkNMAAARbgAAQEAQIEAAKCALECiAAISpoBspoQAAKJfmc3NYSzAQMVu5Coao+LuSKcKEhxJchpg==',
	'base64',
);
const line = (pt: number) => ({ op: 'mcm', pt, mc: [] });

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backlay-reader-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string | Uint8Array): string {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
}
const changedAt = (bytes: Buffer, at: number): Buffer => {
	const changed = Buffer.from(bytes);
	changed[at] = (changed[at] ?? 0) ^ 0x55;
	return changed;
};

describe('a packed file', () => {
	it('of several bz2 streams is read to the end of the last', async () => {
		const read = await readRecording(written('1.1.bz2', Buffer.concat([FIRST, SECOND])));
		expect(read).toEqual({ messages: [line(1), line(2), line(3)], cutShort: false, outOfOrder: null });
	});

	it.each([
		['cut in its second stream', Buffer.concat([FIRST, SECOND.subarray(0, 30)])],
		['cut in the head of its second stream', Buffer.concat([FIRST, SECOND.subarray(0, 2)])],
		['with something else behind', Buffer.concat([FIRST, Buffer.from('something else')])],
		// Byte 12 is in the check sum of the block, which is compared after the block is unpacked.
		['with a damaged second stream', Buffer.concat([FIRST, changedAt(SECOND, 12)])],
	])('%s is played up to the fault, which is logged', async (_, bytes) => {
		expect(await readRecording(written('1.1.bz2', bytes))).toEqual({
			messages: [line(1)],
			cutShort: true,
			outOfOrder: null,
		});
	});

	it('of several gz members is read to the end of the last', async () => {
		const bytes = Buffer.concat([1, 2].map((pt) => gzipSync(`${JSON.stringify(line(pt))}\n`)));
		expect((await readRecording(written('1.1.gz', bytes))).messages).toEqual([line(1), line(2)]);
	});

	it.skipIf(!isPresent)('from a real recording may be cut or damaged anywhere', async () => {
		const bytes = readFileSync(REAL);
		const whole = (await readRecording(REAL)).messages;
		const numbers = new SeededNumbers(1);
		for (let count = 0; count < 12; count++) {
			const at = 4 + numbers.below(bytes.length - 4);
			const cut = numbers.chance(50) ? bytes.subarray(0, at) : changedAt(bytes, at);
			const read = await readRecording(written('1.1.bz2', cut)).catch((error: unknown) => error as Error);
			if (read instanceof Error)
				expect(read.message).toBe(`The recording ${folder}/1.1.bz2 is cut short before its first line.`);
			else expect([at, read.messages]).toEqual([at, whole.slice(0, read.messages.length)]);
		}
	});
});

describe('a line', () => {
	const definition = {
		status: 'OPEN',
		inPlay: false,
		betDelay: 0,
		numberOfWinners: 1,
		marketTime: '2024-05-01T12:00:00.000Z',
		runners: [{ id: 1, status: 'ACTIVE', sortPriority: 1 }],
	};
	const ofMarket = (change: object) => JSON.stringify({ op: 'mcm', pt: 2, mc: [{ id: '1.1', ...change }] });

	it.each([
		['that is no JSON', '{"op":', 'it is not JSON'],
		['that does not say what it is', '{"pt":2}', 'it does not say which'],
		['without a time', '{"op":"mcm"}', 'pt is missing'],
		['with a time beyond all', '{"op":"mcm","pt":1e999}', 'pt cannot be Infinity'],
		['with a market without a number', '{"op":"mcm","pt":2,"mc":[{}]}', 'mc.0.id is missing'],
		[
			'without runners',
			ofMarket({ marketDefinition: { ...definition, runners: undefined } }),
			'mc.0.marketDefinition.runners is missing',
		],
		[
			'with a status of its own',
			ofMarket({ marketDefinition: { ...definition, status: 'ODD' } }),
			'mc.0.marketDefinition.status cannot be "ODD"',
		],
		[
			'with a time that is none',
			ofMarket({ marketDefinition: { ...definition, marketTime: 'soon' } }),
			'mc.0.marketDefinition.marketTime cannot be "soon"',
		],
		['with a price without a size', ofMarket({ rc: [{ id: 1, atb: [[2]] }] }), 'mc.0.rc.0.atb.0.1 is missing'],
		[
			'with an innings without runs',
			'{"op":"ccm","pt":2,"cc":[{"matchStats":{"inningsStats":[{"inningsNum":1}]}}]}',
			'cc.0.matchStats.inningsStats.0.inningsRuns is missing',
		],
	])('%s is named with its number in the file', async (_, wrong, fault) => {
		// An empty line counts, and the last one is sound.
		const file = written('1.1', [JSON.stringify(line(1)), '', wrong, JSON.stringify(line(3))].join('\n'));
		await expect(readRecordedFiles([file])).rejects.toThrow(
			new Error(`${file} is no recording of a stream: line 3 holds no message, because ${fault}.`),
		);
	});

	it('that is whole but invalid is not taken for the end of a cut file', async () => {
		const file = written('1.1', [JSON.stringify(line(1)), '{"op":"mcm","pt":"2"}'].join('\n'));
		await expect(readRecording(file)).rejects.toThrow('line 2 holds no message, because pt cannot be "2"');
	});

	it('that is earlier than one above it is reported', async () => {
		const lines = [line(5), line(7), line(6), line(7), line(4)].map((message) => JSON.stringify(message));
		expect((await readRecording(written('1.1', lines.join('\n')))).outOfOrder).toEqual({ line: 3, lines: 2 });
	});
});

describe('garbled lines', () => {
	const START = Date.parse('2024-05-01T12:00:00.000Z');
	const message = (pt: number, status: string, statuses: [string, string, string], rc: object[] = []) =>
		JSON.stringify({
			op: 'mcm',
			pt: START + pt * 60_000,
			mc: [
				{
					id: '1.7',
					marketDefinition: {
						status,
						inPlay: pt > 0,
						betDelay: 5,
						numberOfWinners: 1,
						marketTime: new Date(START).toISOString(),
						marketType: 'MATCH_ODDS',
						eventTypeId: '4',
						eventId: 'e7',
						timezone: 'Europe/London',
						runners: statuses.map((of, at) => ({ id: at + 11, status: of, sortPriority: at + 1, hc: 0 })),
					},
					rc,
				},
			],
		});
	const sound = [
		message(-2, 'OPEN', ['ACTIVE', 'ACTIVE', 'ACTIVE'], [{ id: 11, atb: [[2, 50]], atl: [[2.1, 50]] }]),
		message(-1, 'SUSPENDED', ['ACTIVE', 'ACTIVE', 'REMOVED']),
		message(1, 'OPEN', ['ACTIVE', 'ACTIVE', 'REMOVED'], [{ id: 12, batb: [[0, 1.5, 50]] }]),
		message(5, 'CLOSED', ['WINNER', 'LOSER', 'REMOVED']),
	];
	const FILES = IS_WHOLE ? 1_500 : 400;
	const CHARACTERS = '0123456789-.,:"[]{}aeintu \\';

	/** One to three characters changed, added or taken away, and now and then a line lost, doubled, moved or cut. */
	function garbled(numbers: SeededNumbers): string {
		const lines = [...sound];
		const kind = numbers.below(10);
		if (kind === 0) lines.splice(numbers.below(4), 1);
		if (kind === 1) lines.push(numbers.from(sound));
		if (kind === 2) lines.reverse();
		if (kind === 3)
			lines.splice(numbers.below(4), 1, numbers.from(['null', '[]', '{}', '7', '"', '{"op":"mcm","pt":1,"mc":7}']));
		let text = lines.join('\n');
		for (let edits = numbers.below(4); edits > 0; edits--) {
			const at = numbers.below(text.length);
			const put = numbers.chance(70) ? (CHARACTERS[numbers.below(CHARACTERS.length)] ?? '') : '';
			text = text.slice(0, at) + put + text.slice(at + (numbers.chance(70) ? 1 : 0));
		}
		return numbers.chance(10) ? text.slice(0, numbers.below(text.length)) : text;
	}

	it('are refused by name, or played without a false result', async () => {
		let [refused, paid] = [0, 0];
		for (let seed = 1; seed <= FILES; seed++) {
			const file = written('1.7', garbled(new SeededNumbers(seed)));
			const read = await readRecordedFiles([file]).catch((error: unknown) => error as Error);
			if (read instanceof Error) {
				refused++;
				expect(read.message, `seed ${seed}`).toContain(file);
				expect([seed, read.name]).toEqual([seed, 'Error']);
				continue;
			}
			for (const { markets, messages } of read.events) {
				for (const { id, listed } of markets) {
					const stream = new StreamMarket(id);
					const keys = listed.runners.map((runner) => Number(runner.id.split('-').at(-1)));
					for (const { changes } of messages.flatMap((of) => ('changes' in of ? [of] : []))) {
						for (const change of changes) if (change.id === id) stream.apply(change);
						if (stream.definition?.status !== 'CLOSED') continue;
						const result = resultOf(stream.definition, keys);
						if (result.kind === 'UNDECIDED') continue;
						paid++;
						expect([seed, result]).toMatchObject([seed, { kind: 'DECIDED', result: { winners: [keys.indexOf(11)] } }]);
						expect(keys.indexOf(11)).toBeGreaterThanOrEqual(0);
					}
				}
			}
		}
		// Worth something only if both happen.
		expect(refused).toBeGreaterThan(FILES / 15);
		expect(paid).toBeGreaterThan(FILES / 15);
	});
});
