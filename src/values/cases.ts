/** Cases of compliance: the rules that raise them, their states and outcomes, and their bounds. */

/**
 * The rules by name. A rule reads what happened in the last `CASE_WINDOW_DAYS`; demo players are in none. Amounts are
 * rupees; those of players of another currency are compared with as much in theirs.
 */
export const CASE_RULES = {
	STRUCTURING: {
		title: 'Structuring',
		says: 'Three or more deposits within seven days, each a little below ₹50,000.',
		/** From this amount on, rule 114B of India's Income-tax Rules asks a depositor for a tax number. */
		threshold: 50_000,
		/** A deposit of that part of the threshold or more is close to it. */
		closePercent: 80,
		leastDeposits: 3,
		withinDays: 7,
	},
	DEPOSIT_WITHOUT_PLAY: {
		title: 'Deposit without play',
		says: 'Deposits of ₹10,000 or more, of which four fifths or more were withdrawn and less than a fifth was played with.',
		least: 10_000,
		withdrawnPercent: 80,
		playedPercent: 20,
	},
	MULE_CIRCLE: {
		title: 'Mule circle',
		says: 'Three or more persons withdrew ₹10,000 or more to payout accounts that they share.',
		leastPersons: 3,
		least: 10_000,
	},
	OFF_MARKET_PAIR: {
		title: 'Off-market pair',
		says: 'Three or more matches of two players far off the market, by which one of them gained ₹1,000 or more.',
		leastMatches: 3,
		least: 1_000,
		/** Of all that was won and lost in these matches. */
		gainedPercent: 80,
	},
	CIRCULAR_FLOW: {
		title: 'Circular flow',
		says: 'Money goes round between players: each lost ₹10,000 or more to the next one, most of what either lost or won.',
		least: 10_000,
		/** Of all that the one lost, and of all that the other won. */
		percent: 60,
		mostPlayers: 6,
	},
	CHARGEBACK_WINNER: {
		title: 'Chargeback’s winner',
		says:
			'A player won ₹1,000 or more from a player whose payment is disputed or was charged back, after that payment. ' +
			'Where bets are in a detached month it is not known who won from whom: the case is about the dispute and names the markets.',
		least: 1_000,
	},
} as const;
/** What the amounts of the rules mean for all players. */
export const CASE_AMOUNTS = 'A player’s amounts in another currency are compared with as much in it.';
export type CaseRuleName = keyof typeof CASE_RULES;
export const CASE_RULE_NAMES = Object.keys(CASE_RULES) as readonly CaseRuleName[];

/** How far back the rules look. */
export const CASE_WINDOW_DAYS = 30;

export const CASE_STATES = ['OPEN', 'DECIDED'] as const;
export type CaseState = (typeof CASE_STATES)[number];

/** UNFOUNDED: a false alarm. WATCHED: nothing is done yet. REPORTED: the authority was told. */
export const CASE_OUTCOMES = ['UNFOUNDED', 'WATCHED', 'REPORTED'] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

export const CASE_ENTRY_KINDS = ['OPENED', 'EXTENDED', 'REOPENED', 'NOTE', 'DECIDED'] as const;
export type CaseEntryKind = (typeof CASE_ENTRY_KINDS)[number];

/** References under which the console opens a fact. */
export const CASE_FACT_KINDS = ['bet', 'payment', 'deposit', 'withdrawal', 'market'] as const;
export type CaseFactKind = (typeof CASE_FACT_KINDS)[number];

export const LONGEST_CASE_NOTE = 4_000;
/** Facts that a case takes at once; the next look of the rules adds the others. */
export const MOST_FACTS_AT_ONCE = 1_000;
