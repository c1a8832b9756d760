/**
 * Figures for Prometheus, on a separate port that is not for players: `GET /metrics`. Gauges are read during a scrape.
 * Counters and histograms are updated once per batch or refusal, never per bet.
 */
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Counter, Histogram, Registry } from 'prom-client';

type Client = typeof import('prom-client');

/** Of package.json, which lies beside `src`. */
const RELEASE: string = createRequire(import.meta.url)('../../../../package.json').version;

/** A value of a gauge, with the value of its label if it has one. */
export type Reading = readonly [label: string, value: number];

/** Null if there is no value. */
type Readings = number | null | readonly Reading[];

/** A figure that is read during a scrape. If it cannot be read, that answer leaves it out. */
interface GaugeOptions {
	name: string;
	help: string;
	/** The name of its label; a gauge without one has one value. */
	label?: string;
	read: () => Readings | Promise<Readings>;
}

export interface MetricsConfig {
	/** 0 for any free one. */
	port: number;
	host: string;
	/** On each figure. */
	labels?: Readonly<Record<string, string>>;
}

/** Prometheus sends one request at a time. */
const MOST_CONNECTIONS = 32;
const CLIENT_TIMEOUT_MS = 10_000;

export class Metrics {
	readonly #client: Client;
	readonly #registry: Registry;
	readonly #server: Server;

	private constructor(client: Client) {
		this.#client = client;
		this.#registry = new client.Registry();
		this.#server = createServer({ requestTimeout: CLIENT_TIMEOUT_MS }, (request, response) => {
			if (request.method !== 'GET' || request.url !== '/metrics') response.writeHead(404).end();
			else
				this.#registry.metrics().then(
					(text) => response.writeHead(200, { 'Content-Type': this.#registry.contentType }).end(text),
					() => response.writeHead(500).end(),
				);
		});
		this.#server.maxConnections = MOST_CONNECTIONS;
		this.#server.setTimeout(CLIENT_TIMEOUT_MS, (socket) => socket.destroy());
	}

	/**
	 * Listens immediately, so that a start can be monitored. The library is loaded only if used.
	 * @throws Error if the port is taken
	 */
	static async open({ port, host, labels = {} }: MetricsConfig): Promise<Metrics> {
		const client = await import('prom-client');
		const metrics = new Metrics(client);
		metrics.#registry.setDefaultLabels(labels);
		const server = metrics.#server;
		await new Promise<void>((resolve, reject) => {
			server.on('error', (error) => reject(new Error(`METRICS_PORT cannot be used: ${error.message}`)));
			server.listen(port, host, resolve);
		});
		// Processor time, memory, garbage collection, and the delay of the event loop.
		client.collectDefaultMetrics({ register: metrics.#registry });
		const facts = { version: RELEASE, node: process.version };
		metrics.#fact('backlay_build_info', 'The release that runs; always 1.', facts);
		return metrics;
	}

	/** The URL of the metrics, from this machine. */
	get url(): string {
		return `http://localhost:${(this.#server.address() as AddressInfo).port}/metrics`;
	}

	gauge({ name, help, label, read }: GaugeOptions): void {
		const gauge = new this.#client.Gauge({
			name,
			help,
			labelNames: label === undefined ? [] : [label],
			registers: [this.#registry],
			collect: async () => {
				gauge.reset();
				const readings = await Promise.resolve()
					.then(read)
					.catch(() => null);
				// A gauge without a label is 0 after its reset.
				if (readings === null) gauge.remove({});
				else if (typeof readings === 'number') gauge.set(readings);
				else for (const [value, reading] of readings) gauge.set({ [label ?? '']: value }, reading);
			},
		});
	}

	counter(name: string, help: string, labels: readonly string[] = []): Counter {
		return new this.#client.Counter({ name, help, labelNames: labels, registers: [this.#registry] });
	}

	/** @param buckets upper bounds, in the figure's unit */
	histogram(name: string, help: string, buckets: readonly number[], labels: readonly string[] = []): Histogram {
		const registers = [this.#registry];
		return new this.#client.Histogram({ name, help, buckets: [...buckets], labelNames: labels, registers });
	}

	/** A figure that says something by its labels alone; its value is 1. */
	#fact(name: string, help: string, labels: Readonly<Record<string, string>>): void {
		const registers = [this.#registry];
		new this.#client.Gauge({ name, help, labelNames: Object.keys(labels), registers }).set(labels, 1);
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
		this.#registry.clear();
	}
}
