/**
 * Calls of a gateway, answered by the process with the engine. A call whose answer is lost is sent again until its
 * deadline, if it only reads or has a request id; any other is refused with OUTCOME_UNKNOWN.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CALLS } from '#contract/registry.ts';
import { type CallAnswer, type CheckedCall, isRepeatable } from '#server/calls/checked-call.ts';
import {
	answersOf,
	callsOf,
	HERE,
	messageOf,
	type Presence,
	type Refusal,
	readAnswers,
	type SentAnswer,
	WHERE,
	writeCalls,
} from '#server/doors/gateway/call-messages.ts';
import { EngineClock } from '#server/doors/gateway/engine-clock.ts';
import { PartReader, partsOf } from '#server/doors/gateway/message-parts.ts';
import type { ReceivedBytes, RemoteBus } from '#server/platform/bus/nats-bus.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';

/** Limit of unanswered calls; more are refused with OVERLOADED. */
const MOST_UNANSWERED = 20_000;
/** How long a call waits for a lost connection to NATS before it is refused. */
const RECONNECT_TIMEOUT_MS = 2_000;
/** The exchange applies a command only with this much time left before its deadline (exchange/sequencer). */
const LEAST_LEFT_MS = 1_000;
/** How long an answer may be in transit after the call's deadline. */
const LAST_WORD_MS = 250;
/** How long a call that cannot be repeated waits, after a loss, for an answer in transit. */
const LOST_AFTER_MS = 1_000;
const AGAIN_AFTER_MS = 50;
const LOOK_EVERY_MS = 50;
/** How long a stop waits for answers. */
const DRAIN_MS = 5_000;

/** Refusals that a retry may resolve: the exchange moves to another process, or a retry learns the outcome. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['STARTING', 'DRAINING', 'OUTCOME_UNKNOWN']);
/** Refusals that mean that nothing was done, which may be untrue of an earlier try. */
const NOTHING_DONE: ReadonlySet<ErrorCode> = new Set(['STARTING', 'DRAINING', 'OVERLOADED', 'DEADLINE_PASSED']);

interface PendingCall {
	id: number;
	call: CheckedCall;
	isRepeatable: boolean;
	/** False for a call that only reads: it has no partial effects. */
	changesState: boolean;
	/** The message of the latest try; null while the call is queued. */
	message: number | null;
	/** The process of the latest try. */
	instance: string;
	/** When the gateway gives up waiting for an answer. */
	lostAtMs: number;
	/** An earlier try may have done it. */
	isUncertain: boolean;
	resolve(answer: CallAnswer): void;
	reject(error: Refused): void;
}

interface RemoteCallsOptions {
	bus: RemoteBus;
	/** See `markOf`. */
	mark: string;
	log: Logger;
}

export class RemoteCalls {
	readonly #options: RemoteCallsOptions;
	readonly #name = randomBytes(9).toString('base64url');
	readonly #clock = new EngineClock();
	readonly #reader = new PartReader();
	/** By id, oldest first. */
	readonly #pending = new Map<number, PendingCall>();
	#unsent: PendingCall[] = [];
	#isFlushing = false;
	#lastId = 0;
	#lastMessage = 0;
	/** The process that takes calls; null for none. */
	#instance: string | null = null;
	/** The highest epoch seen. A deposed process that wakes up has a lower one. */
	#epoch = Number.NEGATIVE_INFINITY;
	/** The last announced process with another key or contract. */
	#stranger = '';
	#disconnectedAtMs = Number.POSITIVE_INFINITY;
	readonly #looking: NodeJS.Timeout;

	constructor(options: RemoteCallsOptions) {
		this.#options = options;
		const { bus } = options;
		bus.subscribeBytes(HERE, ({ bytes }) => this.#announced(bytes));
		bus.subscribeBytes(answersOf(this.#name, '*'), (received) => this.#hear(received));
		bus.onConnection((isConnected) => this.#reconnected(isConnected));
		this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
		this.#ask();
	}

	/** Whether there is a process that answers calls. */
	get isServed(): boolean {
		return this.#instance !== null && this.#options.bus.isConnected();
	}

	/** @throws Refused with the answering process's code; OVERLOADED, STARTING, DEADLINE_PASSED or OUTCOME_UNKNOWN */
	readonly answer = (call: CheckedCall): Promise<CallAnswer> => {
		if (this.#pending.size >= MOST_UNANSWERED) throw new Refused('OVERLOADED');
		return new Promise((resolve, reject) => {
			this.#lastId += 1;
			const declared = CALLS[call.name];
			const pending: PendingCall = {
				id: this.#lastId,
				call,
				isRepeatable: isRepeatable(declared),
				changesState: declared.changesState,
				message: null,
				instance: '',
				lostAtMs: call.untilMs + LAST_WORD_MS,
				isUncertain: false,
				resolve,
				reject,
			};
			this.#pending.set(pending.id, pending);
			this.#send(pending);
		});
	};

	/** Resolves when every call is answered or given up. */
	async drain(): Promise<void> {
		const untilMs = performance.now() + DRAIN_MS;
		while (this.#pending.size > 0 && performance.now() < untilMs) await delay(LOOK_EVERY_MS);
		clearInterval(this.#looking);
		for (const pending of this.#pending.values()) this.#giveUp(pending);
	}

	/** Calls that arrive in one turn leave as one message. */
	#send(pending: PendingCall): void {
		pending.message = null;
		this.#unsent.push(pending);
		if (this.#isFlushing) return;
		this.#isFlushing = true;
		this.#options.bus.atEndOfTurn(() => this.#flush());
	}

	#flush(): void {
		this.#isFlushing = false;
		const { bus } = this.#options;
		const instance = this.#instance;
		if (this.#unsent.length === 0 || instance === null || !bus.isConnected()) return;
		const waiting = this.#unsent.filter(({ id }) => this.#pending.has(id));
		this.#unsent = [];
		this.#lastMessage += 1;
		const calls = waiting.map((pending) => {
			pending.message = this.#lastMessage;
			pending.instance = instance;
			return { ...pending.call, id: pending.id, untilMs: this.#clock.there(pending.call.untilMs) };
		});
		const replyTo = answersOf(this.#name, this.#lastMessage);
		for (const part of partsOf(writeCalls(calls))) bus.publishBytes(callsOf(instance), part, replyTo);
	}

	/** A process announces that it answers calls. */
	#announced(bytes: Uint8Array): void {
		const text = this.#reader.read(HERE, bytes);
		if (text === null) return;
		const { instance, epoch, nowMs, mark } = JSON.parse(text) as Presence;
		if (mark !== this.#options.mark) {
			if (this.#stranger !== instance)
				this.#options.log.error({ instance }, 'the process with the engine has another TOKEN_KEY or release');
			this.#stranger = instance;
			return;
		}
		if (epoch < this.#epoch) return;
		this.#epoch = epoch;
		if (instance !== this.#instance) {
			this.#clock.reset();
			this.#options.log.info({ instance, epoch }, 'calls go to another process');
		}
		this.#clock.heard(nowMs);
		this.#instance = instance;
		for (const pending of this.#pending.values()) if (pending.instance !== instance) this.#answerLost(pending);
		this.#flush();
	}

	#hear({ subject, bytes, hasNoResponders }: ReceivedBytes): void {
		if (hasNoResponders) {
			this.#notReceived(messageOf(subject));
			return;
		}
		const text = this.#reader.read(subject, bytes);
		if (text === null) return;
		const { nowMs, answers } = readAnswers(text);
		this.#clock.heard(nowMs);
		for (const answer of answers) this.#answered(answer);
	}

	/** Nothing of the message was done: no process received it. */
	#notReceived(message: number): void {
		for (const pending of this.#pending.values()) {
			if (pending.message !== message) continue;
			if (pending.instance === this.#instance) this.#instance = null;
			this.#send(pending);
		}
		this.#ask();
	}

	#answered(sent: SentAnswer): void {
		const pending = this.#pending.get(sent.id);
		if (!pending) return;
		if ('refusal' in sent) this.#refused(pending, sent.refusal);
		else {
			this.#pending.delete(pending.id);
			pending.resolve(sent.answer);
		}
	}

	#refused(pending: PendingCall, { code, message, details }: Refusal): void {
		if (code === 'OUTCOME_UNKNOWN') pending.isUncertain = true;
		if (PASSING.has(code) && pending.isRepeatable && this.#left(pending) > 0) {
			pending.message = null;
			setTimeout(() => this.#pending.has(pending.id) && this.#send(pending), AGAIN_AFTER_MS);
			return;
		}
		this.#refuse(pending, new Refused(code, details, message));
	}

	/** The time left in which the exchange may still apply it, in milliseconds. */
	#left({ call }: PendingCall): number {
		return call.untilMs - LEAST_LEFT_MS - performance.now();
	}

	#refuse(pending: PendingCall, refusal: Refused): void {
		this.#pending.delete(pending.id);
		const contradicts = pending.isUncertain && NOTHING_DONE.has(refusal.code);
		pending.reject(contradicts ? new Refused('OUTCOME_UNKNOWN') : refusal);
	}

	/** The answer may have been lost with a process or with a connection. */
	#answerLost(pending: PendingCall): void {
		if (pending.message === null) return;
		pending.isUncertain ||= pending.changesState;
		if (pending.isRepeatable) this.#send(pending);
		else pending.lostAtMs = Math.min(pending.lostAtMs, performance.now() + LOST_AFTER_MS);
	}

	#reconnected(isConnected: boolean): void {
		if (!isConnected) {
			this.#disconnectedAtMs = Math.min(this.#disconnectedAtMs, performance.now());
			return;
		}
		this.#disconnectedAtMs = Number.POSITIVE_INFINITY;
		for (const pending of this.#pending.values()) this.#answerLost(pending);
		this.#ask();
		this.#flush();
	}

	#ask(): void {
		this.#options.bus.publishBytes(WHERE, new Uint8Array(0), '');
	}

	#look(): void {
		const nowMs = performance.now();
		for (const pending of this.#pending.values()) {
			if (nowMs > pending.lostAtMs) this.#giveUp(pending);
			else if (pending.message === null && nowMs > this.#disconnectedAtMs + RECONNECT_TIMEOUT_MS)
				this.#refuse(pending, new Refused('OVERLOADED'));
			else if (pending.message === null && this.#left(pending) < 0) this.#refuse(pending, new Refused('STARTING'));
		}
		if (this.#instance === null && this.#options.bus.isConnected()) this.#ask();
	}

	#giveUp(pending: PendingCall): void {
		const wasSent = pending.message !== null;
		if (wasSent) pending.isUncertain ||= pending.changesState;
		this.#refuse(pending, new Refused(wasSent ? 'DEADLINE_PASSED' : 'STARTING'));
	}
}
