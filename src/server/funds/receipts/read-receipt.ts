/**
 * Reads receipts in a process of their own, one after the other: a picture on which OCR never ends, or takes all
 * memory, costs that process alone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Refused } from '#values/error-catalogue.ts';

const LONGEST_MS = 30_000;
const MOST_BYTES = 700 * 1024 * 1024;
const LOOK_EVERY_MS = 100;
const PAGE_BYTES = 4096;
/** Pictures in the queue. */
const LONGEST_QUEUE = 50;

const PROCESS = join(import.meta.dirname, 'ocr-process.ts');

export class ReceiptReader {
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;
	#child: ChildProcess | null = null;
	#isStopping = false;
	readonly #limits: { longestMs: number; mostBytes: number };

	constructor(limits: Partial<{ longestMs: number; mostBytes: number }> = {}) {
		this.#limits = { longestMs: LONGEST_MS, mostBytes: MOST_BYTES, ...limits };
	}

	/**
	 * The text on a picture; null when it could not be read within the limits, or the queue is full.
	 * @throws Refused DRAINING when the server stops meanwhile: nothing is known of the picture
	 */
	async read(picture: Buffer): Promise<string | null> {
		if (this.#waiting >= LONGEST_QUEUE) return null;
		this.#waiting++;
		const turn = this.#last.then(() => this.#run(picture));
		this.#last = turn.catch(() => undefined);
		try {
			return await turn;
		} finally {
			this.#waiting--;
		}
	}

	/** Ends the running reading, and the queue. */
	stop(): void {
		this.#isStopping = true;
		this.#child?.kill('SIGKILL');
	}

	async #run(picture: Buffer): Promise<string | null> {
		if (this.#isStopping) throw new Refused('DRAINING');
		const child = spawn(process.execPath, ['--max-old-space-size=256', PROCESS], {
			stdio: ['pipe', 'pipe', 'ignore'],
			env: { PATH: process.env['PATH'] ?? '' },
		});
		this.#child = child;
		const kill = () => child.kill('SIGKILL');
		const late = setTimeout(kill, this.#limits.longestMs);
		const heavy = setInterval(() => {
			if (residentBytes(child.pid) > this.#limits.mostBytes) kill();
		}, LOOK_EVERY_MS);
		const ended = new Promise<number | null>((resolve) => {
			child.on('close', resolve);
			child.on('error', () => resolve(null));
		});
		child.stdin.on('error', () => undefined);
		child.stdin.end(picture);
		const [read, code] = await Promise.all([text(child.stdout).catch(() => ''), ended]);
		clearTimeout(late);
		clearInterval(heavy);
		this.#child = null;
		if (this.#isStopping) throw new Refused('DRAINING');
		return code === 0 ? read : null;
	}
}

/** 0 where the system does not say. */
function residentBytes(pid: number | undefined): number {
	try {
		const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
		return Number(pages) * PAGE_BYTES;
	} catch {
		return 0;
	}
}
