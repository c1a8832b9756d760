/**
 * The line to a Betfair Exchange Stream: one JSON object a line over TLS, authentication, one market subscription,
 * heartbeats. It comes back by itself after a loss and resumes with the clocks it was given last.
 * Source: the public Exchange Stream API documentation; exchange rules, "Feeds".
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { BackOff } from '#server/back-off.ts';
import type { MarketChange, MarketMessage } from '#server/feeds/betfair/stream-market.ts';

export interface StreamOptions {
	host: string;
	port: number;
	/** What TLS is to be told besides: a certificate authority of one's own. */
	tls?: Pick<ConnectionOptions, 'ca'>;
	appKey: string;
	/** A session token that is good now, asked for at every authentication; the last one may have been refused. */
	session(wasRefused?: boolean): Promise<string>;
	/** Which markets: the stream's own filter. */
	marketFilter: object;
	log: Logger;
	/** Whole messages; those that came in segments are put together. */
	onMessage(message: MarketMessage): void;
	/** The stream went on where it was: all that was known before the loss is current again. */
	onResumed(): void;
	/** The stream said something, if only that nothing changed. */
	onAlive(): void;
	/** Nothing is known any more: the line broke, or was silent for longer than two heartbeats. */
	onLost(): void;
}

/** The stream says something at least this often. */
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = HEARTBEAT_MS * 2;
/** Prices of all levels, traded price, and the definition. */
const FIELDS = ['EX_ALL_OFFERS', 'EX_LTP', 'EX_MARKET_DEF'];
const WAITS = { firstMs: 500, longestMs: 30_000 };

/** What a line may be, as far as it concerns us. */
interface Line {
	op?: string;
	id?: number;
	statusCode?: string;
	errorCode?: string;
	errorMessage?: string;
	ct?: 'SUB_IMAGE' | 'RESUB_DELTA' | 'HEARTBEAT';
	segmentType?: 'SEG_START' | 'SEG' | 'SEG_END';
	clk?: string;
	initialClk?: string;
	pt?: number;
	mc?: MarketChange[];
}

/** Refusals of the session token. */
const NO_SESSION: ReadonlySet<string> = new Set(['NO_SESSION', 'INVALID_SESSION_INFORMATION']);

/** The stream refused something; its code says what. */
class StreamRefusal extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(`${code}: ${message}`);
		this.code = code;
	}
}

export class StreamConnection {
	readonly #options: StreamOptions;
	readonly #stopping = new AbortController();
	#socket: TLSSocket | null = null;
	#running: Promise<void> = Promise.resolve();
	#clocks: { initialClk: string; clk: string } | null = null;
	#segments: MarketChange[] = [];
	#resumed = false;
	#nextId = 1;
	readonly #backOff = new BackOff(WAITS);
	/** The log says so; it does not say it again before the stream is back. */
	#isLost = false;
	#sessionRefused = false;

	constructor(options: StreamOptions) {
		this.#options = options;
	}

	start(): void {
		this.#running = this.#keepConnected();
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		this.#socket?.destroy();
		await this.#running;
	}

	async #keepConnected(): Promise<void> {
		while (!this.#stopping.signal.aborted) {
			const begun = Date.now();
			try {
				await this.#converse();
			} catch (error) {
				if (this.#stopping.signal.aborted) return;
				// A line that stood for a while may be tried again soon.
				if (Date.now() - begun > WAITS.longestMs) this.#backOff.succeeded();
				if (!this.#isLost) this.#options.log.warn({ err: error }, 'the stream was lost');
				this.#isLost = true;
				// Clocks the stream does not know any more lead nowhere: the next answer is an image.
				if (error instanceof StreamRefusal && error.code === 'INVALID_CLOCK') this.#clocks = null;
				this.#sessionRefused = error instanceof StreamRefusal && NO_SESSION.has(error.code);
			}
			this.#options.onLost();
			await delay(this.#backOff.failed(), undefined, { signal: this.#stopping.signal }).catch(() => undefined);
		}
	}

	/** From connecting to the end of the line. @throws with the reason */
	async #converse(): Promise<void> {
		const { host, port, tls, appKey, session } = this.#options;
		const socket = connect({ host, port, servername: host, ...tls });
		this.#socket = socket;
		this.#segments = [];
		this.#resumed = false;
		socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`silent for ${SILENCE_MS} ms`)));
		const ended = new Promise<never>((_, reject) => {
			socket.on('error', reject);
			socket.once('close', () => reject(new Error('the stream closed the line')));
		});
		ended.catch(() => undefined);
		try {
			await Promise.race([once(socket, 'secureConnect'), ended]);
			const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
			const next = async (): Promise<Line> => {
				const line = await Promise.race([lines.next(), ended]);
				if (line.done) throw new Error('the stream closed the line');
				return parseLine(line.value);
			};
			const greeting = await next();
			if (greeting.op !== 'connection') throw new Error(`the stream began with ${greeting.op ?? 'nothing known'}`);
			await this.#ask(socket, next, { op: 'authentication', appKey, session: await session(this.#sessionRefused) });
			this.#send(socket, this.#subscription());
			for (;;) this.#take(await next());
		} finally {
			socket.destroy();
		}
	}

	#send(socket: TLSSocket, message: object): void {
		socket.write(`${JSON.stringify({ id: this.#nextId++, ...message })}\r\n`);
	}

	async #ask(socket: TLSSocket, next: () => Promise<Line>, message: object): Promise<void> {
		this.#send(socket, message);
		const answer = await next();
		if (answer.op !== 'status' || answer.statusCode !== 'SUCCESS') throw refusalOf(answer);
	}

	#subscription(): object {
		const { marketFilter } = this.#options;
		return {
			op: 'marketSubscription',
			marketFilter,
			marketDataFilter: { fields: FIELDS },
			heartbeatMs: HEARTBEAT_MS,
			segmentationEnabled: true,
			...this.#clocks,
		};
	}

	#take(line: Line): void {
		if (line.op === 'status' && line.statusCode !== 'SUCCESS') throw refusalOf(line);
		if (line.op !== 'mcm') return;
		if (this.#isLost) this.#options.log.info({ failures: this.#backOff.failures }, 'the stream is back');
		this.#isLost = false;
		if (line.initialClk !== undefined) this.#clocks = { initialClk: line.initialClk, clk: line.clk ?? '' };
		else if (line.clk !== undefined && this.#clocks) this.#clocks.clk = line.clk;
		if (line.ct === 'HEARTBEAT') return this.#options.onAlive();
		this.#resumed ||= line.ct === 'RESUB_DELTA';
		this.#segments.push(...(line.mc ?? []));
		if (line.segmentType === 'SEG_START' || line.segmentType === 'SEG') return;
		const mc = this.#segments;
		this.#segments = [];
		if (mc.length > 0) this.#tell({ op: 'mcm', pt: line.pt ?? 0, mc });
		if (this.#resumed) this.#options.onResumed();
		this.#resumed = false;
		this.#options.onAlive();
	}

	/** What could not be taken in is missing from then on, so the next answer has to be an image. */
	#tell(message: MarketMessage): void {
		try {
			this.#options.onMessage(message);
		} catch (error) {
			this.#clocks = null;
			throw error;
		}
	}
}

function refusalOf({ errorCode, errorMessage, op }: Line): StreamRefusal {
	return new StreamRefusal(errorCode ?? 'UNEXPECTED', errorMessage ?? `answered with ${op ?? 'nothing known'}`);
}

/** Unknown fields are left alone. @throws on what is no JSON object */
function parseLine(text: string): Line {
	const line: unknown = JSON.parse(text);
	if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new Error('a line that is no object');
	return line as Line;
}
