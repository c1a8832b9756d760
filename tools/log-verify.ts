/**
 * `npm run log-verify -- URL|FOLDER [--key KEY] [--save FOLDER] [--leaf TEXT] [--witnessed FILE]…`: checks a public log as a
 * stranger: the signature of its checkpoint, the tree over all of its entries, and that it continues what was saved before
 * and what others saw. Without a network it checks a folder. Prints one JSON line, and exits with 1 and the first difference
 * if something is wrong.
 *
 * A log that has two trees of what the house owes for one day and pool is refused: each player would see one of them.
 *
 * `--save` keeps the log's files in a folder, which is compared with the log when the command runs again, and which any
 * web server can serve. `--leaf` looks a leaf up, as it is written in the log, and prints the path that proves it.
 * `--witnessed` names a checkpoint that a witness or another reader keeps: a house that shows its log to each of them with
 * another history is found, because no tree continues both.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Checkpoint, readCheckpoint } from '../src/public-log/checkpoint.ts';
import { type VerifierKey, verifierKeyText } from '../src/public-log/signed-note.ts';
import { continues, pathTo, type ReadFile, verifyWhole } from '../src/public-log/verify-log.ts';
import type { Liabilities } from '../src/public-log/wallet-proof.ts';
import { CHECKPOINT_FILE, KEY_FILE, logSource } from './log-source.ts';
import { failureOf } from './own-database.ts';

/** Reads from the saved folder what does not change, and saves the rest. */
function saving(read: ReadFile, folder: string): ReadFile {
	return async (path) => {
		const file = join(folder, path);
		const saved = await readFile(file).catch(() => null);
		if (saved) return saved;
		const bytes = await read(path);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(`${file}.new`, bytes);
		await rename(`${file}.new`, file);
		return bytes;
	};
}

/** The checkpoint that was saved; null if there is none. */
async function savedCheckpoint(folder: string, key: VerifierKey): Promise<Checkpoint | null> {
	const text = await readFile(join(folder, CHECKPOINT_FILE), 'utf8').catch(() => null);
	return text === null ? null : readCheckpoint(text, key);
}

/** @throws Error if the log does not continue the checkpoint in one of the files */
async function checkWitnessed(files: readonly string[], key: VerifierKey, read: ReadFile, now: Checkpoint) {
	for (const file of files) {
		const seen = readCheckpoint(await readFile(file, 'utf8'), key);
		if (seen.size > now.size)
			throw new Error(`${file} has ${seen.size} leaves and the log only ${now.size}: read a newer state of the log.`);
		if (!(await continues(read, seen, now)))
			throw new Error(`The log has two histories: it does not continue the one of ${seen.size} leaves in ${file}.`);
	}
}

/** Looks for a second tree of one day and pool. */
class OneTreeADay {
	readonly #seen = new Map<string, number>();
	#second: string | null = null;

	look(text: string, index: number): void {
		if (!text.includes('"type":"liabilities"')) return;
		const { type, pool, day } = JSON.parse(text) as Partial<Liabilities>;
		if (type !== 'liabilities') return;
		const first = this.#seen.get(`${pool} ${day}`);
		if (first === undefined) this.#seen.set(`${pool} ${day}`, index);
		else this.#second ??= `The log has two trees of what is owed in ${pool} for ${day}: leaves ${first} and ${index}.`;
	}

	/** @throws Error if there was one */
	check(): void {
		if (this.#second !== null) throw new Error(this.#second);
	}
}

interface Asked {
	from: string;
	key: string | null;
	save: string | null;
	leaf: string | null;
	/** Files with checkpoints that others saw. */
	witnessed: readonly string[];
}

/** @throws Error with what is wrong */
export async function verifyLog({ from, key: given, save, leaf, witnessed }: Asked): Promise<object> {
	const { read: source, key, isKeyGiven } = await logSource(from, given);
	const note = Buffer.from(await source(CHECKPOINT_FILE)).toString();
	const checkpoint = readCheckpoint(note, key);
	const read = save === null ? source : saving(source, save);
	const before = save === null ? null : await savedCheckpoint(save, key);
	if (before && !(await continues(source, before, checkpoint)))
		throw new Error(`The log does not continue the one of ${before.size} leaves that was saved.`);
	await checkWitnessed(witnessed, key, source, checkpoint);
	let found: number | null = null;
	const trees = new OneTreeADay();
	const fault = await verifyWhole(read, checkpoint, (bytes, index) => {
		const text = Buffer.from(bytes).toString();
		trees.look(text, index);
		if (leaf !== null && found === null && text === leaf) found = index;
	});
	if (fault)
		throw new Error(
			`${fault.path} is not what the checkpoint says${fault.index === null ? '' : `: leaf ${fault.index}`}.`,
		);
	trees.check();
	if (save !== null) {
		await writeFile(join(save, KEY_FILE), `${verifierKeyText(key)}\n`);
		await writeFile(join(save, CHECKPOINT_FILE), note);
	}
	const { origin, size, root } = checkpoint;
	const told = {
		origin,
		size,
		root: Buffer.from(root).toString('base64'),
		isKeyGiven,
		continues: before?.size ?? null,
		witnessed: witnessed.length,
	};
	if (leaf === null) return told;
	if (found === null) throw new Error('The log has no such leaf.');
	const path = (await pathTo(read, checkpoint, found, Buffer.from(leaf))) ?? [];
	return { ...told, leaf: found, path: path.map((hash) => Buffer.from(hash).toString('base64')) };
}

async function run(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: {
			key: { type: 'string' },
			save: { type: 'string' },
			leaf: { type: 'string' },
			witnessed: { type: 'string', multiple: true },
		},
		allowPositionals: true,
	});
	const [from] = positionals;
	if (from === undefined) {
		console.error('npm run log-verify -- URL|FOLDER [--key KEY] [--save FOLDER] [--leaf TEXT] [--witnessed FILE]…');
		process.exit(2);
	}
	try {
		const { key = null, save = null, leaf = null, witnessed = [] } = values;
		console.log(JSON.stringify(await verifyLog({ from, key, save, leaf, witnessed })));
	} catch (error) {
		console.error(failureOf(error));
		process.exitCode = 1;
	}
}

if (import.meta.main) await run();
