/**
 * A process that runs one job at a time and may be killed at any moment: at the end of a job's time, above its memory
 * limit, from outside, or when the server stops. The first job starts it, also after its death, and it ends after an
 * idle time.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { MACHINE } from '#server/platform/machine/machine.ts';
import type { MediaRequest } from '#server/platform/media/protocol.ts';

const PROCESS = join(import.meta.dirname, 'media-process.ts');
const LOOK_EVERY_MS = 50;
/** Loading the decoder takes half a second, the reader a second; between two players' pictures both stay loaded. */
const IDLE_MS = 60_000;
/** How many times its CPU time a job without a deadline may take: it may get a small share of a core, or hang. */
const WITHOUT_DEADLINE = 6;
/** A process killed from outside is no evidence about the picture; a picture that kills two processes is at fault. */
const MOST_TRIES = 2;

export interface JobLimits {
	/**
	 * CPU time of one job, the start of its process included: on a busy machine a picture takes longer and is no worse.
	 * A job with a deadline may take until then.
	 */
	longestMs: number;
	/** Resident memory of the process. */
	mostBytes: number;
	/** Queued jobs. */
	longestQueue: number;
}

/**
 * Why there is no answer. `full`: the queue is full. `waited`: its turn did not come in time. `slow`, `heavy`: it was
 * killed at a limit. `died`: it ended on its own, or was killed from outside, at each try. `stopped`: the server stops.
 */
export type JobFailure = 'full' | 'waited' | 'slow' | 'heavy' | 'died' | 'stopped';
type JobOutcome = { answer: unknown } | { failure: JobFailure };

interface Job {
	request: MediaRequest;
	/** Of the monotonic clock. */
	untilMs: number;
	tries: number;
	/** Ends the waiting. */
	waits: NodeJS.Timeout | null;
	settle: (outcome: JobOutcome) => void;
}

/** A running job: its process, and why it is being killed. */
interface Work {
	job: Job;
	killedFor: JobFailure | null;
	timers: NodeJS.Timeout[];
}

export class JobProcess {
	readonly #limits: JobLimits;
	readonly #queue: Job[] = [];
	#child: ChildProcess | null = null;
	#ended: Promise<void> = Promise.resolve();
	#work: Work | null = null;
	#idle: NodeJS.Timeout | null = null;
	#isStopped = false;

	constructor(limits: JobLimits) {
		this.#limits = limits;
	}

	/** Of the running process; null for none. */
	get pid(): number | null {
		return this.#child?.pid ?? null;
	}

	/**
	 * Runs a job after earlier ones. It starts only if its whole time fits before the deadline, so an answer never
	 * arrives too late.
	 * @param untilMs of the monotonic clock
	 */
	async run(request: MediaRequest, untilMs: number): Promise<JobOutcome> {
		if (this.#isStopped) return { failure: 'stopped' };
		if (this.#queue.length >= this.#limits.longestQueue) return { failure: 'full' };
		const spareMs = this.#spareMs({ untilMs });
		if (spareMs < 0) return { failure: 'waited' };
		return await new Promise((settle) => {
			const job: Job = { request, untilMs, tries: 0, waits: null, settle };
			this.#queue.push(job);
			if (Number.isFinite(spareMs)) job.waits = setTimeout(() => this.#giveUp(job), spareMs);
			this.#next();
		});
	}

	/** Kills the process; the current job and queued ones are dropped. Resolves when the process has ended. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		for (const job of this.#queue.splice(0)) this.#settle(job, { failure: 'stopped' });
		this.#kill('stopped');
		await this.#ended;
	}

	/** The remaining time in which it may wait for its turn. */
	#spareMs({ untilMs }: Pick<Job, 'untilMs'>): number {
		return untilMs - this.#limits.longestMs - performance.now();
	}

	#giveUp(job: Job): void {
		this.#queue.splice(this.#queue.indexOf(job), 1);
		this.#settle(job, { failure: 'waited' });
	}

	#settle(job: Job, outcome: JobOutcome): void {
		if (job.waits) clearTimeout(job.waits);
		job.settle(outcome);
	}

	#next(): void {
		if (this.#work || this.#isStopped) return;
		if (this.#idle) clearTimeout(this.#idle);
		const job = this.#queue.shift();
		if (!job) {
			this.#idle = setTimeout(() => this.#kill(null), IDLE_MS).unref();
			return;
		}
		if (job.waits) clearTimeout(job.waits);
		job.tries += 1;
		const child = (this.#child ??= this.#start());
		const { longestMs, mostBytes } = this.#limits;
		const pid = child.pid ?? 0;
		const cpuUntilMs = MACHINE.cpuMs(pid) + longestMs;
		const late = setTimeout(
			() => this.#kill('slow'),
			Math.min(job.untilMs - performance.now(), longestMs * WITHOUT_DEADLINE),
		);
		const looks = setInterval(() => {
			if (MACHINE.residentBytes(pid) > mostBytes) this.#kill('heavy');
			if (MACHINE.cpuMs(pid) > cpuUntilMs) this.#kill('slow');
		}, LOOK_EVERY_MS);
		this.#work = { job, killedFor: null, timers: [late, looks] };
		// A process that has just ended receives nothing; its end settles the job.
		child.send(job.request, () => undefined);
	}

	#start(): ChildProcess {
		const child = fork(PROCESS, {
			execArgv: ['--max-old-space-size=256'],
			// A decoder with a thread for each core would leave none to the bets.
			env: { PATH: process.env['PATH'] ?? '', VIPS_CONCURRENCY: '1' },
			serialization: 'advanced',
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		// The process ends with the server, and does not keep it alive.
		child.unref();
		child.channel?.unref();
		child.on('message', (answer) => this.#answered(child, answer));
		child.on('disconnect', () => child.kill('SIGKILL'));
		const end = Promise.withResolvers<void>();
		this.#ended = end.promise;
		const onEnd = (): void => {
			end.resolve();
			this.#onEnd(child);
		};
		child.once('exit', onEnd);
		// It could not be started, or not be reached.
		child.once('error', () => (child.pid === undefined ? onEnd() : child.kill('SIGKILL')));
		return child;
	}

	#kill(failure: JobFailure | null): void {
		if (this.#work) this.#work.killedFor ??= failure;
		this.#child?.kill('SIGKILL');
	}

	#answered(child: ChildProcess, answer: unknown): void {
		// The answer of a process that is being killed comes too late.
		if (child !== this.#child || this.#work?.killedFor !== null) return;
		this.#finish({ answer });
	}

	#finish(outcome: JobOutcome): void {
		const work = this.#work;
		this.#work = null;
		for (const timer of work?.timers ?? []) clearTimeout(timer);
		if (work) work.job.settle(outcome);
		this.#next();
	}

	#onEnd(child: ChildProcess): void {
		if (child !== this.#child) return;
		this.#child = null;
		const work = this.#work;
		if (!work) return;
		if (work.killedFor === null && work.job.tries < MOST_TRIES && this.#spareMs(work.job) > 0) {
			for (const timer of work.timers) clearTimeout(timer);
			this.#work = null;
			this.#queue.unshift(work.job);
			this.#next();
			return;
		}
		this.#finish({ failure: work.killedFor ?? 'died' });
	}
}
