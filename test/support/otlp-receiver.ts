/** A collector of traces: takes spans over OTLP, or answers as the test says. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedSpan {
	/** Of the process that sent it. */
	resource: Record<string, string | number>;
	traceId: string;
	spanId: string;
	/** Empty for a span without a parent. */
	parentSpanId: string;
	name: string;
	kind: number;
	/** Nanoseconds since 1970. */
	beganAt: bigint;
	endedAt: bigint;
	attributes: Record<string, string | number>;
	/** The spans that it is linked to. */
	links: readonly string[];
	isFault: boolean;
}

interface Attribute {
	key: string;
	value: { stringValue?: string; intValue?: string | number };
}
/** Of OTLP's JSON, what the tests read. */
interface Message {
	resourceSpans: {
		resource: { attributes: Attribute[] };
		scopeSpans: { spans: WireSpan[] }[];
	}[];
}
interface WireSpan extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name' | 'kind'> {
	parentSpanId?: string;
	startTimeUnixNano: string;
	endTimeUnixNano: string;
	attributes: Attribute[];
	links?: { spanId: string }[];
	status?: { code?: number };
}

const ERROR = 2;

export type Manner = 'takes' | 'fails' | 'hangs';

export class OtlpReceiver {
	/** Changes at once. */
	manner: Manner;
	/** What it got, each message as it was sent. */
	readonly messages: { headers: IncomingMessage['headers']; bytes: Buffer }[] = [];
	readonly #server = createServer((request, response) => void this.#answer(request, response));
	readonly #events = new EventEmitter();

	private constructor(manner: Manner) {
		this.manner = manner;
	}

	/** @param port given when one is started where another was */
	static async start(manner: Manner = 'takes', port = 0): Promise<OtlpReceiver> {
		const receiver = new OtlpReceiver(manner);
		receiver.#server.listen(port, '127.0.0.1');
		await once(receiver.#server, 'listening');
		return receiver;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`;
	}

	get spans(): ReceivedSpan[] {
		return this.messages.flatMap(({ bytes }) => spansIn(JSON.parse(bytes.toString()) as Message));
	}

	/** Resolves when this many spans have come that fit. */
	async received(count: number, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]> {
		for (;;) {
			const found = this.spans.filter(fits);
			if (found.length >= count) return found;
			await once(this.#events, 'message');
		}
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { manner } = this;
		const bytes = await buffer(request);
		this.messages.push({ headers: request.headers, bytes });
		this.#events.emit('message');
		if (manner === 'hangs') return;
		response.writeHead(manner === 'takes' ? 200 : 500, { 'Content-Type': 'application/json' }).end('{}');
	}
}

const recordOf = (attributes: readonly Attribute[]): Record<string, string | number> =>
	Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

function spansIn({ resourceSpans }: Message): ReceivedSpan[] {
	return resourceSpans.flatMap(({ resource, scopeSpans }) =>
		scopeSpans.flatMap(({ spans }) =>
			spans.map((span) => ({
				resource: recordOf(resource.attributes),
				traceId: span.traceId,
				spanId: span.spanId,
				parentSpanId: span.parentSpanId ?? '',
				name: span.name,
				kind: span.kind,
				beganAt: BigInt(span.startTimeUnixNano),
				endedAt: BigInt(span.endTimeUnixNano),
				attributes: recordOf(span.attributes),
				links: (span.links ?? []).map(({ spanId }) => spanId),
				isFault: span.status?.code === ERROR,
			})),
		),
	);
}
