/** The metrics of every process that serves players, the exchange's and the gateways. */
import type { RequestWatch } from '#server/doors/http/plain-server.ts';
import type { Metrics } from '#server/process/metrics/metrics.ts';

/** Seconds: from an answer out of memory to the deadline of a call. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Files of the site are routes of their own, which change with each release. */
const FILES = '/assets/';

/** Requests by route and class of status, with how long they took, and refusals by code. */
export function requestsIn(metrics: Metrics): RequestWatch {
	const refusals = metrics.counter('backlay_refusals_total', 'Calls that were refused, by code.', ['code']);
	const seconds = metrics.histogram(
		'backlay_request_seconds',
		'How long requests took from their first line to the last byte of their answer, by route and class of status.',
		REQUEST_BUCKETS,
		['route', 'status'],
	);
	// Looking a series up by its labels costs more than the observation.
	const series = new Map<string, { observe(value: number): void }>();
	return {
		onRefused: (code) => refusals.inc({ code }),
		onAnswered: (path, code, tookMs) => {
			const route = path.startsWith(FILES) ? `${FILES}*` : path;
			const status = `${Math.floor(code / 100)}xx`;
			const name = `${status} ${route}`;
			let one = series.get(name);
			if (!one) series.set(name, (one = seconds.labels({ route, status })));
			one.observe(tookMs / 1000);
		},
	};
}

/** @returns a function that adds to the number of dropped spans */
export function droppedSpansIn(metrics: Metrics): (count: number) => void {
	const dropped = metrics.counter('backlay_dropped_spans_total', 'Spans of traces that the collector did not get.');
	return (count) => dropped.inc(count);
}

/** Registers which engines behind a gateway serve, by their pools. */
export function watchEngines(metrics: Metrics, engines: { states(): Promise<Record<string, string>> }): void {
	metrics.gauge({
		name: 'backlay_engine_serves',
		help: 'Whether the process with the engine of these pools answers and is ready.',
		label: 'pools',
		read: async () => Object.entries(await engines.states()).map(([pools, state]) => [pools, state === 'ok' ? 1 : 0]),
	});
}

export function watchHub(metrics: Metrics, hub: { connections(): number }): void {
	metrics.gauge({
		name: 'backlay_hub_connections',
		help: 'Clients of the hub of this process.',
		read: () => hub.connections(),
	});
}
