/** The target of a server's stdout and stderr, which the test reads: a pipe, or a file on a disk that can be full. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const READY = /ready on http:\/\/localhost:(\d+)/;
/** The last lines, for the message of a failed test; all of them are counted. */
const LINES_KEPT = 500;
const LOOK_EVERY_MS = 50;

/** A log of either kind. */
export interface ServerLog {
	/** For `spawn`: where stdout and stderr lead. */
	readonly stdio: 'pipe' | number;
	/** Called once with the process that was started. */
	attach(child: ChildProcess): void;
	/** How many lines have come so far. */
	readonly lines: number;
	/** The last lines, oldest first. */
	tail(): string[];
	/** Resolves with the port when the server says where it is. */
	ready(): Promise<number>;
}

/** The server writes into a pipe. Its reader may stop reading, which blocks the pipe, or go away, which breaks it. */
export class PipeLog implements ServerLog {
	readonly stdio = 'pipe';
	lines = 0;
	readonly #kept: string[] = [];
	readonly #ready = Promise.withResolvers<number>();
	#child: ChildProcess | null = null;

	attach(child: ChildProcess): void {
		this.#child = child;
		for (const stream of this.#streams()) {
			createInterface({ input: stream }).on('line', (line) => this.#note(line));
		}
	}

	#streams() {
		return [this.#child?.stdout, this.#child?.stderr].filter((stream) => stream !== null && stream !== undefined);
	}

	#note(line: string): void {
		this.lines += 1;
		this.#kept.push(line);
		if (this.#kept.length > LINES_KEPT) this.#kept.shift();
		const port = READY.exec(line)?.[1];
		if (port) this.#ready.resolve(Number(port));
	}

	tail(): string[] {
		return [...this.#kept];
	}

	ready(): Promise<number> {
		return this.#ready.promise;
	}

	/** Reads no more: after some hundred kilobytes the pipe is full and takes nothing. */
	block(): void {
		for (const stream of this.#streams()) stream.pause();
	}

	/** Reads on. */
	unblock(): void {
		for (const stream of this.#streams()) stream.resume();
	}

	/** Closes the reading end for good: every further write fails with EPIPE. */
	close(): void {
		for (const stream of this.#streams()) stream.destroy();
	}
}

/** The server writes into a file, which may stand on a `SmallDisk`. */
export class FileLog implements ServerLog {
	readonly stdio: number;
	readonly #file: string;

	constructor(file: string) {
		this.#file = file;
		this.stdio = openSync(file, 'a');
	}

	attach(): void {
		closeSync(this.stdio);
	}

	get lines(): number {
		return this.#text().split('\n').length - 1;
	}

	tail(): string[] {
		return this.#text().split('\n').slice(-LINES_KEPT);
	}

	async ready(): Promise<number> {
		for (;;) {
			const port = READY.exec(this.#text())?.[1];
			if (port) return Number(port);
			await delay(LOOK_EVERY_MS);
		}
	}

	#text(): string {
		return readFileSync(this.#file, 'utf8');
	}
}
