/** Writes the evidence pack: pages and logs in one folder, with the hash of each in its first page. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from '#server/platform/postgres/connect.ts';
import { aligned } from '../../markdown-table.ts';
import type { Outcome } from '../test-run.ts';
import { buildHashes } from './build-hashes.ts';
import { demoDatabase } from './demo-life.ts';
import { dataPicture, networkPicture, registers, voidPolicy } from './documents.ts';
import { sampleLogs } from './sample-logs.ts';
import { statistics } from './statistics.ts';

interface PackOptions {
	/** Is made; has nothing in it. */
	folder: string;
	/** Its logs are sampled; null for a demo life in a database of its own. */
	databaseUrl: string | null;
	/** Of the battery; null for a fresh one. */
	seed: string | null;
	count: number;
	day: string;
	/** Of the register's tests; null if none was run. */
	outcomes: ReadonlyMap<string, Outcome> | null;
}

/**
 * @returns what is wrong in it; empty when all is well
 * @throws Error if the folder has files: a pack is written whole, and beside nothing else
 */
export async function writePack(options: PackOptions): Promise<string[]> {
	const { folder, databaseUrl, count, day, outcomes } = options;
	if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`There are files in ${folder}.`);
	const startedMs = Date.now();
	await using started = new AsyncDisposableStack();
	const seed = options.seed ?? randomBytes(16).toString('hex');
	const build = await buildHashes();
	const { files: pages, problems, words } = statistics(count, seed);
	const db = databaseUrl === null ? await demoDatabase(started) : connect(databaseUrl);
	if (databaseUrl !== null) started.defer(() => db.end());
	const files = new Map([
		['build.sha256', build.list],
		...pages,
		...(await sampleLogs(db, randomBytes(16).toString('hex'))),
		['void-policy.md', voidPolicy()],
		['network.md', networkPicture()],
		['data.md', dataPicture()],
		...registers(day, outcomes),
	]);
	const failed = [...(outcomes ?? [])].flatMap(([row, outcome]) =>
		outcome === 'passed' ? [] : [`${row}: its tests ${outcome}`],
	);
	const all = [...problems, ...failed];
	const source = databaseUrl === null ? 'a demo life on a database of its own' : 'the database that was named';
	const seconds = Math.round((Date.now() - startedMs) / 1000);
	const head = [
		`# Evidence of ${day}`,
		build.words,
		words,
		`The logs are samples of ${source}; persons, addresses and wallets are hidden. It took ${seconds} s to make.`,
		all.length === 0 ? 'Nothing is wrong.' : `Wrong:\n\n${all.map((problem) => `- ${problem}`).join('\n')}`,
		aligned([['file', 'SHA-256'], ...[...files].map(([name, text]) => [name, sha256(text)])]),
	];
	files.set('README.md', `${head.join('\n\n')}\n`);
	for (const [name, text] of files) {
		const path = join(folder, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	return all;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
