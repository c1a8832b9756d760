/**
 * Fault tests run a real server, break something under it, and check that nothing acknowledged is lost and that it
 * recovers. Each has two forms: the short one takes seconds and belongs to `npm test`, the long one runs with
 * `npm run faults`. This folder holds what they share; the tests stand beside it.
 */

/** True for `npm run faults` and `npm run endurance`, which set FAULTS=long. */
export const isLongForm: boolean = process.env['FAULTS'] === 'long';

/** The value of the form that runs: a duration, a number of rounds, a number of clients. */
export function byForm<Value>(short: Value, long: Value): Value {
	return isLongForm ? long : short;
}
