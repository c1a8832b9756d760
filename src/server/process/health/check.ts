/** One thing that an operator would look at, and what to do when it is not well. */

/** `warning`: soon a fault, or less safe than it could be. `failing`: act now. */
export type HealthState = 'ok' | 'warning' | 'failing';

export interface HealthCheck {
	/** One word; alarms are told apart by it. */
	name: string;
	state: HealthState;
	/** What was found. */
	words: string;
	/** What to do; empty when all is well. */
	todo: string;
}

export const ok = (name: string, words: string): HealthCheck => ({ name, state: 'ok', words, todo: '' });

export const warning = (name: string, words: string, todo: string): HealthCheck => ({
	name,
	state: 'warning',
	words,
	todo,
});

export const failing = (name: string, words: string, todo: string): HealthCheck => ({
	name,
	state: 'failing',
	words,
	todo,
});
