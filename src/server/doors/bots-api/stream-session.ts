/**
 * One connection of the stream: its client's lines, and the messages to it. A client that does not read gets no further
 * messages until it has caught up; then it gets the difference to the current state.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import * as v from 'valibot';
import { poolOf, seesSport } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import { LEAST_TIMEOUT, MOST_TIMEOUT } from '#server/doors/bots-api/heartbeats.ts';
import { NoneSubscription } from '#server/doors/bots-api/none-subscription.ts';
import { given, Numeric, Whole } from '#server/doors/bots-api/operation.ts';
import { type StreamError, type StreamHouse, StreamRefusal } from '#server/doors/bots-api/stream-house.ts';
import {
	initialClkOf,
	MarketRequest,
	marketSubscriptionOf,
	NoneRequest,
	OrderRequest,
	orderSubscriptionOf,
	termsOf,
} from '#server/doors/bots-api/stream-requests.ts';
import { linesOf, type Subscription } from '#server/doors/bots-api/subscription.ts';
import { parseJson } from '#server/doors/http/strict-json.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import { SPORTS } from '#values/sports.ts';

/** Bytes that the client has not read; above this limit it gets no new messages. */
const MOST_UNTAKEN = 256 * 1024;
/** How long a client may read nothing. */
const LONGEST_STUCK_MS = 30_000;
const CLOSING_MS = 500;

const Line = v.looseObject({ op: v.string(), id: given(v.pipe(Numeric, v.safeInteger())) });
export const Authentication = v.object({
	appKey: v.pipe(v.string(), v.maxLength(256)),
	session: v.pipe(v.string(), v.maxLength(256)),
});
export const Heartbeat = v.object({
	cancelOnDisconnectSeconds: given(v.pipe(Whole, v.maxValue(MOST_TIMEOUT))),
});

interface Running {
	subscription: Subscription;
	initialClk: string;
	/** When it was told something last; null before its first message. */
	sentAtMs: number | null;
	/** When that was its first message or an update: by it changes are conflated. */
	updatedAtMs: number;
}

export class StreamSession {
	readonly #socket: Socket;
	readonly #house: StreamHouse;
	readonly #address: string;
	readonly #connectionId = randomBytes(9).toString('base64url');
	/** By operation: a new subscription replaces the one before. */
	readonly #running = new Map<Subscription['op'], Running>();
	#caller: BotCaller | null = null;
	#credentials: { appKey: string; session: string } | null = null;
	#timer: NodeJS.Timeout | null = null;
	#dueAtMs = 0;
	/** Since when the client has read nothing. */
	#stuckSinceMs: number | null = null;

	constructor(socket: Socket, house: StreamHouse, address: string) {
		this.#socket = socket;
		this.#house = house;
		this.#address = address;
		socket.on('drain', () => this.flush());
		this.#say({ op: 'connection', connectionId: this.#connectionId });
	}

	get caller(): BotCaller | null {
		return this.#caller;
	}
	get subscriptions(): Subscription[] {
		return [...this.#running.values()].map(({ subscription }) => subscription);
	}

	/** One line of the client. */
	hear(text: Buffer): void {
		let id: number | undefined;
		try {
			const line = v.safeParse(Line, parseJson(text));
			if (!line.success) throw new StreamRefusal('INVALID_INPUT', 'This is no message.', true);
			id = line.output.id;
			this.#act(line.output.op, line.output, id);
		} catch (error) {
			this.refuse(error, id);
		}
	}

	#act(op: string, line: object, id: number | undefined): void {
		if (op === 'authentication') return this.#authenticate(line, id);
		const caller = this.#caller;
		if (!caller || !this.#credentials) throw new StreamRefusal('NOT_AUTHORIZED', 'Authenticate first.', true);
		this.#house.callers.count(caller);
		this.#house.callerOf({ ...this.#credentials, address: this.#address }, 'line');
		if (op === 'heartbeat') return this.#heartbeat(line, id, caller);
		if (op === 'marketSubscription') {
			const asked = parsed(MarketRequest, line);
			return this.#subscribe(id, marketSubscriptionOf(this.#house, caller, asked, id), initialClkOf(asked));
		}
		if (op === 'orderSubscription') {
			const asked = parsed(OrderRequest, line);
			return this.#subscribe(id, orderSubscriptionOf(this.#house, caller, asked, id), initialClkOf(asked));
		}
		if (op === 'raceSubscription' || op === 'cricketSubscription') {
			const asked = parsed(NoneRequest, line);
			const subscription = new NoneSubscription(op === 'raceSubscription' ? 'rcm' : 'ccm', termsOf(asked, id));
			return this.#subscribe(id, subscription, initialClkOf(asked));
		}
		throw new StreamRefusal('INVALID_REQUEST', 'There is no such operation.');
	}

	#authenticate(line: object, id: number | undefined): void {
		const { appKey, session } = parsed(Authentication, line);
		// A line as any other, when the client has authenticated before.
		if (this.#caller) this.#house.callers.count(this.#caller);
		const caller = this.#house.callerOf({ appKey, session, address: this.#address }, 'line');
		const left = this.#house.admit(this, caller);
		if (left === null) throw new StreamRefusal('MAX_CONNECTION_LIMIT_EXCEEDED', 'Too many connections.', true);
		// Subscriptions belong to the player who made them: after a change of player the client subscribes again.
		this.#running.clear();
		this.#caller = caller;
		this.#credentials = { appKey, session };
		this.#say({ op: 'status', id, statusCode: 'SUCCESS', connectionClosed: false, connectionsAvailable: left });
	}

	#heartbeat(line: object, id: number | undefined, caller: BotCaller): void {
		const seconds = parsed(Heartbeat, line).cancelOnDisconnectSeconds;
		const heard = () => this.#say({ op: 'status', id, statusCode: 'SUCCESS', connectionClosed: false });
		if (seconds === undefined) return heard();
		if (!caller.key.mayTrade) throw new StreamRefusal('INVALID_REQUEST', 'This key may only read.');
		if (seconds > 0 && seconds < LEAST_TIMEOUT) {
			throw new StreamRefusal('INVALID_REQUEST', `At least ${LEAST_TIMEOUT} seconds.`);
		}
		const { heartbeats } = this.#house.sources.parts;
		heartbeats.beat(caller.login.playerId, seconds === 0 ? null : seconds).then(heard, (error: unknown) => {
			this.refuse(error, id);
		});
	}

	#subscribe(id: number | undefined, subscription: Subscription, initialClk: string): void {
		this.#say({ op: 'status', id, statusCode: 'SUCCESS', connectionClosed: false });
		const running: Running = { subscription, initialClk, sentAtMs: null, updatedAtMs: 0 };
		this.#running.set(subscription.op, running);
		if (!subscription.ready) return this.#begin(running);
		subscription.ready.then(
			() => this.#begin(running),
			(error: unknown) => {
				if (this.#running.get(subscription.op) === running) this.refuse(error, id, true);
			},
		);
	}

	/** The first message, unless the client has subscribed otherwise, or left, while it was prepared. */
	#begin(running: Running): void {
		const { subscription, initialClk } = running;
		if (this.#running.get(subscription.op) !== running) return;
		this.#write(linesOf(subscription, subscription.begin(), this.#house.clock, initialClk));
		running.sentAtMs = performance.now();
		running.updatedAtMs = running.sentAtMs;
		this.schedule();
	}

	/** Schedules the next message. Called after a change, and after each message. */
	schedule(): void {
		if (this.#running.size === 0 || this.#socket.destroyed) return;
		const now = performance.now();
		const dueMs = [...this.#running.values()].flatMap(({ subscription, sentAtMs, updatedAtMs }) => {
			const { conflateMs, heartbeatMs } = subscription.terms;
			if (sentAtMs === null) return [];
			return [sentAtMs + heartbeatMs, ...(subscription.isDirty ? [updatedAtMs + conflateMs] : [])];
		});
		if (dueMs.length === 0) return;
		const dueAtMs = Math.min(...dueMs);
		// A timer that fires soon enough is kept: otherwise changes more frequent than timers would postpone it forever.
		if (this.#timer && this.#dueAtMs <= Math.max(dueAtMs, now)) return;
		if (this.#timer) clearTimeout(this.#timer);
		this.#dueAtMs = Math.max(dueAtMs, now);
		// Never in the turn of the commit, which delays other callers.
		this.#timer = setTimeout(() => {
			this.#timer = null;
			this.flush();
		}, this.#dueAtMs - now);
	}

	flush(): void {
		// Messages for a slow client are not queued. It gets the difference once it has read the rest.
		if (this.#isStuck()) return;
		const now = performance.now();
		for (const running of this.#running.values()) {
			const { subscription, sentAtMs, updatedAtMs, initialClk } = running;
			if (sentAtMs === null) continue;
			const { conflateMs, heartbeatMs } = subscription.terms;
			const update = subscription.isDirty && now >= updatedAtMs + conflateMs ? subscription.next() : null;
			if (update) {
				this.#write(linesOf(subscription, update, this.#house.clock, initialClk));
				running.updatedAtMs = now;
			} else if (now >= sentAtMs + heartbeatMs) this.#write([this.#heartbeatLine(subscription)]);
			else continue;
			running.sentAtMs = now;
		}
		this.schedule();
	}

	/** Whether the client has not read what it was sent, and since when. */
	#isStuck(): boolean {
		const isStuck = this.#socket.writableLength > MOST_UNTAKEN;
		this.#stuckSinceMs = isStuck ? (this.#stuckSinceMs ?? performance.now()) : null;
		return isStuck;
	}

	#heartbeatLine({ op, terms, isDirty }: Subscription): string {
		const { clock, sources } = this.#house;
		// The clock rises only with what was sent.
		const clk = isDirty ? {} : { clk: clock.text() };
		const behind = sources.parts.exchange.isOpen() ? {} : { status: 503 };
		return JSON.stringify({ op, id: terms.id, ...clk, pt: Date.now(), ct: 'HEARTBEAT', ...behind });
	}

	/** Ends the connection if its key or its session is no longer valid, or its client is gone. */
	check(): void {
		// Answers to its lines pile up as well, where it has no subscription.
		if (this.#isStuck() && performance.now() - (this.#stuckSinceMs ?? 0) > LONGEST_STUCK_MS) this.#socket.destroy();
		if (!this.#credentials || !this.#caller) return;
		try {
			const now = this.#house.callerOf({ ...this.#credentials, address: this.#address }, 'look');
			// The player's open markets have changed: the client subscribes again.
			if (!seesTheSame(now, this.#caller)) throw new StreamRefusal('NOT_AUTHORIZED', 'The site has changed.', true);
		} catch (error) {
			this.refuse(error, undefined, true);
		}
	}

	/** Answers an error; some close the connection. */
	refuse(error: unknown, id: number | undefined, closes = false): void {
		const refusal = this.#refusalOf(error);
		const isClosed = closes || refusal.closes;
		this.#say({
			op: 'status',
			id,
			statusCode: 'FAILURE',
			errorCode: refusal.code,
			errorMessage: refusal.message,
			connectionClosed: isClosed,
			connectionId: this.#connectionId,
		});
		if (isClosed) this.close();
	}

	close(): void {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		this.#running.clear();
		this.#socket.destroySoon();
		// A client that does not read the rest is cut off.
		setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
	}

	#refusalOf(error: unknown): StreamRefusal {
		const known = refusalOf(error);
		if (known) return known;
		this.#house.onFault(error);
		return new StreamRefusal('UNEXPECTED_ERROR', 'Something went wrong on our side.', true);
	}

	#say(message: object): void {
		this.#write([JSON.stringify(message)]);
	}

	#write(lines: readonly string[]): void {
		if (this.#socket.writable) this.#socket.write(lines.map((line) => `${inAscii(line)}\r\n`).join(''), 'latin1');
	}
}

/** Clients decode chunks separately, and a letter of several bytes may be split. JSON can escape it in ASCII. */
const inAscii = (json: string): string =>
	json.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

function parsed<Schema extends v.GenericSchema>(schema: Schema, line: object): v.InferOutput<Schema> {
	const found = v.safeParse(schema, line, { abortEarly: true });
	if (found.success) return found.output;
	throw new StreamRefusal('INVALID_INPUT', `${v.getDotPath(found.issues[0]) ?? 'The message'} is not valid.`);
}

const BY_CODE: Partial<Record<ErrorCode, StreamError>> = {
	THROTTLED: 'TOO_MANY_REQUESTS',
	OVERLOADED: 'TOO_MANY_REQUESTS',
	DEADLINE_PASSED: 'TIMEOUT',
	STARTING: 'CONNECTION_FAILED',
	DRAINING: 'CONNECTION_FAILED',
};

/** Null for a fault of our own. */
function refusalOf(error: unknown): StreamRefusal | null {
	if (error instanceof StreamRefusal) return error;
	if (error instanceof ApingException) {
		const { code } = error;
		const isKnown = code === 'NO_APP_KEY' || code === 'INVALID_APP_KEY' || code === 'NO_SESSION';
		return new StreamRefusal(isKnown ? code : 'INVALID_SESSION_INFORMATION', code, true);
	}
	if (error instanceof Refused) return new StreamRefusal(BY_CODE[error.code] ?? 'INVALID_INPUT', error.code, true);
	return null;
}

/** Whether both see the same markets; what else a brand changes concerns no subscription. */
const seesTheSame = (one: BotCaller, other: BotCaller): boolean =>
	poolOf(one) === poolOf(other) && SPORTS.every(({ id }) => seesSport(one, id) === seesSport(other, id));
