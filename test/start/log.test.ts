/** The log while it cannot be written, and its report afterwards. */
import { expect, it } from 'vitest';
import { LogDestination, type WriteBytes } from '#server/process/log.ts';

const LINE = `${'x'.repeat(1023)}\n`;
/** Characters that the log holds back. */
const BACKLOG = 1024 * 1024;

/** A disk that takes N bytes at a time, or none. */
class Disk {
	text = '';
	full = false;
	readonly write: WriteBytes = (bytes, done) => {
		setImmediate(() => {
			if (this.full) return done(new Error('ENOSPC'), 0);
			const taken = bytes.subarray(0, 100_000);
			this.text += taken.toString();
			done(null, taken.length);
		});
	};
}

it('lines beyond the bound are dropped, counted, and reported when the log can be written', async () => {
	const disk = new Disk();
	const log = new LogDestination(disk.write, 5);
	disk.full = true;
	log.write('first\n');
	const fit = BACKLOG / LINE.length;
	for (let at = 0; at < fit + 7; at++) log.write(LINE);
	disk.full = false;
	await log.flushed();
	const lines = disk.text.split('\n');
	expect(lines[0]).toBe('first');
	expect(lines.filter((line) => line.startsWith('x'))).toHaveLength(fit);
	expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ level: 40, dropped: 7 });
	log.write('next\n');
	await log.flushed();
	expect(disk.text.endsWith('}\nnext\n')).toBe(true);
});

it('a log that cannot be written delays the end only briefly', async () => {
	const disk = new Disk();
	disk.full = true;
	const log = new LogDestination(disk.write, 5);
	log.write('first\n');
	await log.flushed();
	expect(disk.text).toBe('');
});
