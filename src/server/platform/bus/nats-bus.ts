/**
 * The bus between processes, over NATS. A process's own subscribers receive its messages immediately, as on the local
 * bus; other processes receive the messages of their subscribed topics through NATS, in order. Any client of the NATS
 * server can publish, so it belongs on a private network.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
	connect,
	createInbox,
	type Msg,
	type NatsConnection,
	NoRespondersError,
	type Subscription,
	TimeoutError,
} from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { type Bus, type BusMessage, LocalBus } from '#server/platform/bus/bus.ts';
import { NatsInterests } from '#server/platform/bus/nats-interests.ts';
import { isPart, PartJoiner, PartWriter } from '#server/platform/bus/numbered-parts.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Bytes between processes. */
interface BytesBus {
	/** Sends bytes to the listeners of a subject in other processes. @param replyTo the subject of the answer */
	publishBytes(subject: string, bytes: Uint8Array, replyTo: string): void;
	/** @returns a function that ends the subscription */
	subscribeBytes(subject: string, onBytes: (received: ReceivedBytes) => void): () => void;
}

/** The additional features of a bus between the processes of one engine. */
export interface RemoteBus extends Bus, BytesBus {
	/** Reaches the processes of all engines. */
	readonly shared: BytesBus;
	/** Asks another process. @throws Refused STARTING when no process answers in time */
	ask(question: string, input: readonly unknown[]): Promise<unknown>;
	/** Answers the questions of other processes. One that throws Refused DRAINING leaves the answer to another process. */
	answer(question: string, answerer: (input: readonly unknown[]) => Promise<unknown>): void;
	/** Announces the start of this process to the others, now and after each lost connection. */
	announce(): void;
	/** Another process restarted, or the lost connection to the others was restored: messages may be missing. */
	onGap(listener: () => void): void;
	/**
	 * Runs a publishing job together with all other messages of this turn of the event loop: each write to the
	 * connection costs as much as many messages.
	 */
	atEndOfTurn(job: () => void): void;
	/**
	 * Whether this process is connected to the others now. Messages published without a connection are sent later or
	 * never.
	 */
	isConnected(): boolean;
	/** The connection was lost or restored. */
	onConnection(listener: (isConnected: boolean) => void): void;
	close(): Promise<void>;
}

/** Bytes from another process. */
export interface ReceivedBytes {
	subject: string;
	bytes: Uint8Array;
	/** Empty when no answer is expected. */
	replyTo: string;
	/** No process received the message that expects its answer on this subject. */
	hasNoResponders: boolean;
}

const ANSWER_WITHIN_MS = 3_000;
const FAREWELL_MS = 1_000;
const ASK_AGAIN_MS = 100;
const RECONNECT_EVERY_MS = 500;
const NO_RESPONDERS = 503;
/** What a process says that does not lead any more: another one answers, now or soon. */
const LEFT = JSON.stringify({ left: true });
/** Of a message; parts of images have a mark besides (`doors/gateway/message-parts.ts`). */
const LARGEST_BYTES = 512 * 1024;
/** Of UTF-8, for one of a string's units. */
const MOST_BYTES_A_UNIT = 3;
const PREFIX = 'backlay';
/** The scope that processes of all engines share. */
const SHARED = `${PREFIX}.engines`;

const isTooLong = (text: string): boolean =>
	text.length * MOST_BYTES_A_UNIT > LARGEST_BYTES && Buffer.byteLength(text) > LARGEST_BYTES;

/** Bytes on the subjects below a prefix. */
class NatsBytes implements BytesBus {
	readonly #nats: NatsConnection;
	readonly #log: Logger;
	readonly #prefix: string;

	constructor(nats: NatsConnection, log: Logger, prefix: string) {
		this.#nats = nats;
		this.#log = log;
		this.#prefix = `${prefix}.bytes.`;
	}

	publishBytes(subject: string, bytes: Uint8Array, replyTo: string): void {
		if (this.#nats.isClosed()) return;
		const reply = replyTo ? { reply: this.#prefix + replyTo } : {};
		this.#nats.publish(this.#prefix + subject, bytes, reply);
	}

	subscribeBytes(subject: string, onBytes: (received: ReceivedBytes) => void): () => void {
		const subscription = this.#nats.subscribe(this.#prefix + subject, {
			callback: (error, message) => {
				if (error) this.#log.error({ err: error, subject }, 'a subscription failed');
				else onBytes(this.#received(message));
			},
		});
		return () => subscription.unsubscribe();
	}

	#received({ subject, data, reply = '', headers }: Msg): ReceivedBytes {
		return {
			subject: subject.slice(this.#prefix.length),
			bytes: data,
			replyTo: reply.slice(this.#prefix.length),
			hasNoResponders: data.length === 0 && headers?.code === NO_RESPONDERS,
		};
	}
}

export class NatsBus implements RemoteBus {
	readonly #nats: NatsConnection;
	readonly #log: Logger;
	/** Before all subjects of its scope. */
	readonly #prefix: string;
	readonly #bytes: NatsBytes;
	readonly shared: BytesBus;
	readonly #local = new LocalBus();
	readonly #interests: NatsInterests;
	/** One NATS subscription for each topic, for any number of local subscribers. */
	readonly #remote = new Map<string, { subscription: Subscription; listeners: number }>();
	#announces = false;
	readonly #gapListeners: (() => void)[] = [];
	readonly #connectionListeners: ((isConnected: boolean) => void)[] = [];
	#isConnected = true;
	/** The news of this turn, by topic. */
	readonly #news = new Map<string, string[]>();
	readonly #parts = { writer: new PartWriter(), joiner: new PartJoiner() };
	/** What ends the questions that wait for their answers. */
	readonly #asking = new Set<(error: Error) => void>();
	/** Jobs that publish at the end of this turn. */
	#jobs: (() => void)[] = [];

	private constructor(nats: NatsConnection, log: Logger, prefix: string) {
		this.#nats = nats;
		this.#log = log;
		this.#prefix = prefix;
		this.#bytes = new NatsBytes(nats, log, prefix);
		this.shared = new NatsBytes(nats, log, SHARED);
		const interests = `${prefix}.interests`;
		this.#interests = new NatsInterests({
			send: (text) => !nats.isClosed() && nats.publish(interests, text),
			onForgotten: () => this.#publishGap(),
		});
		void this.#watch();
		nats.subscribe(interests, { callback: (_, announcement) => this.#interests.hear(announcement.string()) });
		nats.subscribe(this.#partsOf('>'), { callback: (_, part) => this.#hearPart(part) });
		nats.subscribe(this.#beginnings, { callback: () => this.#begunAgain() });
		this.#interests.announceAll();
	}

	/**
	 * @param scope names the processes that hear one another: those of one engine; empty for the engine of all pools
	 * @param url with tls:// the connection is encrypted, and the server's certificate must be valid for its name
	 * @throws if no server answers at this address, its certificate does not hold, or its messages are too small
	 */
	static async connect(url: string, log: Logger, scope = ''): Promise<NatsBus> {
		const { username, password, host, hostname, protocol } = new URL(url);
		// Without it the client encrypts only where the server asks for it, and anything in between can ask for nothing. It
		// compares the certificate with a name by itself, and with an address by `host`.
		const tls = { handshakeFirst: false, host: hostname.replace(/^\[|\]$/g, '') };
		const nats = await connect({
			servers: `${protocol}//${host}`,
			...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
			...(protocol === 'tls:' ? { tls } : {}),
			name: 'backlay',
			// The local bus has already delivered it to this process.
			noEcho: true,
			maxReconnectAttempts: -1,
			reconnectTimeWait: RECONNECT_EVERY_MS,
		});
		const taken = nats.info?.max_payload ?? 0;
		if (taken <= LARGEST_BYTES) {
			await nats.close();
			throw new Error(`NATS takes messages of ${taken} bytes: raise its max_payload above ${LARGEST_BYTES}.`);
		}
		return new NatsBus(nats, log, scope === '' ? PREFIX : `${PREFIX}.${scope}`);
	}

	get #beginnings(): string {
		return `${this.#prefix}.beginnings`;
	}
	#newsOf(topic: string): string {
		return `${this.#prefix}.news.${topic}`;
	}
	/** News above what one message takes. */
	#partsOf(topic: string): string {
		return `${this.#prefix}.parts.${topic}`;
	}
	#questionOf(question: string): string {
		return `${this.#prefix}.ask.${question}`;
	}

	isFollowed(topic: string): boolean {
		return this.#local.isFollowed(topic) || this.#interests.isFollowed(topic);
	}

	publish(topic: string, message: BusMessage): void {
		this.#local.publish(topic, message);
		if (!this.#interests.isFollowed(topic)) return;
		const payload = JSON.stringify(message);
		const news = this.#news.get(topic);
		if (news) news.push(payload);
		else {
			if (this.#news.size === 0) this.atEndOfTurn(() => this.#publishNews());
			this.#news.set(topic, [payload]);
		}
	}

	/** A player's bet and balance change together: the news of one topic and turn are one message. */
	#publishNews(): void {
		for (const [topic, news] of this.#news) this.#publishAbout(topic, news);
		this.#news.clear();
	}

	/** In one message where it takes all, else in several; a single piece of news above it goes in parts. */
	#publishAbout(topic: string, news: readonly string[]): void {
		let step: string[] = [];
		let bytes = 0;
		const send = (): void => {
			const text = `[${step.join(',')}]`;
			if (!isTooLong(text)) this.#nats.publish(this.#newsOf(topic), text);
			else
				for (const part of this.#parts.writer.partsOf(text, LARGEST_BYTES))
					this.#nats.publish(this.#partsOf(topic), part);
			step = [];
			bytes = 0;
		};
		for (const payload of news) {
			const size = payload.length * MOST_BYTES_A_UNIT + 1;
			if (step.length > 0 && bytes + size >= LARGEST_BYTES) send();
			step.push(payload);
			bytes += size;
		}
		send();
	}

	#hearPart({ subject, data }: Msg): void {
		const news = this.#parts.joiner.join(data);
		if (news === 'LOST') this.#publishGap();
		else if (news !== null) this.#hearNews(subject.slice(this.#partsOf('').length), JSON.parse(news) as BusMessage[]);
	}

	#hearNews(topic: string, news: readonly BusMessage[]): void {
		if (this.#remote.has(topic)) for (const message of news) this.#local.publish(topic, message);
	}

	atEndOfTurn(job: () => void): void {
		this.#jobs.push(job);
		if (this.#jobs.length === 1) setImmediate(() => this.#runJobs());
	}

	#runJobs(): void {
		const jobs = this.#jobs;
		this.#jobs = [];
		if (!this.#nats.isClosed()) for (const job of jobs) job();
	}

	subscribe(topic: string, listener: (message: BusMessage) => void): () => void {
		const leave = this.#local.subscribe(topic, listener);
		const held = this.#remote.get(topic);
		if (held) held.listeners += 1;
		else {
			this.#remote.set(topic, { subscription: this.#listen(topic), listeners: 1 });
			this.#interests.follow(topic);
		}
		let left = false;
		return () => {
			if (left) return;
			left = true;
			leave();
			const remote = this.#remote.get(topic);
			if (!remote) return;
			remote.listeners -= 1;
			if (remote.listeners > 0) return;
			remote.subscription.unsubscribe();
			this.#remote.delete(topic);
			this.#interests.leave(topic);
		};
	}

	async ask(question: string, input: readonly unknown[]): Promise<unknown> {
		const answer = await this.#request(this.#questionOf(question), JSON.stringify(input));
		const { result, failed } = JSON.parse(answer) as { result?: unknown; failed?: boolean };
		if (failed) throw new Refused('INTERNAL');
		return result;
	}

	answer(question: string, answerer: (input: readonly unknown[]) => Promise<unknown>): void {
		this.#nats.subscribe(this.#questionOf(question), {
			callback: (_, asked) => void this.#respond(asked, answerer),
		});
	}

	announce(): void {
		this.#announces = true;
		this.#nats.publish(this.#beginnings);
	}

	onGap(listener: () => void): void {
		this.#gapListeners.push(listener);
	}

	publishBytes(subject: string, bytes: Uint8Array, replyTo: string): void {
		this.#bytes.publishBytes(subject, bytes, replyTo);
	}

	subscribeBytes(subject: string, onBytes: (received: ReceivedBytes) => void): () => void {
		return this.#bytes.subscribeBytes(subject, onBytes);
	}

	isConnected(): boolean {
		return this.#isConnected && !this.#nats.isClosed();
	}

	onConnection(listener: (isConnected: boolean) => void): void {
		this.#connectionListeners.push(listener);
	}

	/** Resolves when all published messages were sent, unless NATS is unreachable. */
	async close(): Promise<void> {
		this.#runJobs();
		this.#interests.close();
		const flushed = this.#nats
			.flush()
			.catch((error: unknown) => this.#log.debug({ err: error }, 'NATS is unavailable'));
		await Promise.race([flushed, delay(FAREWELL_MS)]);
		await this.#nats.close();
		for (const reject of this.#asking) reject(new Error('the connection is closed'));
	}

	#listen(topic: string): Subscription {
		return this.#nats.subscribe(this.#newsOf(topic), {
			callback: (error, message) => {
				if (error) this.#log.error({ err: error, topic }, 'a subscription failed');
				else this.#hearNews(topic, message.json<BusMessage[]>());
			},
		});
	}

	/** Repeats the question until it is answered: the answering process may be restarting. */
	async #request(subject: string, payload: string): Promise<string> {
		const until = Date.now() + ANSWER_WITHIN_MS;
		for (;;) {
			try {
				return await this.#answerTo(subject, payload, Math.max(1, until - Date.now()));
			} catch (error) {
				if (error instanceof NoRespondersError && Date.now() + ASK_AGAIN_MS < until) {
					await delay(ASK_AGAIN_MS);
					continue;
				}
				this.#log.debug({ err: error, subject }, 'no process answered a question');
				throw new Refused('STARTING');
			}
		}
	}

	/** The text of the answer, which may come in parts. @throws Error such as NoRespondersError, TimeoutError */
	async #answerTo(subject: string, payload: string, timeoutMs: number): Promise<string> {
		const { promise, resolve, reject } = Promise.withResolvers<string>();
		const [inbox, joiner] = [createInbox(), new PartJoiner()];
		const ask = () => this.#nats.publish(subject, payload, { reply: inbox });
		let again: NodeJS.Timeout | undefined;
		const subscription = this.#nats.subscribe(inbox, {
			callback: (error, message) => {
				if (error) return reject(error);
				const { data, headers } = message;
				if (data.length === 0 && headers?.code === NO_RESPONDERS) return reject(new NoRespondersError(subject));
				const text = isPart(data) ? joiner.join(data) : Buffer.from(data).toString('utf8');
				if (text === 'LOST') reject(new Error('a part of the answer is missing'));
				else if (text === LEFT) {
					// Its successor may not listen yet. What it answers to an earlier asking counts.
					clearTimeout(again);
					again = setTimeout(ask, ASK_AGAIN_MS);
				} else if (text !== null) resolve(text);
			},
		});
		const timer = setTimeout(() => reject(new TimeoutError()), timeoutMs);
		this.#asking.add(reject);
		try {
			ask();
			return await promise;
		} finally {
			clearTimeout(timer);
			clearTimeout(again);
			this.#asking.delete(reject);
			subscription.unsubscribe();
		}
	}

	async #respond(asked: Msg, answerer: (input: readonly unknown[]) => Promise<unknown>): Promise<void> {
		try {
			const text = JSON.stringify({ result: await answerer(asked.json<unknown[]>()) });
			if (!isTooLong(text)) asked.respond(text);
			else for (const part of this.#parts.writer.partsOf(text, LARGEST_BYTES)) asked.respond(part);
		} catch (error) {
			if (error instanceof Refused && error.code === 'DRAINING') return void asked.respond(LEFT);
			this.#log.error({ err: error, subject: asked.subject }, 'a question could not be answered');
			asked.respond(JSON.stringify({ failed: true }));
		}
	}

	async #watch(): Promise<void> {
		for await (const { type } of this.#nats.status()) {
			if (type === 'reconnect' || type === 'disconnect') {
				this.#isConnected = type === 'reconnect';
				for (const listener of this.#connectionListeners) listener(this.#isConnected);
			}
			if (type === 'reconnect') {
				this.#begunAgain();
				if (this.#announces) this.announce();
			}
			if (type === 'disconnect') this.#log.warn('the connection to NATS is lost');
		}
	}

	/** This process announces its topics before it asks for new images. */
	#begunAgain(): void {
		this.#parts.joiner.clear();
		this.#interests.announceAll();
		this.#publishGap();
	}

	#publishGap(): void {
		for (const listener of this.#gapListeners) listener();
	}
}
