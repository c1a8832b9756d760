/**
 * Keeps a gateway's copy of the data for visitors from the process with the engine. While a message is missing, the
 * process is silent, or a list is known to have changed, the copy is not current and answers nothing.
 */
import { HEARTBEAT_MS, type HubMessages, LIVE_AGE_MS } from '#contract/hub-messages.ts';
import { PartReader } from '#server/doors/gateway/message-parts.ts';
import { Projection } from '#server/doors/gateway/projection.ts';
import {
	PRESENT_EVERY_MS,
	PROJECTION,
	PROJECTION_REQUESTS,
	type ProjectionMessage,
	type ProjectionRequest,
} from '#server/doors/gateway/projection-messages.ts';
import type { RemoteBus } from '#server/platform/bus/nats-bus.ts';

/** How long a read waits for an outdated copy, before it is passed on. */
const CATCH_UP_MS = 1_000;
/** Everything is requested again after this time without a message of it. */
const ASK_AGAIN_MS = 500;
const LOOK_EVERY_MS = 100;

type FollowedBus = Pick<RemoteBus, 'subscribe' | 'subscribeBytes' | 'publishBytes' | 'onGap'>;

export class FollowedProjection {
	readonly shown = new Projection();
	readonly #bus: FollowedBus;
	readonly #reader = new PartReader();
	#instance = '';
	/** The highest epoch seen: a deposed process that wakes up has a lower one. */
	#epoch = Number.NEGATIVE_INFINITY;
	/** Of the last message. */
	#number = 0;
	/** Complete: no message is missing since everything was sent. */
	#isWhole = false;
	/** Everything is being sent, and no part of it has been missed so far. */
	#isBeingSent = false;
	/** The newest version announced by a list. */
	#heardVersion = 0;
	#heardAtMs = Number.NEGATIVE_INFINITY;
	#askedAtMs = Number.NEGATIVE_INFINITY;
	#presentAtMs = Number.NEGATIVE_INFINITY;
	/** Reads that wait until the copy is current. */
	readonly #waiting = new Set<() => void>();
	readonly #close: (() => void)[];

	constructor(bus: FollowedBus) {
		this.#bus = bus;
		const looking = setInterval(() => this.#look(), LOOK_EVERY_MS);
		this.#close = [
			bus.subscribeBytes(PROJECTION, ({ bytes }) => this.#receive(bytes)),
			bus.subscribe('sports', ({ data }) => this.#listsHear(data as HubMessages['EventUpdate'])),
			() => clearInterval(looking),
		];
		bus.onGap(() => this.#lost());
		this.#ask();
	}

	/** Whether the copy equals the state of the process with the engine, as far as this process knows. */
	get isCurrent(): boolean {
		const isLive = performance.now() - this.#heardAtMs < LIVE_AGE_MS;
		return this.#isWhole && isLive && this.#heardVersion <= this.shown.version;
	}

	/** Waits briefly for an outdated copy. @returns whether it is current */
	async caughtUp(): Promise<boolean> {
		if (this.isCurrent) return true;
		// A silent process will not send soon.
		if (performance.now() - this.#heardAtMs > LIVE_AGE_MS) return false;
		const { promise, resolve } = Promise.withResolvers<void>();
		const late = setTimeout(resolve, CATCH_UP_MS);
		this.#waiting.add(resolve);
		await promise;
		clearTimeout(late);
		this.#waiting.delete(resolve);
		return this.isCurrent;
	}

	close(): void {
		for (const close of this.#close.splice(0)) close();
	}

	#listsHear({ version }: HubMessages['EventUpdate']): void {
		this.#heardVersion = Math.max(this.#heardVersion, version);
	}

	#receive(bytes: Uint8Array): void {
		const text = this.#reader.read(PROJECTION, bytes);
		if (text === null) return;
		const message = JSON.parse(text) as ProjectionMessage;
		const { instance, epoch, number } = message;
		if (epoch < this.#epoch || (instance === this.#instance && number <= this.#number)) return;
		const follows = instance === this.#instance && number === this.#number + 1;
		this.#instance = instance;
		this.#epoch = epoch;
		this.#number = number;
		this.#heardAtMs = performance.now();
		if (!follows) this.#lost();
		this.#apply(message);
		if (this.isCurrent) for (const wake of this.#waiting) wake();
	}

	#apply({ version, changes, begins, ends }: ProjectionMessage): void {
		if (begins) this.#isBeingSent = true;
		for (const change of changes) this.shown.apply(change);
		this.shown.version = version;
		if (!ends || !this.#isBeingSent) return;
		this.shown.keepOnly(ends);
		this.#isBeingSent = false;
		this.#isWhole = true;
	}

	/** A message was missed. */
	#lost(): void {
		this.#isWhole = false;
		this.#isBeingSent = false;
		this.#ask();
	}

	#ask(): void {
		this.#askedAtMs = performance.now();
		this.#request({ isMissing: true });
	}

	#request(request: ProjectionRequest): void {
		this.#presentAtMs = performance.now();
		this.#bus.publishBytes(PROJECTION_REQUESTS, Buffer.from(JSON.stringify(request)), '');
	}

	#look(): void {
		const nowMs = performance.now();
		const isSent = this.#isBeingSent && nowMs - this.#heardAtMs < ASK_AGAIN_MS;
		if (!this.#isWhole && !isSent && nowMs - this.#askedAtMs > ASK_AGAIN_MS) this.#ask();
		// The last messages of the process may be lost.
		else if (this.#isWhole && nowMs - this.#heardAtMs > 2 * HEARTBEAT_MS && nowMs - this.#askedAtMs > HEARTBEAT_MS)
			this.#ask();
		else if (nowMs - this.#presentAtMs > PRESENT_EVERY_MS) this.#request({ isMissing: false });
	}
}
