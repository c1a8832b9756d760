/** The adapters on real recorded streams, as far as the recordings are at hand. */
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRecording } from '#server/world/feeds/recorded/read-recording.ts';
import { type ScoreMessage, ScoreReader } from '#server/world/feeds/recorded/score-reader.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const { path: FOLDER, isPresent } = sharedFolder('recordings', 'their tests are skipped');

interface Inspected {
	file: string;
	messages: number;
	markets: {
		marketId: string;
		status: string;
		winners: number[];
		removed: { runner: number; factor: number | null }[];
		numberOfWinners: number;
		crossedAtMessageEnd: number;
		offLadder: number;
		updates: number;
	}[];
}

function inspect(...args: string[]): { status: number | null; stdout: string; stderr: string } {
	return spawnSync(process.execPath, ['tools/feed.ts', 'inspect', ...args], { cwd: ROOT, encoding: 'utf8' });
}

describe.skipIf(!isPresent)('recorded markets', () => {
	/** Of each file in the folder: the tool reads them all at once. */
	let inspected: Map<string, Inspected>;
	beforeAll(() => {
		const { status, stdout } = inspect(FOLDER);
		expect(status).toBe(0);
		const lines = stdout.trim().split('\n');
		inspected = new Map(lines.map((line) => JSON.parse(line) as Inspected).map((each) => [basename(each.file), each]));
	});

	it('the tool takes a folder, and prints a line for each recording in it', () => {
		expect(inspected.size).toBe(4);
		expect([...inspected.keys()].every((file) => file.endsWith('.bz2'))).toBe(true);
	});

	it.each([
		// Facts of the files, as their own last definitions say.
		{ file: '1.200806927-cricket-market.bz2', winners: [228_749], removals: 0, numberOfWinners: 1 },
		{ file: '1.181223995-place-three-winners.bz2', winners: 3, removals: null, numberOfWinners: 3 },
		{ file: '1.132153978-basic-two-removals.bz2', winners: 1, removals: 2, numberOfWinners: 1 },
	])('$file is read to its end without a crossed book or a price off the ladder', (known) => {
		const { messages, markets } = inspected.get(known.file) as Inspected;
		const [market] = markets;
		expect(messages).toBeGreaterThan(100);
		expect(market).toMatchObject({ status: 'CLOSED', crossedAtMessageEnd: 0, offLadder: 0 });
		expect(market?.numberOfWinners).toBe(known.numberOfWinners);
		if (Array.isArray(known.winners)) expect(market?.winners).toEqual(known.winners);
		else expect(market?.winners).toHaveLength(known.winners);
		if (known.removals !== null) expect(market?.removed).toHaveLength(known.removals);
	});

	it('the score stream ends with the card of the match', async () => {
		const reader = new ScoreReader();
		const { messages } = await readRecording(join(FOLDER, '1.200806927-cricket-score.bz2'));
		for (const message of messages) reader.apply(message as ScoreMessage);
		expect(reader.card(7)).toMatchObject({
			eventId: '7',
			state: 'FINISHED',
			innings: [
				{ team: 'Netherlands', runs: 163, wickets: 7 },
				{ team: 'Papua New Guinea', runs: 111, wickets: 10, overs: '19.4' },
			],
		});
	});
});

describe('the inspection tool', () => {
	it('reports a missing file, and prints nothing else', () => {
		const { status, stdout, stderr } = inspect('no-such-file.bz2');
		expect([status, stdout]).toEqual([1, '']);
		expect(stderr).toContain('no-such-file.bz2');
	});
});
