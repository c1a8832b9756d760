/**
 * The connection to a Betfair Exchange Stream: JSON lines over TLS, authentication, one market subscription,
 * heartbeats. It reconnects automatically and resumes from the last clocks. Source: the public Exchange Stream API
 * documentation; exchange rules, "Feeds".
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { BackOff } from '#server/platform/pacing/back-off.ts';
import type { MarketChange, MarketMessage } from '#server/world/feeds/betfair/stream-market.ts';

export interface StreamOptions {
	host: string;
	port: number;
	/** TLS options, such as a private certificate authority. */
	tls?: Pick<ConnectionOptions, 'ca'>;
	appKey: string;
	/** Returns a valid session token; called for each authentication. `wasRefused` says that the last token was refused. */
	session(wasRefused?: boolean): Promise<string>;
	/** The stream's market filter. */
	marketFilter: object;
	log: Logger;
	/** Receives whole messages: segments are joined first. */
	onMessage(message: MarketMessage): void;
	/** The stream resumed where it was: every market known before the loss is current again. */
	onResumed(): void;
	/** The stream sent a message, at least a heartbeat. */
	onAlive(): void;
	/** The connection broke or was silent for longer than two heartbeats: no market is current any more. */
	onLost(): void;
}

/** Longest interval between two messages of the stream. */
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = HEARTBEAT_MS * 2;
/** Prices at all levels, the last traded price, and the definition. */
const FIELDS = ['EX_ALL_OFFERS', 'EX_LTP', 'EX_MARKET_DEF'];
const BACK_OFF = { firstMs: 500, longestMs: 30_000 };

/** A line of the stream, with the fields that are read here. */
interface StreamLine {
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

/** Error codes that refuse the session token. */
const NO_SESSION: ReadonlySet<string> = new Set(['NO_SESSION', 'INVALID_SESSION_INFORMATION']);

/** A refusal by the stream, with its error code. */
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
	/** Of the last whole message: a subscription with the clocks of a part would skip the other parts. */
	#clocks: { initialClk: string; clk: string } | null = null;
	#segments: MarketChange[] = [];
	/** A message has begun, and its last segment is missing. */
	#isSegmented = false;
	/** The clocks that the parts of the message carry. */
	#heard: Pick<StreamLine, 'initialClk' | 'clk'> = {};
	#resumed = false;
	#nextId = 1;
	readonly #backOff = new BackOff(BACK_OFF);
	/** The loss has been logged; it is not logged again until the stream is back. */
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
				await this.#runConnection();
			} catch (error) {
				if (this.#stopping.signal.aborted) return;
				// After a long connection the first retry is soon.
				if (Date.now() - begun > BACK_OFF.longestMs) this.#backOff.succeeded();
				if (!this.#isLost) this.#options.log.warn({ err: error }, 'the stream was lost');
				this.#isLost = true;
				// The stream has forgotten these clocks. Without them it answers with an image.
				if (error instanceof StreamRefusal && error.code === 'INVALID_CLOCK') this.#clocks = null;
				this.#sessionRefused = error instanceof StreamRefusal && NO_SESSION.has(error.code);
			}
			this.#options.onLost();
			await delay(this.#backOff.failed(), undefined, { signal: this.#stopping.signal }).catch(() => undefined);
		}
	}

	/** Connects, authenticates, subscribes, and handles lines until the connection ends. @throws the reason for the end */
	async #runConnection(): Promise<void> {
		const { host, port, tls, appKey, session } = this.#options;
		const socket = connect({ host, port, servername: host, ...tls });
		this.#socket = socket;
		this.#segments = [];
		this.#isSegmented = false;
		this.#heard = {};
		this.#resumed = false;
		socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`silent for ${SILENCE_MS} ms`)));
		const lines = createInterface({ input: socket });
		const read = lines[Symbol.asyncIterator]();
		let reason = new Error('the stream closed the connection');
		socket.on('error', (error) => {
			reason = error;
		});
		// The reader gets no error at the end. A race of each line against the end would be kept until the end.
		const closed = once(socket, 'close').then(
			() => lines.close(),
			() => lines.close(),
		);
		try {
			await Promise.race([once(socket, 'secureConnect'), closed]);
			const next = async (): Promise<StreamLine> => {
				const line = await read.next();
				if (line.done) throw reason;
				return parseLine(line.value);
			};
			const greeting = await next();
			if (greeting.op !== 'connection') throw new Error(`the stream began with ${greeting.op ?? 'nothing known'}`);
			await this.#request(socket, next, { op: 'authentication', appKey, session: await session(this.#sessionRefused) });
			this.#send(socket, this.#subscription());
			for (;;) this.#handle(await next());
		} finally {
			socket.destroy();
		}
	}

	#send(socket: TLSSocket, message: object): void {
		socket.write(`${JSON.stringify({ id: this.#nextId++, ...message })}\r\n`);
	}

	async #request(socket: TLSSocket, next: () => Promise<StreamLine>, message: object): Promise<void> {
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

	#handle(line: StreamLine): void {
		if (line.op === 'status' && line.statusCode !== 'SUCCESS') throw refusalOf(line);
		if (line.op !== 'mcm') return;
		if (this.#isLost) this.#options.log.info({ failures: this.#backOff.failures }, 'the stream is back');
		this.#isLost = false;
		if (line.initialClk !== undefined) this.#heard.initialClk = line.initialClk;
		if (line.clk !== undefined) this.#heard.clk = line.clk;
		if (line.ct === 'HEARTBEAT') {
			if (!this.#isSegmented) this.#takeClocks();
			return this.#options.onAlive();
		}
		this.#resumed ||= line.ct === 'RESUB_DELTA';
		this.#segments.push(...(line.mc ?? []));
		this.#isSegmented = line.segmentType === 'SEG_START' || line.segmentType === 'SEG';
		if (this.#isSegmented) return;
		const mc = this.#segments;
		this.#segments = [];
		if (mc.length > 0) this.#deliver({ op: 'mcm', pt: line.pt ?? 0, mc });
		this.#takeClocks();
		if (this.#resumed) this.#options.onResumed();
		this.#resumed = false;
		this.#options.onAlive();
	}

	#takeClocks(): void {
		const { initialClk, clk } = this.#heard;
		if (initialClk !== undefined) this.#clocks = { initialClk, clk: clk ?? '' };
		else if (clk !== undefined && this.#clocks) this.#clocks.clk = clk;
		this.#heard = {};
	}

	/** A message that fails here is lost, so the next connection has to start with an image. */
	#deliver(message: MarketMessage): void {
		try {
			this.#options.onMessage(message);
		} catch (error) {
			this.#clocks = null;
			throw error;
		}
	}
}

function refusalOf({ errorCode, errorMessage, op }: StreamLine): StreamRefusal {
	return new StreamRefusal(errorCode ?? 'UNEXPECTED', errorMessage ?? `answered with ${op ?? 'nothing known'}`);
}

/** Ignores unknown fields. @throws Error when the text is not a JSON object */
function parseLine(text: string): StreamLine {
	const line: unknown = JSON.parse(text);
	if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new Error('a line that is no object');
	return line as StreamLine;
}
