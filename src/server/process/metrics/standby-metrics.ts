/** The metrics of a standby until it takes over. */

import type { Standby } from '#server/exchange/standby/standby.ts';
import type { Metrics } from '#server/process/metrics/metrics.ts';

export function watchStandby(metrics: Metrics, standby: Pick<Standby, 'position'>): void {
	metrics.gauge({
		name: 'backlay_standby_batch',
		help: 'The last batch that this standby has applied; missing while it joins.',
		read: () => standby.position?.batch ?? null,
	});
}
