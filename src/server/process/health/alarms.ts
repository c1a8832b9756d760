/**
 * Tells people when a check begins to fail, and when it is well again: by a webhook, in the console and in the journal. A
 * message that is refused is sent again until it is taken; when the state changes meanwhile, only the newest is sent.
 */
import type { Logger } from 'pino';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { isLogged } from '#server/platform/pacing/back-off.ts';
import type { HealthCheck } from '#server/process/health/check.ts';
import type { Records } from '#server/process/health/records.ts';

/** How often the checks are made. */
const LOOK_EVERY_MS = 30_000;
/** A state that lasts for two looks is told: one slow answer of the database wakes no person. */
const LOOKS = 2;
const SEND_WITHIN_MS = 10_000;

interface Alarm extends Pick<HealthCheck, 'name' | 'words' | 'todo'> {
	sinceMs: number;
}

interface AlarmsOptions {
	health: { checks(): Promise<HealthCheck[]> };
	/** The address of a webhook; null for none. It may contain a secret, so it is not logged. */
	webhookUrl: string | null;
	/** Names this process in messages. */
	process: string;
	log: Logger;
	records: Pick<Records, 'add' | 'write'>;
	/** Called when the list of alarms has changed. */
	onChanged: () => void;
	lookEveryMs?: number;
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
	/** Messages that the webhook has not taken, by the check's name. */
	readonly #unsent = new Map<string, string>();
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> = Promise.resolve();
	#failures = 0;
	#isStopped = false;

	constructor(options: AlarmsOptions) {
		this.#options = options;
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

	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#looking;
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
		for (const check of await this.#options.health.checks()) this.#note(check, nowMs);
		await Promise.all([this.#send(), this.#options.records.write()]);
	}

	#note({ name, state, words, todo }: HealthCheck, nowMs: number): void {
		const known = this.#known.get(name);
		if (state !== 'failing') {
			this.#known.delete(name);
			if (!known?.isAnnounced) return;
			this.#announce(name, `Well again: ${words}`);
			this.#options.records.add('alarm-ended', `check ${name}`, { words, since: isoTime(known.alarm.sinceMs) });
			return;
		}
		const looks = (known?.looks ?? 0) + 1;
		const isAnnounced = looks >= LOOKS;
		this.#known.set(name, { looks, isAnnounced, alarm: { name, words, todo, sinceMs: known?.alarm.sinceMs ?? nowMs } });
		if (!isAnnounced || known?.isAnnounced) return;
		this.#announce(name, `${words} ${todo}`);
		this.#options.records.add('alarm-began', `check ${name}`, { words });
	}

	#announce(name: string, words: string): void {
		const { log, webhookUrl, process, onChanged } = this.#options;
		log.warn({ check: name }, words);
		if (webhookUrl !== null) this.#unsent.set(name, `Backlay ${process}, ${name}: ${words}`);
		onChanged();
	}

	async #send(): Promise<void> {
		const { webhookUrl, log } = this.#options;
		if (webhookUrl === null) return;
		for (const [name, text] of this.#unsent) {
			try {
				const answer = await fetch(webhookUrl, {
					method: 'POST',
					headers: { 'Content-Type': 'application/json' },
					// `text` is what the webhooks of the common chat programs show.
					body: JSON.stringify({ text, check: name, at: isoTime(Date.now()) }),
					signal: AbortSignal.timeout(SEND_WITHIN_MS),
				});
				if (!answer.ok) throw new Error(`status ${answer.status}`);
				this.#failures = 0;
				if (this.#unsent.get(name) === text) this.#unsent.delete(name);
			} catch (error) {
				if (isLogged(++this.#failures))
					log.error({ reason: (error as Error).message }, 'the webhook for alarms took no message; it is sent again');
				return;
			}
		}
	}
}
