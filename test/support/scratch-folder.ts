/**
 * Where a test run keeps its temporary files: in memory where there is room. A test makes a database or a cluster of its
 * own, and to copy the template costs twenty times as much CPU on a disk, although nothing waits for the disk.
 */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** Four workers with a cluster of their own each, and the databases of all. */
const ROOM_BYTES = 4 * 2 ** 30;

export function scratchFolder(): string {
	if (process.env['TMPDIR'] !== undefined || !existsSync(IN_MEMORY)) return tmpdir();
	const { bavail, bsize } = statfsSync(IN_MEMORY);
	return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
}
