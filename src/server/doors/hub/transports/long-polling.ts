/**
 * Long polling: the browser polls repeatedly, and an answer waits until there is a message. The first poll is answered
 * immediately, which shows the client that the transport works; 204 means that the transport has ended.
 */
import type { ServerResponse } from 'node:http';
import type { Encoded } from '#server/doors/hub/protocols/protocol.ts';
import type {
	HttpTransport,
	Transport,
	TransportListener,
	TransportOffer,
} from '#server/doors/hub/transports/transport.ts';

const offer: TransportOffer = { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] };

/** The client gives up a poll after 100 s. */
const LONGEST_POLL_MS = 90_000;
/** The messages of one answer. */
const LARGE_ANSWER_BYTES = 64 * 1024;
/** How long a closed transport waits for the poll that it answers with 204. */
const FAREWELL_MS = 5_000;

class LongPollingTransport implements Transport {
	readonly takesPosts = true;
	readonly formats = offer.transferFormats;
	readonly #end: TransportListener;
	readonly #handedOver: Encoded[] = [];
	#bytes = 0;
	#poll: { response: ServerResponse; headers: Record<string, string>; timer: NodeJS.Timeout } | null = null;
	#answers: NodeJS.Immediate | null = null;
	#closed = false;
	#farewell: NodeJS.Timeout | undefined;

	constructor(end: TransportListener) {
		this.#end = end;
	}

	get keepsAlive(): boolean {
		return this.#poll !== null;
	}

	write(encoded: Encoded): boolean {
		this.#handedOver.push(encoded);
		this.#bytes += encoded.bytes.length;
		this.#answerSoon();
		return this.#poll !== null && this.#bytes < LARGE_ANSWER_BYTES;
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#farewell = setTimeout(() => this.cut(), FAREWELL_MS);
		this.#answerSoon();
	}

	cut(): void {
		this.#closed = true;
		clearTimeout(this.#farewell);
		if (this.#answers) clearImmediate(this.#answers);
		this.#answers = null;
		this.#respond(204);
		this.#end.gone(this);
	}

	/** A poll arrived. The client has abandoned any earlier open poll. */
	poll(response: ServerResponse, headers: Record<string, string>): void {
		this.#respond(204);
		const timer = setTimeout(() => this.#respond(200), LONGEST_POLL_MS);
		const poll = { response, headers, timer };
		this.#poll = poll;
		response.on('error', () => response.destroy());
		response.on('close', () => {
			clearTimeout(timer);
			if (this.#poll === poll) this.#poll = null;
		});
		if (!this.#closed) this.#end.ready(this);
		this.#answerSoon();
	}

	/** The first poll of a connection. */
	greet(response: ServerResponse, headers: Record<string, string>): void {
		response.writeHead(200, headers).end();
	}

	/** Runs after all messages of this turn were handed over, so that they share one answer. */
	#answerSoon(): void {
		if (!this.#poll || this.#answers || (this.#bytes === 0 && !this.#closed)) return;
		this.#answers = setImmediate(() => {
			this.#answers = null;
			if (!this.#poll) return;
			if (this.#bytes > 0) this.#respond(200);
			else if (this.#closed) this.cut();
		});
	}

	#respond(status: 200 | 204): void {
		const poll = this.#poll;
		if (!poll) return;
		this.#poll = null;
		clearTimeout(poll.timer);
		const takes = status === 200 ? this.#handedOver.splice(0) : [];
		if (status === 200) this.#bytes = 0;
		const type = takes[0]?.format === 'Binary' ? 'application/octet-stream' : 'text/plain; charset=utf-8';
		poll.response.writeHead(status, {
			...poll.headers,
			'cache-control': 'no-store',
			...(status === 200 ? { 'Content-Type': type } : {}),
		});
		poll.response.end(Buffer.concat(takes.map(({ bytes }) => bytes)));
	}
}

export const longPolling: HttpTransport = {
	offer,
	// A request for a WebSocket that arrives here lost its upgrade on the way, and is not a poll.
	serves: ({ upgrade, 'sec-websocket-key': key }) => upgrade === undefined && key === undefined,
	open: (response, headers, end) => {
		const transport = new LongPollingTransport(end);
		transport.greet(response, headers);
		return transport;
	},
	again: (transport, response, headers) => {
		if (!(transport instanceof LongPollingTransport)) return false;
		transport.poll(response, headers);
		return true;
	},
};
