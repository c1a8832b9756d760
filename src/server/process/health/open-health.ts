/** Opens the checks of a process and their alarms, for operators and for the people whom a webhook tells. */

import type { Logger } from 'pino';
import { Alarms } from '#server/process/health/alarms.ts';
import { Health, type HealthOptions } from '#server/process/health/health.ts';
import { DAY_MS } from '#values/time.ts';

interface OpenHealthOptions extends HealthOptions {
	config: HealthOptions['config'] & { nodeId: string };
	reach: HealthOptions['reach'] & { alarmUrl: string | null };
	log: Logger;
	/** Screens that show alarms are out of date. */
	onChanged: () => void;
}

interface OpenHealth {
	/** What operators ask. */
	checks: () => ReturnType<Health['checks']>;
	alarms: Alarms['current'];
	/** Not started yet. */
	watch: Pick<Alarms, 'start' | 'stop' | 'current'>;
}

export function openHealth({ log, onChanged, ...options }: OpenHealthOptions): OpenHealth {
	const { config, reach } = options;
	const health = new Health(options);
	const alarms = new Alarms({
		health: { checks: () => health.checks(DAY_MS) },
		webhookUrl: reach.alarmUrl,
		process: config.nodeId || 'exchange',
		log,
		onChanged,
	});
	const watch: OpenHealth['watch'] = {
		start: () => {
			health.start();
			alarms.start();
		},
		stop: () => alarms.stop(),
		current: () => alarms.current(),
	};
	return { checks: () => health.checks(0), alarms: watch.current, watch };
}
