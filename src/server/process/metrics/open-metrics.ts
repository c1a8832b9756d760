/** The metrics of a process, if its configuration names a port for them. */
import { ExchangeMetrics } from '#server/process/metrics/exchange-metrics.ts';
import { Metrics, type MetricsConfig } from '#server/process/metrics/metrics.ts';

/** Null if not configured. @throws Error if the port is taken */
export async function openMetrics(
	config: MetricsConfig | null,
	started: AsyncDisposableStack,
): Promise<Metrics | null> {
	const metrics = config && (await Metrics.open(config));
	started.defer(async () => await metrics?.close());
	return metrics;
}

/** The same for the process with the exchange. */
export async function openExchangeMetrics(
	config: MetricsConfig | null,
	started: AsyncDisposableStack,
): Promise<ExchangeMetrics | null> {
	const metrics = config && (await ExchangeMetrics.open(config));
	started.defer(async () => await metrics?.close());
	return metrics;
}
