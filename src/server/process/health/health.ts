/** Everything about this process and its database that an operator would look at, as a list. */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Smtp } from '#server/platform/mail/smtp.ts';
import { inTime } from '#server/platform/pacing/in-time.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { failing, type HealthCheck, ok } from '#server/process/health/check.ts';
import type { ClockWatch } from '#server/process/health/clock-watch.ts';
import { archiveCheck, drillsCheck, standbysCheck, versionCheck } from '#server/process/health/database-checks.ts';
import { certificateCheck, diskCheck, keysCheck } from '#server/process/health/machine-checks.ts';
import { MailCheck } from '#server/process/health/mail-check.ts';
import type { OwnRelease } from '#server/process/health/own-release.ts';
import { approvalCheck } from '#server/process/health/release-approval.ts';
import type { ReleaseFiles } from '#server/process/health/release-files.ts';
import {
	beaconCheck,
	casesCheck,
	exchangeCheck,
	gamesCheck,
	liabilitiesCheck,
	messagesCheck,
	payoutsCheck,
	returnsCheck,
	signOnCheck,
	ticketsCheck,
	type WatchedBeacon,
	webhooksCheck,
} from '#server/process/health/work-checks.ts';
import type { Pool } from '#values/pools.ts';

/** A check that takes longer has failed. */
const LONGEST_CHECK_MS = 3_000;
/** The files of a release are read one after another, beside players' calls: a busy machine takes its time. */
const LONGEST_COMPARISON_MS = 60_000;

export interface HealthOptions {
	config: {
		production: boolean;
		dataDir: string;
		/** Null for the embedded database in `dataDir`. */
		databaseUrl: string | null;
		/** Keys that the environment names; the others are derived. */
		namedKeys: { ledger: boolean; data: boolean };
		/** Whose days the books have. */
		booksZone: string;
	};
	reach: {
		commandRows: boolean;
		sms: object | null;
		stream: { tls: { cert: string } | null } | null;
	};
	db: pg.Pool;
	exchange: Pick<Exchange, 'isOpen' | 'figures'>;
	clock: Pick<ClockWatch, 'look'>;
	/** The rounds of the house's games so far, and the bets whose payouts luck does not explain. */
	deviatingBets: () => { rounds: number; deviating: readonly string[] };
	/** Shared games whose rounds an error ended. */
	failedGames: () => readonly string[];
	/** Null while the program is developed, when its files change all the time. */
	files: Pick<ReleaseFiles, 'check'> | null;
	/** Null while the program is developed. */
	release: Pick<OwnRelease, 'found'> | null;
	beacon: WatchedBeacon;
	/** Null without a mail server. */
	smtp: Pick<Smtp, 'fault'> | null;
	/** The company's log-in of staff; null without one. */
	signOn: { answers(): Promise<boolean>; issuer: string } | null;
	/** The pools of the brands that are served. */
	brandPools: () => readonly Pool[];
}

export class Health {
	readonly #options: HealthOptions;
	readonly #mail: MailCheck;

	constructor(options: HealthOptions) {
		this.#options = options;
		this.#mail = new MailCheck(options);
	}

	/**
	 * All checks, in a fixed order; one that cannot be made is failing. Takes as long as the files take, or a quarter of a
	 * minute where nothing in the database answers.
	 * @param filesMaxAgeMs how old the comparison of the release's files may be
	 */
	async checks(filesMaxAgeMs: number): Promise<HealthCheck[]> {
		const { config, reach, db, exchange, clock, files, release, deviatingBets, beacon, brandPools, signOn } =
			this.#options;
		const nowMs = Date.now();
		// Two at once: each connection that a look opens is a process that PostgreSQL starts, for which bets wait. A check that
		// takes too long gives its place to the next. Turns are of this look alone: none waits for one before it.
		const turns = new Turns({ atOnce: 2 });
		const asked = (name: string, check: () => Promise<HealthCheck>) => turns.take('database', () => made(name, check));
		return await Promise.all([
			made('exchange', () => exchangeCheck(exchange)),
			asked('database', () => versionCheck(db)),
			made('clock', () => clock.look()),
			asked('archive', () => archiveCheck(db, nowMs)),
			asked('standbys', () => standbysCheck(db, reach.commandRows)),
			made('disk', () => diskCheck(config.databaseUrl === null ? config.dataDir : null)),
			made('keys', () => keysCheck(config.namedKeys, config.production)),
			made(
				'files',
				() => files?.check(filesMaxAgeMs, nowMs) ?? ok('files', 'Files are compared in production.'),
				LONGEST_COMPARISON_MS,
			),
			made('release', async () => approvalCheck(release && (await release.found())), LONGEST_COMPARISON_MS),
			made('certificate', () => certificateCheck(reach.stream?.tls?.cert ?? null, nowMs)),
			made('beacon', () => beaconCheck(beacon, brandPools())),
			made('games', () => gamesCheck(this.#options.failedGames())),
			made('returns', () => returnsCheck(deviatingBets())),
			asked('payouts', () => payoutsCheck(db, nowMs)),
			asked('messages', () => messagesCheck(db, reach.sms !== null, nowMs)),
			made('mail', () => this.#mail.look(nowMs)),
			made('sign-on', () => signOnCheck(signOn)),
			asked('webhooks', () => webhooksCheck(db, nowMs)),
			asked('tickets', () => ticketsCheck(db, nowMs)),
			asked('cases', () => casesCheck(db, nowMs)),
			asked('liabilities', () => liabilitiesCheck(db, config.booksZone, nowMs)),
			asked('drills', () => drillsCheck(db, nowMs)),
		]);
	}
}

async function made(
	name: string,
	check: () => HealthCheck | Promise<HealthCheck>,
	longestMs = LONGEST_CHECK_MS,
): Promise<HealthCheck> {
	try {
		return await inTime(Promise.resolve().then(check), longestMs, 'It took too long.');
	} catch (error) {
		return failing(
			name,
			`This could not be checked. ${(error as Error).message}`,
			'Look at the database and the disk.',
		);
	}
}
