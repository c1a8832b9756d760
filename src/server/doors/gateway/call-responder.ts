/** Answers the calls of gateways in the process with the engine, without HTTP, schema checks or token verification. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import {
	answersOf,
	callsOf,
	gatewayOf,
	HERE,
	type Presence,
	readCalls,
	refusalOf,
	type SentAnswer,
	type SentCall,
	WHERE,
	writeAnswers,
} from '#server/doors/gateway/call-messages.ts';
import { PartReader, partsOf } from '#server/doors/gateway/message-parts.ts';
import type { ReceivedBytes, RemoteBus } from '#server/platform/bus/nats-bus.ts';
import { Refused } from '#values/error-catalogue.ts';

export interface CallResponderOptions {
	bus: RemoteBus;
	answer: AnswerCall;
	/** Of the lease that this process holds. */
	epoch: () => number;
	/** See `markOf`. */
	mark: string;
	log: Logger;
}

export class CallResponder {
	readonly #options: CallResponderOptions;
	readonly #instance = randomBytes(9).toString('base64url');
	/** Answers of this turn, by destination: one message of one gateway. */
	#answers = new Map<string, SentAnswer[]>();
	readonly #reader = new PartReader();
	readonly #close: (() => void)[];

	/** Takes calls from now on, and announces it. */
	constructor(options: CallResponderOptions) {
		this.#options = options;
		const { bus } = options;
		this.#close = [
			bus.subscribeBytes(callsOf(this.#instance), (received) => this.#take(received)),
			bus.subscribeBytes(WHERE, () => this.#announce()),
		];
		bus.onConnection((isConnected) => isConnected && this.#announce());
		this.#announce();
	}

	/** Takes no more calls; calls already taken are answered. */
	close(): void {
		for (const close of this.#close.splice(0)) close();
	}

	#announce(): void {
		const { bus, epoch, mark } = this.#options;
		const presence: Presence = { instance: this.#instance, epoch: epoch(), nowMs: performance.now(), mark };
		for (const part of partsOf(JSON.stringify(presence))) bus.publishBytes(HERE, part, '');
	}

	#take({ bytes, replyTo }: ReceivedBytes): void {
		const gateway = gatewayOf(replyTo);
		const text = this.#reader.read(gateway, bytes);
		if (text === null) return;
		const receivedMs = performance.now();
		for (const call of readCalls(text)) void this.#answer(gateway, call, receivedMs);
	}

	async #answer(gateway: string, call: SentCall, receivedMs: number): Promise<void> {
		const { answer, log } = this.#options;
		const { id } = call;
		try {
			this.#send(gateway, { id, answer: await answer({ ...call, receivedMs }) });
			log.debug({ requestId: call.requestId, call: call.name }, 'a call of a gateway was answered');
		} catch (error) {
			const isFault = !(error instanceof Refused);
			const { name, requestId } = call;
			if (isFault) log.error({ err: error, call: name, requestId }, 'a request failed');
			this.#send(gateway, { id, refusal: refusalOf(isFault ? new Refused('INTERNAL') : error) });
		}
	}

	/** The answers to a batch become known in one turn, and leave as one message to each gateway. */
	#send(gateway: string, answer: SentAnswer): void {
		const waiting = this.#answers.get(gateway);
		if (waiting) {
			waiting.push(answer);
			return;
		}
		if (this.#answers.size === 0) this.#options.bus.atEndOfTurn(() => this.#flush());
		this.#answers.set(gateway, [answer]);
	}

	#flush(): void {
		const nowMs = performance.now();
		for (const [gateway, answers] of this.#answers) {
			const subject = answersOf(gateway, this.#instance);
			for (const part of partsOf(writeAnswers(nowMs, answers))) this.#options.bus.publishBytes(subject, part, '');
		}
		this.#answers = new Map();
	}
}
