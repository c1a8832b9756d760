/** The metrics of every process that serves players, the exchange's and the gateways. */
import type { Metrics } from '#server/process/metrics/metrics.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';

/** @returns a function that counts a refusal by its code */
export function refusalsIn(metrics: Metrics): (code: ErrorCode) => void {
	const refusals = metrics.counter('backlay_refusals_total', 'Calls that were refused, by code.', ['code']);
	return (code) => refusals.inc({ code });
}

/** @returns a function that adds to the number of dropped spans */
export function droppedSpansIn(metrics: Metrics): (count: number) => void {
	const dropped = metrics.counter('backlay_dropped_spans_total', 'Spans of traces that the collector did not get.');
	return (count) => dropped.inc(count);
}

export function watchHub(metrics: Metrics, hub: { connections(): number }): void {
	metrics.gauge({
		name: 'backlay_hub_connections',
		help: 'Clients of the hub of this process.',
		read: () => hub.connections(),
	});
}
