/** A public log as a page reads it: each file once, under one signed checkpoint. */
import { toBase64 } from '#public-log/base64.ts';
import { type Checkpoint, readCheckpoint } from '#public-log/checkpoint.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { leavesOf, TILE_WIDTH, tilePath, tileWidth } from '#public-log/tiles.ts';
import { pathTo, type ReadFile } from '#public-log/verify-log.ts';

interface ReadLog {
	/** Reads below the log's address. */
	read: ReadFile;
	/** NAME+ID+KEY, as the house publishes it. */
	key: string;
	/** The signed note. */
	note: string;
	checkpoint: Checkpoint;
}

export class LogReader {
	readonly #log: ReadLog;
	readonly #files = new Map<string, Promise<Uint8Array>>();

	private constructor(log: ReadLog) {
		this.#log = log;
	}

	/** @param read reads below `/public-log/` @throws Error if the checkpoint is not signed by the log's key */
	static async open(read: ReadFile, log: number): Promise<LogReader> {
		const [logs, note] = await Promise.all([textOf(read, 'logs.json'), textOf(read, `${log}/checkpoint`)]);
		const known = (JSON.parse(logs) as { log: number; key: string }[]).find((published) => published.log === log);
		if (!known) throw new Error(`there is no log ${log}`);
		const checkpoint = readCheckpoint(note, parseVerifierKey(known.key));
		return new LogReader({ read: (path) => read(`${log}/${path}`), key: known.key, note, checkpoint });
	}

	get key(): string {
		return this.#log.key;
	}

	/** The leaf at that place, and whether the signed tree has it there. */
	async leaf(entry: number): Promise<{ leaf: unknown; isLogged: boolean }> {
		const index = Math.floor(entry / TILE_WIDTH);
		const width = tileWidth(null, index, this.#log.checkpoint.size);
		const bytes = leavesOf(await this.#file(tilePath({ level: null, index, width })))[entry % TILE_WIDTH];
		if (!bytes) throw new Error(`the log has no leaf ${entry}`);
		const path = await this.#pathTo(entry, bytes);
		return { leaf: JSON.parse(new TextDecoder().decode(bytes)), isLogged: path !== null };
	}

	/** What proves later that the log has that leaf there; the path is empty where it has another one. */
	async proofOf(entry: number, leaf: string): Promise<{ index: number; path: string[]; checkpoint: string }> {
		const path = await this.#pathTo(entry, new TextEncoder().encode(leaf));
		return { index: entry, path: (path ?? []).map(toBase64), checkpoint: this.#log.note };
	}

	#pathTo(entry: number, leaf: Uint8Array): Promise<Uint8Array[] | null> {
		return pathTo((name) => this.#file(name), this.#log.checkpoint, entry, leaf);
	}

	#file(path: string): Promise<Uint8Array> {
		const file = this.#files.get(path) ?? this.#log.read(path);
		this.#files.set(path, file);
		return file;
	}
}

const textOf = async (read: ReadFile, path: string): Promise<string> => new TextDecoder().decode(await read(path));
