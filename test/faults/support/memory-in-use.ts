/**
 * Loaded into the server with `--import`: at SIGWINCH, which the server has no use for, it collects garbage and writes the
 * bytes that are left to the file MEMORY_FILE. The resident set says little: V8 enlarges its young generation under load
 * and returns it much later.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env['MEMORY_FILE'] ?? '';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGWINCH', () => {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	writeFileSync(`${file}.new`, String(heapUsed + external));
	renameSync(`${file}.new`, file);
});
