/** The games' tests have two forms: the short one belongs to `npm test`, the long one runs with `npm run games`. */
export const isLongForm: boolean = process.env['GAMES'] === 'long';

/** The value of the form that runs: a number of rounds, a number of draws. */
export const byForm = <Value>(short: Value, long: Value): Value => (isLongForm ? long : short);
