/** Something with a clock of its own that can be stopped or killed: a process, the database, the players. */
export class Host {
	readonly name: string;
	readonly startedAtMs: number;
	isDead = false;
	/** Its events wait until then. */
	stoppedUntilMs = 0;
	/** Something was wrong with it, or between it and the database, until then. */
	troubledUntilMs = 0;
	/** How far its wall clock is ahead. */
	wallAheadMs = 0;

	constructor(name: string, startedAtMs: number) {
		this.name = name;
		this.startedAtMs = startedAtMs;
	}
}
