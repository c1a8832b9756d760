/**
 * One client: its handshake, its calls in order, the messages sent to it, pings and timeouts. With stateful reconnect,
 * one connection outlives its transports.
 */
import type { Logger } from 'pino';
import { HEARTBEAT_MS, type HubMessages } from '#contract/hub-messages.ts';
import { CallAllowance } from '#server/doors/hub/call-allowance.ts';
import { HubRefusal, HubSession, isAboutChannels, type SessionOptions } from '#server/doors/hub/hub-methods.ts';
import { MessageBuffer } from '#server/doors/hub/message-buffer.ts';
import { OutQueue } from '#server/doors/hub/out-queue.ts';
import { handshakeAnswer, readHandshake } from '#server/doors/hub/protocols/handshake.ts';
import type {
	Encoded,
	HubProtocol,
	Incoming,
	Invocation,
	Outgoing,
	TransferFormat,
} from '#server/doors/hub/protocols/protocol.ts';
import { PROTOCOLS } from '#server/doors/hub/protocols/protocols.ts';
import type { Transport, TransportListener } from '#server/doors/hub/transports/transport.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

interface ConnectionOptions
	extends Pick<SessionOptions, 'brand' | 'queryToken' | 'backend' | 'buses' | 'clock' | 'onPlayer'> {
	/** Multiplies the limits of what the client may send. */
	rateLimitFactor: number;
	/** The secret with which a client attaches a transport to this connection. */
	token: string;
	/** The id that may be public. */
	connectionId: string;
	/** Negotiated: the connection outlives its transport. */
	stateful: boolean;
	log: Logger;
	/** The connection has ended and can no longer be found by its token. */
	onGone: () => void;
}

const PING_AFTER_MS = 15_000;
/** A client pings every 15 s; a client that is silent for this long is gone. */
const SILENCE_MS = 30_000;
/** How long a connection may be without a transport, and a transport without a handshake. */
const TIMEOUT_MS = 15_000;
const NOTHING = Buffer.alloc(0);
/** Stateful reconnect came with version 2 of both protocols. */
const NEWEST_VERSION = 2;

/**
 * Every subscriber of a message gets the same bytes. Subscribers mostly request them consecutively, so the latest
 * encodings are kept.
 */
function sharedEncoder(protocol: HubProtocol): (message: BusMessage) => Encoded {
	const known = new WeakMap<BusMessage, Encoded>();
	let last: { message: BusMessage; encoded: Encoded } | null = null;
	return (message) => {
		if (last?.message === message) return last.encoded;
		let encoded = known.get(message);
		if (!encoded) {
			const argument = { Code: message.code, Data: JSON.stringify(message.data) };
			encoded = protocol.write({ kind: 'invocation', target: 'Message', argument });
			known.set(message, encoded);
		}
		last = { message, encoded };
		return encoded;
	};
}
const encoders = new Map(PROTOCOLS.map((protocol) => [protocol, sharedEncoder(protocol)]));

function codeOf(error: unknown): string {
	if (error instanceof HubRefusal) return error.message;
	return error instanceof Refused ? error.code : 'INTERNAL';
}

export class HubConnection implements TransportListener {
	readonly #options: ConnectionOptions;
	readonly #session: HubSession;
	readonly #queue: OutQueue;
	readonly #allowance: CallAllowance;
	#protocol: HubProtocol | null = null;
	/** The start of an incomplete handshake. */
	#beginning: Buffer = NOTHING;
	/** The negotiated protocol; nothing is sent before the handshake. */
	#encode: (message: BusMessage) => Encoded = () => {
		throw new Error('A message was sent before the handshake.');
	};
	/** Set at the handshake when both sides support it. */
	#buffer: MessageBuffer | null = null;
	#transport: Transport | null = null;
	#over = false;
	/** When a heartbeat could not be sent, because the client was behind. */
	#heartbeatDueMs = Number.NEGATIVE_INFINITY;
	#heardAtMs: number;
	#sentAtMs: number;
	#sentSincePulse = false;
	/** Calls are answered one after another. */
	#turn: Promise<void> = Promise.resolve();

	constructor(options: ConnectionOptions) {
		this.#options = options;
		this.#heardAtMs = options.clock();
		this.#sentAtMs = this.#heardAtMs;
		this.#allowance = new CallAllowance(options.rateLimitFactor);
		this.#queue = new OutQueue({
			encode: (message) => this.#encode(message),
			send: (encoded) => this.#sendCounted(encoded),
			overflow: () => this.cut(),
		});
		this.#session = new HubSession({
			...options,
			mayHaveImage: () => this.#allowance.takeImage(),
			send: (message, isOwn) => {
				if (!this.#over) this.#queue.push(message, isOwn);
			},
			dropOwn: () => this.#queue.dropOwn(),
			end: (reason) => this.end(reason, true),
		});
	}

	get brand(): ConnectionOptions['brand'] {
		return this.#options.brand;
	}
	/** The pool whose news it gets. */
	get pool(): Pool {
		return this.#session.pool;
	}
	get transport(): Transport | null {
		return this.#transport;
	}
	/** True after the client's handshake. */
	get isGreeted(): boolean {
		return this.#protocol !== null;
	}
	/**
	 * Whether a new transport may replace the current one. A client that sends by POST continues its transport with
	 * further requests instead.
	 */
	get acceptsTransport(): boolean {
		if (this.#over || this.#transport?.takesPosts) return false;
		return this.#buffer !== null || (this.#transport === null && this.#protocol === null);
	}

	/** The client connected, or reconnected, on this transport. */
	attach(transport: Transport): void {
		const before = this.#transport;
		this.#transport = transport;
		this.#heardAtMs = this.#options.clock();
		if (!this.#buffer) return;
		this.#queue.hold();
		before?.cut();
		this.#buffer.lineChanged();
		const { sequenceId, messages } = this.#buffer.resent();
		this.#sendNow({ kind: 'sequence', sequenceId });
		for (const encoded of messages) transport.write(encoded);
		if (!this.#buffer.full) this.#drain();
	}

	received(data: Buffer, format: TransferFormat | null): void {
		if (this.#over) return;
		this.#heardAtMs = this.#options.clock();
		try {
			if (this.#protocol === null) this.#greet(Buffer.concat([this.#beginning, data]), format);
			else this.#read(data, format);
		} catch (error) {
			this.#options.log.debug({ err: error }, 'a hub client sent an invalid message');
			this.end('That message cannot be read.', false);
		}
	}

	ready(transport: Transport): void {
		if (transport !== this.#transport) return;
		this.#heardAtMs = this.#options.clock();
		if (this.#protocol && !this.#buffer?.full) this.#drain();
	}

	gone(transport: Transport): void {
		if (transport !== this.#transport) return;
		this.#transport = null;
		this.#queue.hold();
		this.#heardAtMs = this.#options.clock();
		if (this.#over || !this.#buffer) this.#forget();
	}

	/** Sends a close message and ends the connection. */
	end(reason: string | null, allowReconnect: boolean): void {
		if (this.#over) return;
		if (this.#protocol) this.#sendNow({ kind: 'close', ...(reason === null ? {} : { error: reason }), allowReconnect });
		this.#over = true;
		this.#session.close();
		if (this.#transport) this.#transport.close();
		else this.#forget();
	}

	/** Ends the connection without a close message. */
	cut(): void {
		this.#over = true;
		this.#session.close();
		if (this.#transport) this.#transport.cut();
		else this.#forget();
	}

	/** Called once a second: ends a silent connection, and pings one without recent messages. */
	pulse(nowMs: number): void {
		if (this.#sentSincePulse) this.#sentAtMs = nowMs;
		this.#sentSincePulse = false;
		const silentMs = nowMs - this.#heardAtMs;
		const waits = this.#transport === null || this.#protocol === null;
		const shows = !waits && !this.#over && this.#transport?.keepsAlive === true;
		if (!shows && silentMs > (waits ? TIMEOUT_MS : SILENCE_MS)) return this.cut();
		if (waits || this.#over) return;
		const ack = this.#buffer?.takeAck() ?? null;
		if (ack !== null) this.#sendNow({ kind: 'ack', sequenceId: ack });
		if (!shows && nowMs - this.#sentAtMs >= PING_AFTER_MS && this.#queue.idle) this.#sendNow({ kind: 'ping' });
		this.#session.pulse(nowMs);
	}

	/**
	 * Sends the heartbeat for the channels of a client that has received everything. A client that is behind gets it
	 * once it has caught up, unless that took so long that the engine may be gone.
	 */
	heartbeat(nowMs: number): void {
		if (this.#over || !this.#protocol || !this.#session.hasChannels) return;
		if (!this.#queue.idle) {
			this.#heartbeatDueMs = nowMs;
			return;
		}
		this.#heartbeatDueMs = Number.NEGATIVE_INFINITY;
		const data: HubMessages['Heartbeat'] = { sent: this.#queue.sentCount };
		this.#send({
			kind: 'invocation',
			target: 'Message',
			argument: { Code: 'Heartbeat', Data: JSON.stringify(data) },
		});
	}

	/** Messages to this process may have been lost, so all images are requested again. */
	async refresh(): Promise<void> {
		this.#inTurn(() => this.#session.refresh());
		await this.#turn;
	}

	#drain(): void {
		this.#queue.drain();
		const nowMs = this.#options.clock();
		if (this.#queue.idle && nowMs - this.#heartbeatDueMs < HEARTBEAT_MS) this.heartbeat(nowMs);
	}

	#forget(): void {
		this.#over = true;
		this.#session.close();
		this.#options.onGone();
	}

	/** @param data the bytes received so far: the bodies of POSTs are one stream of bytes, while a frame is complete */
	#greet(data: Buffer, format: TransferFormat | null): void {
		const handshake = readHandshake(data);
		if (!handshake) {
			if (format !== null) throw new Error('a handshake without its end');
			this.#beginning = data;
			return;
		}
		this.#beginning = NOTHING;
		const { protocol: name, version, rest } = handshake;
		const protocol = PROTOCOLS.find((known) => known.name === name);
		const error = this.#objection(name, version, protocol);
		if (!protocol || error) {
			this.#transport?.write(handshakeAnswer('Text', error ?? undefined));
			this.#over = true;
			this.#transport?.close();
			return;
		}
		this.#protocol = protocol;
		this.#encode = encoders.get(protocol) ?? this.#encode;
		if (this.#options.stateful && version >= 2) this.#buffer = new MessageBuffer();
		this.#transport?.write(handshakeAnswer(protocol.format));
		this.#queue.drain();
		this.#session.open();
		if (rest.length > 0) this.#read(rest, null);
	}

	#objection(name: string, version: number, protocol: HubProtocol | undefined): string | null {
		if (!protocol) return `The protocol '${name.slice(0, 40)}' is not supported.`;
		if (version < 1 || version > NEWEST_VERSION) {
			return `The server does not support version ${version} of the '${protocol.name}' protocol.`;
		}
		if (this.#transport?.formats.includes(protocol.format)) return null;
		return `The '${protocol.name}' protocol needs a transport that carries ${protocol.format}.`;
	}

	#read(data: Buffer, format: TransferFormat | null): void {
		const protocol = this.#protocol as HubProtocol;
		if (format !== null && format !== protocol.format) throw new Error(`a ${format} frame`);
		for (const incoming of protocol.read(data)) {
			if (this.#over) return;
			if (!this.#buffer || this.#buffer.isNew(incoming)) this.#take(incoming);
		}
	}

	#take(incoming: Incoming): void {
		if (this.#allowance.isFlood(this.#heardAtMs)) return this.cut();
		if (incoming.kind === 'close') this.#closedByClient();
		if (incoming.kind === 'sequence') this.#buffer?.begin(incoming.sequenceId);
		if (incoming.kind === 'ack' && this.#buffer) {
			this.#buffer.acknowledged(incoming.sequenceId);
			if (this.#transport && !this.#buffer.full) this.#drain();
		}
		if (incoming.kind !== 'invocation') return;
		const { invocation } = incoming;
		const allowed = isAboutChannels(invocation.target) || this.#allowance.takeCall();
		this.#inTurn(() => this.#answer(invocation, allowed));
	}

	#closedByClient(): void {
		this.#over = true;
		this.#session.close();
		// A polling client ends its transport itself and must still find the connection.
		if (!this.#transport?.keepsAlive) this.#transport?.close();
	}

	#inTurn(work: () => Promise<void>): void {
		this.#turn = this.#turn.then(work).catch((error: unknown) => {
			this.#options.log.warn({ err: error }, 'a hub connection failed');
			this.cut();
		});
	}

	async #answer(invocation: Invocation, allowed: boolean): Promise<void> {
		if (this.#over) return;
		const { invocationId, target, arguments: args, streams } = invocation;
		try {
			if (!allowed) throw new HubRefusal('THROTTLED');
			if (streams) throw new HubRefusal(`No stream goes with the method ${target.slice(0, 40)}.`);
			const result = await this.#session.invoke(target, args);
			if (invocationId !== null) this.#send({ kind: 'completion', invocationId, result });
		} catch (error) {
			const code = codeOf(error);
			if (code === 'INTERNAL') this.#options.log.error({ err: error, target }, 'a hub call failed');
			if (invocationId !== null) this.#send({ kind: 'failure', invocationId, error: code });
			if (error instanceof HubRefusal && error.ends) this.end(code, true);
		}
	}

	/** Sends an answer after the messages queued before it. */
	#send(message: Outgoing): void {
		if (!this.#over && this.#protocol) this.#queue.pushEncoded(this.#protocol.write(message));
	}

	/** Messages that are not counted bypass the buffer. */
	#sendNow(message: Outgoing): void {
		if (!this.#protocol) return;
		this.#sentSincePulse = true;
		this.#transport?.write(this.#protocol.write(message));
	}

	#sendCounted(encoded: Encoded): boolean {
		this.#sentSincePulse = true;
		const more = this.#transport?.write(encoded) ?? false;
		if (!this.#buffer) return more;
		this.#buffer.keep(encoded);
		return more && !this.#buffer.full;
	}
}
