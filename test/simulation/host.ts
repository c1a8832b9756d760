/** Something with a clock of its own that can be stopped or killed: a process, the database, the players; or a thread of it. */
export class Host {
	readonly name: string;
	readonly startedAtMs: number;
	/** The process of which this is another thread. */
	readonly of: Host | null;
	isDead = false;
	/** Its events, and those of its other threads, wait until then. */
	stoppedUntilMs = 0;
	/** Its events wait until then, and those of its other threads go on. */
	busyUntilMs = 0;
	/** Something was wrong with it, or between it and the database, until then. */
	troubledUntilMs = 0;
	/** How far its wall clock is ahead. */
	wallAheadMs = 0;

	constructor(name: string, startedAtMs: number, of: Host | null = null) {
		this.name = name;
		this.startedAtMs = startedAtMs;
		this.of = of;
	}
	/** Nothing of it runs any more. */
	get hasEnded(): boolean {
		return this.isDead || this.of?.isDead === true;
	}
	/** When its events go on. */
	get goesOnAtMs(): number {
		return Math.max(this.stoppedUntilMs, this.busyUntilMs, this.of?.stoppedUntilMs ?? 0);
	}
}
