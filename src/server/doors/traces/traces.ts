/**
 * Traces for OpenTelemetry: sampled calls from their request to their commit, as spans for a collector. The process
 * that receives a request samples it at random, and all other processes follow that decision: a traced call carries the
 * name of its parent span, in the form of W3C's `traceparent`, and every other call carries nothing. Without a
 * collector there are no traces, and the library is not loaded.
 *
 * Attributes of spans are names and numbers of our own: never a token, a body, an amount, a name or an address.
 */
import { randomUUID } from 'node:crypto';
import type { Span, SpanContext, SpanOptions, Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { CheckedCall } from '#server/calls/checked-call.ts';
import { SpanClock } from '#server/doors/traces/span-clock.ts';
import { SpanQueue } from '#server/doors/traces/span-queue.ts';
import type { TracedBatch } from '#server/exchange/ledger/batch-writer.ts';
import { ERRORS, type ErrorCode } from '#values/error-catalogue.ts';

type Api = typeof import('@opentelemetry/api');
type ReadTrace = (text: string) => SpanContext | null;

/** Links of a commit to other traced calls of its batch. */
const MOST_LINKS = 16;
const LEAST_FAULT_STATUS = 500;

export interface TracesConfig {
	/** Where a collector takes spans over OTLP. */
	url: string;
	/** Sent with them, such as a key of the collector. */
	headers: Readonly<Record<string, string>>;
	serviceName: string;
	/** The share of calls that are traced, from 0 to 1. */
	ratio: number;
}

export interface TracesOptions {
	log: Logger;
	/** The role of the process. */
	process: 'exchange' | 'gateway';
	/** The process's name; a random one when empty. */
	nodeId: string;
	/** Called with the number of dropped spans. */
	onDropped?: ((count: number) => void) | undefined;
}

/** The request of a call, on receipt. */
interface ReceivedRequest {
	call: string;
	method: string;
	/** The path of the call, without a query. */
	route: string;
	/** The header, which any client may write. */
	traceparent: string | undefined;
	/** On the monotonic clock. */
	beganAtMs: number;
}

/** An open span of a call. */
export class CallSpan {
	readonly #api: Api;
	readonly #span: Span;
	readonly #clock: SpanClock;

	constructor(api: Api, span: Span, clock: SpanClock) {
		this.#api = api;
		this.#span = span;
		this.#clock = clock;
	}

	/** The parent name for spans within it. */
	get trace(): string {
		const { traceId, spanId } = this.#span.spanContext();
		return `00-${traceId}-${spanId}-01`;
	}

	set(name: string, value: string | number): void {
		this.#span.setAttribute(name, value);
	}

	/** @param refusal the code of the refusal; null if the call was answered */
	end(refusal: ErrorCode | null): void {
		if (refusal !== null) this.set('backlay.refusal', refusal);
		const isFault = refusal !== null && ERRORS[refusal].status >= LEAST_FAULT_STATUS;
		if (isFault) this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
		this.#span.end(this.#clock.now());
	}
}

export class Traces {
	readonly #api: Api;
	readonly #read: ReadTrace;
	readonly #tracer: Tracer;
	readonly #ratio: number;
	readonly #clock = new SpanClock();
	/** Sends the last spans; takes a second at most. */
	readonly close: () => Promise<void>;

	private constructor(
		api: Api,
		read: ReadTrace,
		provider: { getTracer(name: string): Tracer; shutdown(): Promise<void> },
		ratio: number,
	) {
		this.#api = api;
		this.#read = read;
		this.#tracer = provider.getTracer('backlay');
		this.#ratio = ratio;
		this.close = () => provider.shutdown();
	}

	/** Loads the library. Nothing is sent before the first span. */
	static async open({ url, headers, serviceName, ratio }: TracesConfig, options: TracesOptions): Promise<Traces> {
		const [api, { parseTraceParent }, { defaultResource, resourceFromAttributes }, sdk, queue] = await Promise.all([
			import('@opentelemetry/api'),
			import('@opentelemetry/core'),
			import('@opentelemetry/resources'),
			import('@opentelemetry/sdk-trace'),
			SpanQueue.open({ url, headers, ...options }),
		]);
		const own = resourceFromAttributes({
			'service.name': serviceName,
			'service.instance.id': options.nodeId || randomUUID(),
			'backlay.process': options.process,
		});
		const provider = new sdk.TracerProvider({
			resource: defaultResource().merge(own),
			// A span is made of traced calls only.
			sampler: new sdk.AlwaysOnSampler(),
			spanProcessors: [queue],
		});
		return new Traces(api, parseTraceParent, provider, ratio);
	}

	/**
	 * Whether the next request is traced. The client has no influence, neither by the flag of its header nor by an id
	 * that an id-based sampler would select: otherwise any client could have all its calls traced.
	 */
	picks(): boolean {
		return Math.random() < this.#ratio;
	}

	/** A sampled request. Its client may name the trace that it belongs to. */
	received({ call, method, route, traceparent, beganAtMs }: ReceivedRequest): CallSpan {
		const parent = traceparent === undefined ? null : this.#read(traceparent);
		const attributes = { 'http.request.method': method, 'http.route': route, 'backlay.call': call };
		const options = { kind: this.#api.SpanKind.SERVER, startTime: this.#clock.at(beganAtMs), attributes };
		const span = this.#begin(`${method} ${route}`, options, parent && { ...parent, isRemote: true });
		return new CallSpan(this.#api, span, this.#clock);
	}

	/**
	 * The answer to a call, in the process that answers it.
	 * @returns null if the call is not traced
	 */
	answering({ name, requestId, trace }: CheckedCall): CallSpan | null {
		const parent = trace === undefined ? null : this.#read(trace);
		if (!parent) return null;
		const attributes = { 'backlay.call': name, 'backlay.request_id': requestId };
		const span = this.#begin(`answer ${name}`, { startTime: this.#clock.now(), attributes }, parent);
		return new CallSpan(this.#api, span, this.#clock);
	}

	/**
	 * The commit of a batch, once within each traced call that it made durable, so that every trace is complete. The
	 * span links to the other calls of its batch.
	 */
	readonly onTraced = ({ batchSeq, commandCount, sealedAtMs, traces }: TracedBatch): void => {
		const [startTime, endTime] = [this.#clock.at(sealedAtMs), this.#clock.now()];
		const attributes = { 'backlay.batch': batchSeq, 'backlay.commands': commandCount };
		const calls = traces.flatMap((trace) => this.#read(trace) ?? []);
		const nearest = calls.slice(0, MOST_LINKS + 1);
		for (const call of calls) {
			const others = nearest.filter((other) => other !== call).slice(0, MOST_LINKS);
			const links = others.map((context) => ({ context }));
			this.#begin('commit', { startTime, attributes, links }, call).end(endTime);
		}
	};

	/** Each span names its parent explicitly, because a call passes through queues and processes. */
	#begin(name: string, options: SpanOptions, parent: SpanContext | null): Span {
		const { ROOT_CONTEXT, trace } = this.#api;
		return this.#tracer.startSpan(name, options, parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT);
	}
}
