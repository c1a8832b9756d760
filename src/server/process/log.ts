/** The log: JSON lines on stdout, written outside the event loop, with a bounded backlog. */
import { fstatSync, write } from 'node:fs';
import { type Logger, pino } from 'pino';

/** Fields that are redacted wherever they stand in a logged object. */
const REDACTED = [
	'password',
	'confirmPassword',
	'currentPassword',
	'newPassword',
	'accessToken',
	'refreshToken',
	'otp',
	'autoVerifyCode',
	'client_secret',
	'code_hash',
	'token',
	'authorization',
	'appKey',
	'session',
	'sessionToken',
	'apiKey',
	'webhookKeys',
	'clientSecret',
	'pass',
	'SMTP_URL',
].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

const STDOUT = 1;
/** Limit of the backlog in characters; lines beyond it are dropped and counted. */
const LARGEST_BACKLOG = 1024 * 1024;
/** The pause after a failed write. */
const RETRY_MS = 1000;
/** How long the end of the process waits for the last lines. */
const FLUSH_LIMIT_MS = 1000;
/** pino's level of a warning. */
const WARNING = 40;

/** Writes bytes and reports how many were written, or the error. */
export type WriteBytes = (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;

/**
 * The stream that pino writes to. While the log blocks or fails, lines are queued in a bounded backlog and the write is
 * retried. Lines beyond the bound are dropped, and the log reports their number when it can be written again.
 */
export class LogDestination {
	readonly #writeBytes: WriteBytes;
	readonly #retryMs: number;
	/** A write is in progress. */
	#busy = false;
	#waiting: string[] = [];
	#waitingLength = 0;
	#dropped = 0;
	#onIdle: (() => void)[] = [];

	constructor(writeBytes: WriteBytes, retryMs = RETRY_MS) {
		this.#writeBytes = writeBytes;
		this.#retryMs = retryMs;
	}

	/** Takes a line with its line break. Never throws and never blocks. */
	write(line: string): void {
		if (this.#waitingLength + line.length > LARGEST_BACKLOG) {
			this.#dropped += 1;
			return;
		}
		this.#waiting.push(line);
		this.#waitingLength += line.length;
		if (!this.#busy) this.#next();
	}

	/** Resolves when every line is written, or after a time limit if the log cannot be written. */
	async flushed(): Promise<void> {
		if (!this.#busy) return;
		await new Promise<void>((resolve) => {
			const limit = setTimeout(resolve, FLUSH_LIMIT_MS);
			this.#onIdle.push(() => {
				clearTimeout(limit);
				resolve();
			});
		});
	}

	#next(): void {
		if (this.#dropped > 0) this.#waiting.push(droppedLine(this.#dropped));
		this.#dropped = 0;
		if (this.#waiting.length === 0) {
			this.#busy = false;
			for (const resolve of this.#onIdle.splice(0)) resolve();
			return;
		}
		const chunk = Buffer.from(this.#waiting.join(''));
		this.#busy = true;
		this.#waiting = [];
		this.#waitingLength = 0;
		this.#send(chunk);
	}

	#send(bytes: Buffer): void {
		this.#writeBytes(bytes, (error, written) => {
			if (error) {
				setTimeout(() => this.#send(bytes), this.#retryMs).unref();
				return;
			}
			const rest = bytes.subarray(written);
			if (rest.length > 0) this.#send(rest);
			else this.#next();
		});
	}
}

const droppedLine = (dropped: number): string =>
	`${JSON.stringify({ level: WARNING, time: Date.now(), dropped, msg: 'the log could not be written; lines were dropped' })}\n`;

/**
 * Regular files are written by a thread. process.stdout would write in the event loop, and throw when the disk is
 * full.
 */
function writeToStdout(): WriteBytes {
	if (fstatSync(STDOUT).isFile()) return (bytes, done) => write(STDOUT, bytes, done);
	// A closed reader is an error of the write, not of the process.
	process.stdout.on('error', () => {});
	return (bytes, done) => {
		process.stdout.write(bytes, (error) => done(error ?? null, bytes.length));
	};
}

interface OpenLog {
	log: Logger;
	/** Flushes the last lines before the process ends. */
	flushed(): Promise<void>;
}

/** @param level of pino; `silent` writes nothing */
export function openLog(level: string): OpenLog {
	const destination = new LogDestination(
		level === 'silent' ? (bytes, done) => done(null, bytes.length) : writeToStdout(),
	);
	const log = pino({ level, redact: REDACTED }, destination);
	return { log, flushed: () => destination.flushed() };
}
