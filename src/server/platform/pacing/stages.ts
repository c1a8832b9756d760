/** The duration of each stage of a start or of a takeover, for the log. */
export class Stages {
	readonly #tookMs: Record<string, number> = {};
	readonly #beganAtMs = performance.now();
	#lastAtMs = this.#beganAtMs;

	/** The stage since the last one ended. */
	ended(stage: string): void {
		const nowMs = performance.now();
		this.#tookMs[stage] = rounded(nowMs - this.#lastAtMs);
		this.#lastAtMs = nowMs;
	}

	/** Milliseconds by stage, and of all together. */
	get tookMs(): Readonly<Record<string, number>> {
		return { ...this.#tookMs, total: rounded(this.#lastAtMs - this.#beganAtMs) };
	}
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
