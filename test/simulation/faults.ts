/** What goes wrong, when and for how long, by the seed. */
import { SIGNS_SUFFIX } from '#server/platform/postgres/connect.ts';
import type { DatabaseDouble, Session } from './database/double.ts';
import type { FeedPlan } from './feed.ts';
import { Host } from './host.ts';
import type { Network } from './network.ts';
import type { SeededNumbers } from './seeded-numbers.ts';
import { type Role, SILENCE_MS, type SimulatedProcess } from './simulated-process.ts';
import type { SimulatedTime } from './simulated-time.ts';

const EVERY_MS = 2_500;

export interface Cluster {
	readonly processes: readonly SimulatedProcess[];
	/** Kills a process. @param closes false of a machine that is gone */
	kill(process: SimulatedProcess, closes: boolean): void;
	/** Starts one more, after a while. */
	startAnother(role: Role, afterMs: number): void;
	on(process: SimulatedProcess, act: () => void): void;
}

interface FaultsOptions {
	time: SimulatedTime;
	numbers: SeededNumbers;
	network: Network;
	database: DatabaseDouble;
	feed: FeedPlan;
	cluster: Cluster;
	trace: (text: string) => void;
}

type Act = (faults: Faults) => string | null;

export class Faults {
	readonly #options: FaultsOptions;
	readonly #host = new Host('faults', 0);
	#stopped = false;

	constructor(options: FaultsOptions) {
		this.#options = options;
	}

	start(afterMs: number): void {
		this.#next(afterMs);
	}

	/** Nothing new goes wrong, and what was cut, slow or stopped goes on. */
	stop(): void {
		this.#stopped = true;
		const { network, database, feed, cluster, time } = this.#options;
		network.heal();
		database.slowUntilMs = 0;
		feed.silentUntilMs = 0;
		for (const { host } of [...cluster.processes, database]) {
			host.stoppedUntilMs = Math.min(host.stoppedUntilMs, time.nowMs);
			host.busyUntilMs = Math.min(host.busyUntilMs, time.nowMs);
		}
	}

	#next(afterMs: number): void {
		const { time, numbers, trace } = this.#options;
		time.after(afterMs, this.#host, () => {
			if (this.#stopped) return;
			const act = numbers.from(ACTS);
			const done = act(this);
			if (done !== null) trace(`faults: ${done}`);
			this.#next(EVERY_MS * (0.1 + 2 * numbers.fraction() ** 2));
		});
	}

	get options(): FaultsOptions {
		return this.#options;
	}
	get leader(): SimulatedProcess | null {
		return this.#options.cluster.processes.find((process) => process.leads) ?? null;
	}
	get follower(): SimulatedProcess | null {
		const following = this.#options.cluster.processes.filter((process) => process.follows);
		return following.length === 0 ? null : this.#options.numbers.from(following);
	}
	/** Mostly the leader. */
	get someone(): SimulatedProcess | null {
		const { cluster, numbers } = this.#options;
		const leader = numbers.chance(60) ? this.leader : null;
		return leader ?? (cluster.processes.length === 0 ? null : numbers.from(cluster.processes));
	}
	/** What happens in that time may follow from the fault. */
	trouble(host: Host, ms: number): void {
		host.troubledUntilMs = Math.max(host.troubledUntilMs, this.#options.time.nowMs + ms);
	}
	/** Short times are likelier. */
	ms(longest: number): number {
		return 20 + longest * this.#options.numbers.fraction() ** 2;
	}
}

/** A connection of a process, or of its thread that gives signs of life. */
export const isOf = ({ applicationName }: Session, { name }: { name: string }): boolean =>
	applicationName === `backlay ${name}` || applicationName === `backlay ${name}${SIGNS_SUFFIX}`;

const kill =
	(closes: boolean): Act =>
	(faults) => {
		const process = faults.someone;
		if (!process) return null;
		const { cluster, numbers } = faults.options;
		cluster.kill(process, closes);
		cluster.startAnother(numbers.chance(10) ? 'serve' : 'stand by', faults.ms(4_000));
		return `${closes ? 'kill' : 'power off'} ${process.name}`;
	};

const stop =
	(longest: number): Act =>
	(faults) => {
		const process = faults.someone;
		if (!process) return null;
		const ms = faults.ms(longest);
		process.host.stoppedUntilMs = faults.options.time.nowMs + ms;
		faults.trouble(process.host, ms);
		return `stop ${process.name} for ${ms | 0} ms`;
	};

/** A turn of the event loop, in which the exchange does nothing else; one that hangs has to be replaced. */
const turn =
	(least: number, most: number, isTrouble: boolean): Act =>
	(faults) => {
		const { leader } = faults;
		const { time, numbers } = faults.options;
		// Two turns in one would hang.
		if (!leader || leader.host.busyUntilMs > time.nowMs) return null;
		const ms = numbers.between(least, most);
		leader.host.busyUntilMs = time.nowMs + ms;
		if (isTrouble) faults.trouble(leader.host, ms);
		return `a turn of ${leader.name} takes ${ms | 0} ms`;
	};

const cut: Act = (faults) => {
	const process = faults.someone;
	if (!process) return null;
	const { network, database, numbers, time } = faults.options;
	const ms = faults.ms(12_000);
	// Answers alone are lost as often as everything.
	const isOneWay = numbers.chance(50);
	network.cut(database.host, process.host, ms);
	if (!isOneWay) network.cut(process.host, database.host, ms);
	faults.trouble(process.host, ms);
	const isReset = numbers.chance(60);
	const reset = (): void => {
		for (const session of database.sessions()) if (isOf(session, process)) database.reset(session);
	};
	// A firewall forgets the connections: the database learns it at once, or both sides when they speak again.
	const isKnown = isReset && !isOneWay && numbers.chance(50);
	if (isKnown) reset();
	if (isReset) time.after(ms, database.host, reset);
	const how = isKnown ? ', which the database learns' : isReset ? ', then reset' : '';
	return `cut ${process.name} off${isOneWay ? ' from answers' : ''} for ${ms | 0} ms${how}`;
};

const ACTS: readonly Act[] = [
	kill(true),
	kill(true),
	kill(false),
	stop(400),
	// About as long as a standby waits.
	(faults) => {
		const { leader } = faults;
		if (!leader) return null;
		const ms = SILENCE_MS + faults.options.numbers.between(-60, 120);
		leader.host.stoppedUntilMs = faults.options.time.nowMs + ms;
		faults.trouble(leader.host, ms);
		return `stop ${leader.name} for ${ms | 0} ms`;
	},
	turn(100, 3_500, false),
	turn(100, 3_500, false),
	turn(6_000, 12_000, true),
	stop(3_000),
	stop(15_000),
	cut,
	cut,
	(faults) => {
		const process = faults.someone;
		if (!process) return null;
		const { network, database, numbers } = faults.options;
		const [ms, by] = [faults.ms(6_000), numbers.between(1, 300)];
		network.slow(process.host, database.host, { ms, by });
		faults.trouble(process.host, ms + by);
		return `slow the network of ${process.name} by ${by | 0} ms for ${ms | 0} ms`;
	},
	(faults) => {
		const { database, time } = faults.options;
		const ms = faults.ms(14_000);
		database.host.stoppedUntilMs = time.nowMs + ms;
		faults.trouble(database.host, ms);
		return `freeze the database for ${ms | 0} ms`;
	},
	(faults) => {
		const { database, time, numbers } = faults.options;
		const ms = faults.ms(5_000);
		database.slowUntilMs = time.nowMs + ms;
		database.slowMs = numbers.between(5, 1_500);
		faults.trouble(database.host, ms + database.slowMs);
		return `slow commits by ${database.slowMs | 0} ms for ${ms | 0} ms`;
	},
	(faults) => {
		const ms = faults.ms(2_500);
		faults.options.database.crash(ms);
		faults.trouble(faults.options.database.host, ms);
		return `crash the database for ${ms | 0} ms`;
	},
	(faults) => {
		const { database, numbers } = faults.options;
		const ms = Math.round(numbers.between(-20_000, 20_000));
		database.host.wallAheadMs += ms;
		faults.trouble(database.host, 0);
		if (ms < 0) database.clockSetBackAtMs = faults.options.time.nowMs;
		return `set the clock of the database to ${database.host.wallAheadMs} ms ahead`;
	},
	(faults) => {
		const process = faults.someone;
		if (!process) return null;
		process.host.wallAheadMs += Math.round(faults.options.numbers.between(-3_600_000, 3_600_000));
		return `set the clock of ${process.name} to ${process.host.wallAheadMs / 1000} s ahead`;
	},
	(faults) => {
		const { database, numbers } = faults.options;
		const sessions = [...database.sessions()];
		if (sessions.length === 0) return null;
		const session = numbers.from(sessions);
		for (const { host } of faults.options.cluster.processes) if (isOf(session, host)) faults.trouble(host, 0);
		database.terminate(session, Object.assign(new Error('terminated by administrator'), { code: '57P01' }));
		return `end a connection of ${session.applicationName}`;
	},
	(faults) => {
		const process = faults.someone;
		if (!process) return null;
		faults.options.cluster.on(process, () => void process.stop());
		faults.trouble(process.host, Number.POSITIVE_INFINITY);
		faults.options.cluster.startAnother('stand by', faults.ms(4_000));
		return `shut ${process.name} down`;
	},
	...Array.from(
		{ length: 3 },
		(): Act => (faults) => {
			const [leader, heir] = [faults.leader, faults.follower];
			if (!leader || !heir) return null;
			const { cluster, numbers, time } = faults.options;
			cluster.on(leader, () => void leader.handOver(heir.name));
			faults.trouble(leader.host, 2_000);
			// Any step of it may be the last of one of the two.
			if (numbers.chance(50)) {
				const victim = numbers.from([leader, heir]);
				const ms = numbers.between(0, 60);
				time.after(ms, victim.host, () => {
					cluster.kill(victim, numbers.chance(70));
					cluster.startAnother('stand by', 500);
				});
				return `hand over from ${leader.name} to ${heir.name}, killing ${victim.name} after ${ms | 0} ms`;
			}
			return `hand over from ${leader.name} to ${heir.name}`;
		},
	),
	(faults) => {
		const { feed, time } = faults.options;
		const ms = faults.ms(8_000);
		feed.silentUntilMs = time.nowMs + ms;
		return `silence the feed for ${ms | 0} ms`;
	},
	(faults) => {
		if (faults.options.cluster.processes.length > 3) return null;
		faults.options.cluster.startAnother('stand by', 1);
		return 'one more standby joins';
	},
];
