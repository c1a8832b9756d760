/**
 * A world of several processes, their network and their database in one thread, in simulated time and from one seed:
 * `npm run simulate`. The processes run the product's own code; what they ask of time and chance is answered here.
 *
 * Each event belongs to a host. It runs in the host's context, which everything that follows from it inherits, so a timer
 * is its host's timer and `performance.now()` its host's clock. The events of a host that was killed never come, those of
 * one that was stopped come when it goes on. Between two events everything that promises set off runs to its end.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { EventQueue, type QueuedEvent } from './event-queue.ts';
import type { Host } from './host.ts';
import type { SeededNumbers } from './seeded-numbers.ts';

/** When the simulation begins, milliseconds since 1970: in the middle of a month. */
export const BEGINNING_MS = Date.UTC(2026, 4, 14, 9);
/** Events between two turns of the real event loop, in which it reports rejections that nothing handled. */
const EVENTS_A_TURN = 500;
/** How late a timer may be, as on a loaded machine. */
const LATEST_MS = 0.9;

/** What `setTimeout`, `setInterval` and `setImmediate` return. */
class Timer {
	event: QueuedEvent | null = null;
	ref(): this {
		return this;
	}
	unref(): this {
		return this;
	}
	hasRef(): boolean {
		return false;
	}
	cancel(): void {
		if (this.event) this.event.isCancelled = true;
		this.event = null;
	}
}

type Callback = (...args: unknown[]) => void;

export class SimulatedTime {
	nowMs = 0;
	/** The first thing that went wrong; the run ends with it. */
	failure: Error | null = null;
	eventCount = 0;
	readonly #numbers: SeededNumbers;
	readonly #queue = new EventQueue();
	readonly #host = new AsyncLocalStorage<Host>();

	constructor(numbers: SeededNumbers) {
		this.#numbers = numbers;
	}

	/** Runs an event on a host after a delay in milliseconds, unless the host is dead by then. */
	after(ms: number, host: Host, run: () => void): QueuedEvent {
		return this.#queue.add(this.nowMs + ms, host, run);
	}

	/** Lets the simulation go on up to that time. @throws what went wrong first */
	async runUntil(untilMs: number): Promise<void> {
		while (!this.failure && this.#queue.isDue(untilMs)) {
			await new Promise<void>((resume) => this.#runSome(untilMs, EVENTS_A_TURN, resume));
			await new Promise((resume) => setImmediate(resume));
		}
		if (this.failure) throw this.failure;
		this.nowMs = untilMs;
	}

	/** An event a tick: a tick begins when all that promises set off has run. */
	#runSome(untilMs: number, left: number, resume: () => void): void {
		const event = left > 0 && !this.failure ? this.#queue.next(untilMs) : null;
		if (!event) {
			resume();
			return;
		}
		this.nowMs = Math.max(this.nowMs, event.atMs);
		this.eventCount++;
		this.#host.run(event.host, () => {
			try {
				event.run();
			} catch (error) {
				this.fail(error as Error);
			}
		});
		queueMicrotask(() => process.nextTick(() => this.#runSome(untilMs, left - 1, resume)));
	}

	fail(error: Error): void {
		this.failure ??= error;
	}

	/** The host's milliseconds since 1970. */
	wallMs(host: Host): number {
		return Math.floor(BEGINNING_MS + this.nowMs + host.wallAheadMs);
	}

	/**
	 * Puts simulated clocks, timers and chance in the place of the real ones, for hosts alone.
	 * @returns what puts the real ones back
	 */
	install(): Disposable {
		const undo: (() => void)[] = [];
		const replace = <Of extends object, Name extends keyof Of>(
			object: Of,
			name: Name,
			make: (real: Of[Name]) => Of[Name],
		) => {
			const real = object[name];
			undo.push(() => {
				object[name] = real;
			});
			object[name] = make(real);
		};
		/** A host gets the simulated answer, everything else the real one. */
		const forHosts =
			<F extends (...args: never[]) => unknown>(simulated: (host: Host, ...args: Parameters<F>) => unknown) =>
			(real: F): F =>
				((...args: Parameters<F>) => {
					const host = this.#host.getStore();
					return host ? simulated(host, ...args) : real(...args);
				}) as F;
		type Set = (run: Callback, ms?: number, ...args: unknown[]) => Timer;
		type Clear = (timer?: Timer) => void;
		const set = (isRepeated: boolean) =>
			forHosts<Set>((host, run, ms = 1, ...args) => this.#timer(host, { run: () => run(...args), ms, isRepeated }));
		const immediate = forHosts<(run: Callback, ...args: unknown[]) => Timer>((host, run, ...args) =>
			this.#timer(host, { run: () => run(...args), ms: 0, isRepeated: false }),
		);
		const clear =
			(real: Clear): Clear =>
			(timer) => {
				if (timer instanceof Timer) timer.cancel();
				else real(timer);
			};
		const globals = globalThis as unknown as Record<'setTimeout' | 'setInterval' | 'setImmediate', Set> &
			Record<'clearTimeout' | 'clearInterval' | 'clearImmediate', Clear>;
		replace(globals, 'setTimeout', set(false));
		replace(globals, 'setInterval', set(true));
		replace(globals, 'setImmediate', immediate as (real: Set) => Set);
		for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'] as const) replace(globals, name, clear);
		replace(
			performance,
			'now',
			forHosts<() => number>((host) => this.nowMs - host.startedAtMs),
		);
		replace(
			Date,
			'now',
			forHosts<() => number>((host) => this.wallMs(host)),
		);
		replace(
			Math,
			'random',
			forHosts<() => number>(() => this.#numbers.fraction()),
		);
		type Delay = (ms?: number, value?: unknown) => Promise<unknown>;
		replace(
			timers as unknown as { setTimeout: Delay },
			'setTimeout',
			forHosts<Delay>(
				(host, ms = 1, value) =>
					new Promise((resume) => this.#timer(host, { run: () => resume(value), ms, isRepeated: false })),
			),
		);
		replace(
			crypto as unknown as { randomInt: (below: number) => number },
			'randomInt',
			forHosts<(below: number) => number>((_, below) => this.#numbers.below(below)),
		);
		replace(
			crypto as unknown as { randomUUID: () => string },
			'randomUUID',
			forHosts<() => string>(() => `${this.#numbers.below(2 ** 31)}-simulated`),
		);
		syncBuiltinESMExports();
		return {
			[Symbol.dispose]: () => {
				for (const put of undo.reverse()) put();
				syncBuiltinESMExports();
			},
		};
	}

	#timer(host: Host, { run, ms, isRepeated }: { run: () => void; ms: number; isRepeated: boolean }): Timer {
		const timer = new Timer();
		const wait = () => (ms === 0 ? 0 : Math.max(1, ms) + LATEST_MS * this.#numbers.fraction());
		const fire = () => {
			timer.event = isRepeated ? this.after(wait(), host, fire) : null;
			run();
		};
		timer.event = this.after(wait(), host, fire);
		return timer;
	}
}
