/** Opens the checks of a process and their alarms, for operators and for the people whom a webhook tells. */

import type { Logger } from 'pino';
import type { Smtp } from '#server/platform/mail/smtp.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { mailChannel, webhookChannel } from '#server/process/health/alarm-channels.ts';
import { Alarms } from '#server/process/health/alarms.ts';
import { ClockWatch } from '#server/process/health/clock-watch.ts';
import { Health, type HealthOptions } from '#server/process/health/health.ts';
import type { OwnRelease } from '#server/process/health/own-release.ts';
import { Records } from '#server/process/health/records.ts';
import { ReleaseFiles } from '#server/process/health/release-files.ts';
import type { Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

interface OpenHealthOptions extends Pick<HealthOptions, 'db'> {
	config: HealthOptions['config'] & {
		nodeId: string;
		releaseRoot: string;
		releaseDigest: string | null;
		pools: readonly Pool[];
	};
	/** Null while it is developed, and in a rehearsal. */
	release: OwnRelease | null;
	reach: HealthOptions['reach'] & {
		alarmUrl: string | null;
		alarmMails: readonly string[];
		timeSource: string | null;
	};
	trading: Pick<HealthOptions, 'exchange'>;
	accounts: {
		journal: Pick<Journal, 'write'>;
		/** Null without a mail server. */
		smtp: Smtp | null;
		staff: { signOn: HealthOptions['signOn'] };
		casino: Pick<HealthOptions, 'deviatingBets' | 'failedGames'> & { beaconWatch: HealthOptions['beacon'] };
	};
	world: { brands: { own(): readonly { pool: Pool }[] } };
	log: Logger;
	/** Screens that show alarms are out of date. */
	onChanged: () => void;
}

interface Standing {
	clockDriftMs: Readonly<Record<string, number>>;
	files: ReleaseFiles['standing'];
	/** What players miss while the process is ready, in sentences; left out for nothing. */
	lacks?: string[];
}

export interface OpenHealth {
	/** What operators ask. @param comparesFiles whether the release's files are compared again */
	checks: (comparesFiles: boolean) => ReturnType<Health['checks']>;
	alarms: Alarms['current'];
	/** Of the last looks, for monitors that ask `/ready`. */
	standing: () => Standing;
	/** Not started yet. */
	watch: Pick<Alarms, 'start' | 'stop' | 'current'> & { drifts: () => Readonly<Record<string, number>> };
}

export function openHealth(options: OpenHealthOptions): OpenHealth {
	const { config, release, reach, db, trading, accounts, world, log, onChanged } = options;
	const { journal, casino, smtp, staff } = accounts;
	const { deviatingBets, failedGames, beaconWatch: beacon } = casino;
	const brandPools = () => world.brands.own().map(({ pool }) => pool);
	const process = config.nodeId || 'exchange';
	const records = new Records({ db, journal, process, log });
	const clock = new ClockWatch({ db, timeSource: reach.timeSource, records });
	const files =
		config.production && release !== null
			? new ReleaseFiles({
					root: config.releaseRoot,
					atStart: async () => (await release.found()).hashes,
					published: config.releaseDigest,
					onCompared: (comparison) => records.add('files-compared', 'release', comparison),
				})
			: null;
	const health = new Health({
		config,
		reach,
		db,
		exchange: trading.exchange,
		deviatingBets,
		failedGames,
		beacon,
		smtp,
		signOn: staff.signOn,
		brandPools,
		clock,
		files,
		release,
	});
	const alarms = new Alarms({
		health: { checks: () => health.checks(DAY_MS) },
		channels: [
			...(reach.alarmUrl === null ? [] : [webhookChannel(reach.alarmUrl)]),
			...(smtp === null || reach.alarmMails.length === 0 ? [] : [mailChannel(smtp, reach.alarmMails, process)]),
		],
		process,
		log,
		records,
		onChanged,
	});
	const watch: OpenHealth['watch'] = {
		start: () => {
			alarms.start();
			if (release !== null) void recordStart(release, records);
		},
		stop: () => alarms.stop(),
		current: () => alarms.current(),
		drifts: () => clock.drifts,
	};
	return {
		checks: (comparesFiles) => health.checks(comparesFiles ? 0 : DAY_MS),
		alarms: watch.current,
		standing: () => {
			const lack = beacon.lackFor(config.pools);
			const looked = { clockDriftMs: clock.drifts, files: files?.standing ?? null };
			return lack === null ? looked : { ...looked, lacks: [lack] };
		},
		watch,
	};
}

/** Not at the first look: a process that ends before has started, too. */
async function recordStart(release: OwnRelease, records: Records): Promise<void> {
	try {
		const { version, digest, signers } = await release.found();
		records.add('release-started', 'release', { version, digest, signers });
		await records.write();
	} catch {
		// Files that cannot be read fail the checks, which say so.
	}
}
