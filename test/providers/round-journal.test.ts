/** The studio's rounds are whole after a kill in the middle of a line, and after a disk that was full. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RoundJournal, type StudioRound } from '#studio/round-journal.ts';
import { SmallDisk } from '../faults/support/small-disk.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const round = (id: string): StudioRound => ({
	id,
	provider: 'lantern',
	game: 'lantern-cups',
	userId: '1',
	sessionToken: 'token',
	currency: 'INR',
	stake: 100,
	state: 'OPEN',
	play: { hidden: [1, 2, 3], steps: 1, pays: 0, text: 'no three of a kind' },
	payout: 0,
	atMs: 1,
	confirmed: [],
});

const idsOf = (folder: string): string[] => new RoundJournal(folder).all().map(({ id }) => id);

it('cuts off a line that a kill tore, says so, and continues behind the whole ones', () => {
	const folder = mkdtempSync(join(scratchFolder(), 'rounds-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
	onTestFinished(() => printed.mockRestore());
	new RoundJournal(folder).write(round('one'));
	const file = join(folder, 'rounds.jsonl');
	const line = readFileSync(file, 'utf8');
	// Within the round, and behind a brace that is not its last.
	for (const torn of [line.slice(0, 30), line.slice(0, line.indexOf('}') + 1)]) {
		appendFileSync(file, torn);
		const journal = new RoundJournal(folder);
		expect(printed).toHaveBeenLastCalledWith(`${file} ended within a line, which is cut off: ${torn.length} bytes.`);
		journal.write(round(`after ${torn.length}`));
	}
	expect(idsOf(folder)).toEqual(['one', 'after 30', `after ${line.indexOf('}') + 1}`]);
	expect(printed).toHaveBeenCalledTimes(2);
});

it('leaves no part of a line on a full disk, and writes the next one when there is room', (test) => {
	const disk = SmallDisk.mount(1);
	if (!disk) return test.skip();
	onTestFinished(() => disk.dispose());
	const folder = join(disk.folder, 'rounds');
	mkdirSync(folder);
	const journal = new RoundJournal(folder);
	journal.write(round('one'));
	disk.fill();
	// Longer than what is left of the file's last block.
	const long = { ...round('two'), sessionToken: 'x'.repeat(10_000) };
	expect(() => journal.write(long)).toThrow('ENOSPC');
	expect(journal.find('two')).toBeNull();
	disk.free();
	journal.write(round('three'));
	expect(idsOf(folder)).toEqual(['one', 'three']);
	expect(existsSync(join(folder, 'rounds.jsonl'))).toBe(true);
});
