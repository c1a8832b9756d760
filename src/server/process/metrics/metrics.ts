/**
 * Figures for Prometheus, on a port of their own that is not for players: `GET /metrics`. A gauge is read when Prometheus
 * asks. Counters and histograms are updated once a batch or once a refusal, never for each bet.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counter, Histogram, Registry } from 'prom-client';

type Client = typeof import('prom-client');

/** A value of a gauge, with the value of its label where it has one. */
export type Reading = readonly [label: string, value: number];

/** Null while there is no value. */
type Readings = number | null | readonly Reading[];

/** A figure that is read when Prometheus asks. One that cannot be read is left out of that answer. */
interface GaugeOptions {
	name: string;
	help: string;
	/** The name of the label that tells its values apart; a gauge without one has one value. */
	label?: string;
	read: () => Readings | Promise<Readings>;
}

export interface MetricsConfig {
	/** 0 for any free one. */
	port: number;
	host: string;
}

/** Prometheus asks one thing at a time. */
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
	 * Listens at once, so that a start can be watched. The library is loaded only where it is used.
	 * @throws Error when the port is taken
	 */
	static async open({ port, host }: MetricsConfig): Promise<Metrics> {
		const client = await import('prom-client');
		const metrics = new Metrics(client);
		const server = metrics.#server;
		await new Promise<void>((resolve, reject) => {
			server.on('error', (error) => reject(new Error(`METRICS_PORT cannot be used: ${error.message}`)));
			server.listen(port, host, resolve);
		});
		// Processor time, memory, garbage collection, and how late the event loop is.
		client.collectDefaultMetrics({ register: metrics.#registry });
		return metrics;
	}

	/** Where Prometheus asks, from this machine. */
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
	histogram(name: string, help: string, buckets: readonly number[]): Histogram {
		return new this.#client.Histogram({ name, help, buckets: [...buckets], registers: [this.#registry] });
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
		this.#registry.clear();
	}
}
