/**
 * The fields of a workflow's data that are amounts, by name: the server sends them in major units, and the console shows
 * them with their parts. An amount that only one of the two knew would be shown a hundred times too large.
 */
export const WORKFLOW_AMOUNTS: ReadonlySet<string> = new Set([
	'amount',
	'paid',
	'held',
	'taken',
	'rest',
	'lost',
	'left',
	'net',
	'fee',
	'ours',
	'base',
	'required',
	'minDeposit',
	'minWagered',
	'stake',
	'payout',
]);
