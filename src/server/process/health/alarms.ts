/**
 * Tells people when a check begins to fail, and when it is well again: by its channels, in the console and in the
 * journal. A message that a channel refuses is sent again until it is taken; when the state changes meanwhile, only the
 * newest is sent.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { isLogged } from '#server/platform/pacing/back-off.ts';
import { inTime } from '#server/platform/pacing/in-time.ts';
import type { AlarmChannel, AlarmMessage } from '#server/process/health/alarm-channels.ts';
import type { HealthCheck } from '#server/process/health/check.ts';
import type { Records } from '#server/process/health/records.ts';

/** How often the checks are made. */
const LOOK_EVERY_MS = 30_000;
/** A state that lasts for two looks is told: one slow answer of the database wakes no person. */
const LOOKS = 2;
/** How long a stop waits for a look and its messages: the drain, which follows, needs most of a stop's ten seconds. */
const STOP_WITHIN_MS = 4_000;
/** A look waits for no frozen database. */
const RECALL_WITHIN_MS = 3_000;

interface Alarm extends Pick<HealthCheck, 'name' | 'words' | 'todo'> {
	sinceMs: number;
}

interface AlarmsOptions {
	health: { checks(): Promise<HealthCheck[]> };
	channels: readonly AlarmChannel[];
	/** Names this process in messages. */
	process: string;
	log: Logger;
	records: Pick<Records, 'add' | 'write' | 'unended'>;
	/** Called when the list of alarms has changed. */
	onChanged: () => void;
	lookEveryMs?: number;
}

interface Outgoing {
	channel: AlarmChannel;
	unsent: Map<string, AlarmMessage>;
	failures: number;
}

interface Known {
	/** How many looks in a row found it failing, or well after an alarm. */
	looks: number;
	alarm: Alarm;
	isAnnounced: boolean;
}

export class Alarms {
	readonly #options: AlarmsOptions;
	/** By the check's name. */
	readonly #known = new Map<string, Known>();
	/** When alarms began that no look has ended, of this process before its restart too; null until they are read. */
	#begunMs: Map<string, number> | null = null;
	/** Of each channel, the messages that it has not taken, by the check's name. */
	readonly #outgoing: readonly Outgoing[];
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> = Promise.resolve();
	#isStopped = false;

	constructor(options: AlarmsOptions) {
		this.#options = options;
		this.#outgoing = options.channels.map((channel) => ({ channel, unsent: new Map(), failures: 0 }));
	}

	start(): void {
		const { lookEveryMs = LOOK_EVERY_MS } = this.#options;
		const look = async (): Promise<void> => {
			await this.look();
			if (!this.#isStopped) this.#timer = setTimeout(next, lookEveryMs).unref();
		};
		const next = (): void => {
			this.#looking = look();
		};
		this.#timer = setTimeout(next, lookEveryMs).unref();
	}

	/** A message that is under way is sent first, unless its channel does not answer. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await Promise.race([this.#looking, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
	}

	/** What fails now, the oldest first. */
	current(): Alarm[] {
		return [...this.#known.values()]
			.filter(({ isAnnounced }) => isAnnounced)
			.map(({ alarm }) => alarm)
			.sort((one, other) => one.sinceMs - other.sinceMs);
	}

	/** Makes the checks once, and sends what has changed. */
	async look(): Promise<void> {
		const nowMs = Date.now();
		await this.#recall();
		for (const check of await this.#options.health.checks()) this.#note(check, nowMs);
		await Promise.all([...this.#outgoing.map((one) => this.#send(one)), this.#options.records.write()]);
	}

	/** While the journal is away the checks are made without it, and a later look reads it. */
	async #recall(): Promise<void> {
		const { records } = this.#options;
		if (this.#begunMs !== null) return;
		this.#begunMs = await inTime(records.unended(), RECALL_WITHIN_MS, 'the database takes too long').catch(() => null);
	}

	#note({ name, state, words, todo }: HealthCheck, nowMs: number): void {
		const known = this.#known.get(name);
		const begunMs = this.#begunMs?.get(name);
		if (state !== 'failing') {
			this.#known.delete(name);
			this.#begunMs?.delete(name);
			const sinceMs = known?.isAnnounced ? known.alarm.sinceMs : begunMs;
			if (sinceMs === undefined) return;
			this.#announce(name, `Well again: ${words}`);
			this.#options.records.add('alarm-ended', `check ${name}`, { words, since: isoTime(sinceMs) });
			return;
		}
		const looks = (known?.looks ?? 0) + 1;
		const isAnnounced = looks >= LOOKS;
		const sinceMs = known?.alarm.sinceMs ?? begunMs ?? nowMs;
		this.#known.set(name, { looks, isAnnounced, alarm: { name, words, todo, sinceMs } });
		if (!isAnnounced || known?.isAnnounced) return;
		this.#announce(name, `${words} ${todo}`);
		if (begunMs === undefined) this.#options.records.add('alarm-began', `check ${name}`, { words });
	}

	#announce(name: string, words: string): void {
		const { log, process, onChanged } = this.#options;
		log.warn({ check: name }, words);
		const message = { check: name, text: `Backlay ${process}, ${name}: ${words}`, atMs: Date.now() };
		for (const { unsent } of this.#outgoing) unsent.set(name, message);
		onChanged();
	}

	/** A channel that is away holds up no other one. */
	async #send(outgoing: Outgoing): Promise<void> {
		const { channel, unsent } = outgoing;
		for (const [name, message] of unsent) {
			try {
				await channel.send(message);
				outgoing.failures = 0;
				if (unsent.get(name) === message) unsent.delete(name);
			} catch (error) {
				const { log } = this.#options;
				if (isLogged(++outgoing.failures))
					log.error(
						{ reason: (error as Error).message },
						`the ${channel.name} for alarms took no message; it is sent again`,
					);
				return;
			}
		}
	}
}
