/**
 * Ended spans on the way to the collector; calls never wait for them. The queue is bounded; spans beyond the bound, and
 * spans that the collector refuses, are dropped and counted. The library alone would drop them silently.
 */
import type { ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { isLogged } from '#server/platform/pacing/back-off.ts';

/** About two kilobytes each. */
export const MOST_WAITING = 2_048;
/** Few at a time: serializing a span to JSON blocks calls for about ten microseconds. */
const MOST_IN_A_MESSAGE = 128;
const SEND_EVERY_MS = 1_000;
/** The collector's time limit for a message, including the library's retries. */
const SEND_WITHIN_MS = 5_000;
/** How long a stop waits for the last spans. */
const STOP_WITHIN_MS = 1_000;
/** `ExportResultCode.SUCCESS` */
const SUCCESS = 0;

interface SpanQueueOptions {
	/** Where a collector takes spans over OTLP. */
	url: string;
	headers: Readonly<Record<string, string>>;
	log: Logger;
	/** Called with the number of spans that were dropped. */
	onDropped?: ((count: number) => void) | undefined;
}

export class SpanQueue implements SpanProcessor {
	readonly #options: SpanQueueOptions;
	readonly #messages: SpanProcessor;
	#waiting = 0;
	#dropped = 0;
	/** Dropped because the queue was full. */
	#beyond = 0;
	/** Consecutive messages that the collector refused. */
	#failures = 0;
	#isStopped = false;

	private constructor(
		options: SpanQueueOptions,
		messagesTo: (exporter: SpanExporter) => SpanProcessor,
		to: SpanExporter,
	) {
		this.#options = options;
		this.#messages = messagesTo({
			export: (spans, done) =>
				to.export(spans, (result) => {
					this.#sent(spans.length, result);
					done(result);
				}),
			shutdown: () => to.shutdown(),
		});
	}

	/** Loads the library. */
	static async open(options: SpanQueueOptions): Promise<SpanQueue> {
		const [{ BatchSpanProcessor }, { OTLPTraceExporter }] = await Promise.all([
			import('@opentelemetry/sdk-trace'),
			import('@opentelemetry/exporter-trace-otlp-http'),
		]);
		const { url, headers } = options;
		const messagesTo = (exporter: SpanExporter) =>
			new BatchSpanProcessor({
				exporter,
				maxQueueSize: MOST_WAITING,
				maxExportBatchSize: MOST_IN_A_MESSAGE,
				scheduledDelayMillis: SEND_EVERY_MS,
				exportTimeoutMillis: SEND_WITHIN_MS,
			});
		const collector = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_WITHIN_MS });
		return new SpanQueue(options, messagesTo, collector);
	}

	onStart(): void {}

	onEnd(span: ReadableSpan): void {
		if (this.#waiting < MOST_WAITING && !this.#isStopped) {
			this.#waiting += 1;
			this.#messages.onEnd(span);
			return;
		}
		this.#drop(1);
		this.#beyond += 1;
		if (isLogged(this.#beyond))
			this.#options.log.warn({ dropped: this.#dropped }, 'too many spans wait for the collector; new ones are dropped');
	}

	async forceFlush(): Promise<void> {
		await this.#messages.forceFlush();
	}

	/** Sends the last spans, and waits at most a second for the collector. */
	async shutdown(): Promise<void> {
		let timer: NodeJS.Timeout | undefined;
		const limit = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, STOP_WITHIN_MS);
		});
		await Promise.race([this.#messages.shutdown().catch(() => undefined), limit]);
		clearTimeout(timer);
		this.#isStopped = true;
		if (this.#waiting === 0) return;
		this.#drop(this.#waiting);
		this.#options.log.warn({ dropped: this.#dropped }, 'the collector did not take the last spans; they are dropped');
	}

	#sent(count: number, { code, error }: ExportResult): void {
		if (this.#isStopped) return;
		this.#waiting -= count;
		if (code === SUCCESS) {
			this.#failures = 0;
			return;
		}
		this.#drop(count);
		this.#failures += 1;
		if (!isLogged(this.#failures)) return;
		const facts = { reason: error?.message, failures: this.#failures, dropped: this.#dropped };
		this.#options.log.warn(facts, 'the collector takes no spans; they are dropped');
	}

	#drop(count: number): void {
		this.#dropped += count;
		this.#options.onDropped?.(count);
	}
}
