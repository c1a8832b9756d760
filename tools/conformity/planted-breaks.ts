/** A break for each of these rows of the register: a change of the product's text that a test of the row has to find. */
export interface PlantedBreak {
	/** The row's name in the register. */
	row: string;
	/** What no longer holds. */
	fault: string;
	file: string;
	/** Occurs once in the file. */
	from: string;
	to: string;
}

const PROTECTION = 'src/server/money/funds/protection/protection.ts';

export const PLANTED_BREAKS: readonly PlantedBreak[] = [
	{
		row: 'India online money games: no real money',
		fault: 'The pools of the profile are not looked at.',
		file: 'src/server/money/funds/protection/real-money.ts',
		from: "pools.includes('REAL') ? null : 'PROFILE'",
		to: "pools.includes('REAL') ? null : null",
	},
	{
		row: 'India tax on winnings: section 194BA',
		fault: 'The tax of a withdrawal that is not paid out stays.',
		file: 'src/server/money/funds/taxes/withheld-tax.ts',
		from: 'tax && nowMs < tax.yearEndsAtMs ? tax.amount : 0',
		to: 'tax && nowMs < tax.yearEndsAtMs ? 0 : 0',
	},
	{
		row: 'India tax on deposits: rule 31B',
		fault: 'A month that was posted is posted again.',
		file: 'src/server/money/funds/taxes/closed-taxes.ts',
		from: 'const claim = `tax:${host}:${name}:${period}`;',
		to: 'const claim = `tax:${host}:${name}:${period}:${nowMs}`;',
	},
	{
		row: 'Italy tax: exchange',
		fault: 'The first profile of a month decides all of it.',
		file: 'src/server/money/funds/taxes/closed-taxes.ts',
		from: 'filter((at) => at > fromMs && at < toMs)',
		to: 'filter((at) => at > toMs && at < toMs)',
	},
	{
		row: 'Brazil tax: gross gaming revenue',
		fault: 'What players won is the revenue.',
		file: 'src/server/money/funds/taxes/closed-taxes.ts',
		from: 'sum: `-${GAIN}`',
		to: 'sum: `${GAIN}`',
	},
	{
		row: 'RTS 12A: prompt',
		fault: 'A player deposits without an answer.',
		file: 'src/server/money/funds/payments/payments.ts',
		from: "if (protection.limitsDue(playerId) === 'FIRST') throw new Refused('LIMITS_UNDECIDED');",
		to: '',
	},
	{
		row: 'RTS 12: reminder',
		fault: 'The last answer never grows old.',
		file: PROTECTION,
		from: "return isOld ? 'REMINDER' : null;",
		to: 'return isOld ? null : null;',
	},
	{
		row: 'RTS 12B: gross deposit limit',
		fault: 'An order of yesterday that is paid today counts in neither day.',
		file: 'src/server/money/funds/deposit-limits.ts',
		from: 'then greatest(opened_at, $2, $3, $4)',
		to: 'then opened_at',
	},
	{
		row: 'RTS 14B: withdrawals',
		fault: 'The brand’s flag alone decides.',
		file: 'src/server/money/funds/withdrawals/may-cancel.ts',
		from: ' && rulesAt(setting, nowMs).cancelsWithdrawals',
		to: ' && rulesAt(setting, nowMs) !== null',
	},
	{
		row: 'RTS 14F: no celebration',
		fault: 'A returned stake is called a win.',
		file: 'src/web/features/casino/result-text.ts',
		from: 'if (payout > stake)',
		to: 'if (payout >= stake)',
	},
	{
		row: 'RTS 14G: five seconds',
		fault: 'Only rounds that are still open count as started.',
		file: 'src/server/money/casino/open-rounds.ts',
		from: "if ('pair' in round.data)",
		to: "if ('pair' in round.data && round.isOpen)",
	},
	{
		row: 'Italy stakes: steps',
		fault: 'A stake between two steps is taken.',
		file: 'src/server/calls/bet-admission.ts',
		from: 'if (stakeStep !== null && stake % stakeStep !== 0)',
		to: 'if (stakeStep !== null && stake < stakeStep)',
	},
	{
		row: 'Italy winnings: largest win',
		fault: 'The stake is compared, and not the win.',
		file: 'src/server/calls/bet-admission.ts',
		from: 'win > largestWin',
		to: 'stake > largestWin',
	},
	{
		row: 'GLI-19 4.11.1: house players',
		fault: 'The house quotes in every pool.',
		file: 'src/server/world/markets/market-pools.ts',
		from: 'pools.filter((pool) => GRANTED_POOLS.some((granted) => granted === pool))',
		to: 'pools.filter((pool) => GRANTED_POOLS.length > 0 && pool)',
	},
	{
		row: 'RTS 12B: raise',
		fault: 'A raise can be confirmed at once.',
		file: 'src/server/money/funds/protection/protection-record.ts',
		from: 'nowMs < raise.confirmableFromMs',
		to: 'nowMs < 0',
	},
	{
		row: 'GLI-19 2.5.5: lower a limit',
		fault: 'A lower limit waits like a raise.',
		file: 'src/server/money/funds/protection/protection-record.ts',
		from: 'const isRaise = present !== null && (to === null || to > present);',
		to: 'const isRaise = present !== to;',
	},
];
