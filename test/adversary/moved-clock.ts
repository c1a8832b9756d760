/** Both clocks of this process run on, and jump when the adversary says so. */
const TrueDate = Date;
const trueNow = Date.now;
const truePerformance = performance.now;

export class MovedClock {
	#movedMs = 0;

	constructor() {
		const moved = () => this.#movedMs;
		class MovedDate extends TrueDate {
			constructor(...given: []) {
				// Only a date of nothing is the present.
				if (given.length === 0) super(trueNow() + moved());
				else super(...given);
			}
			static override now(): number {
				return trueNow() + moved();
			}
		}
		globalThis.Date = MovedDate as DateConstructor;
		performance.now = () => truePerformance.call(performance) + moved();
	}

	pass(ms: number): void {
		this.#movedMs += ms;
	}

	restore(): void {
		globalThis.Date = TrueDate;
		performance.now = truePerformance;
	}
}
