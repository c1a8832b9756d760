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
		file: 'src/server/calls/profile-stakes.ts',
		from: 'if (stakeStep !== null && stake % stakeStep !== 0)',
		to: 'if (stakeStep !== null && stake < stakeStep)',
	},
	{
		row: 'Italy winnings: largest win',
		fault: 'The stake is compared, and not the win.',
		file: 'src/server/calls/profile-stakes.ts',
		from: 'win > largestWin',
		to: 'stake > largestWin',
	},
	{
		row: 'Italy commission: ceiling',
		fault: 'The commission of the market is not looked at.',
		file: 'src/server/calls/profile-stakes.ts',
		from: 'commissionBp > largestCommissionBp',
		to: 'commissionBp < 0',
	},
	{
		row: 'GLI-19 4.3.3e: one game',
		fault: 'Rounds at providers are not seen.',
		file: 'src/server/exchange/order/workflows.ts',
		from: "if (isOpen && 'game' in data)",
		to: "if (isOpen && 'pair' in data)",
	},
	{
		row: 'UK law online slots stake limits 2025: largest stake',
		fault: 'A player of unknown age stakes like the oldest.',
		file: 'src/server/calls/profile-stakes.ts',
		from: '(held ?? largestSlotStakes[0])',
		to: '(held ?? largestSlotStakes.at(-1))',
	},
	{
		row: 'GLI-19 2.5.4: idle log-in',
		fault: 'Looking at the site counts as activity.',
		file: 'src/server/people/players/login-store.ts',
		from: 'state.rotatedAtMs = now;',
		to: 'state.rotatedAtMs = now; state.activeAtMs = this.#options.ledgerClock();',
	},
	{
		row: 'GLI-19 2.5.3: lock',
		fault: 'Attempts under way are not counted.',
		file: 'src/server/people/players/failed-logins.ts',
		from: 'account.failedAtMs.length + account.underWay >= rule.failures',
		to: 'account.failedAtMs.length + account.underWay < 0',
	},
	{
		row: 'GLI-19 2.5.3: last log-in',
		fault: 'No log-in is read.',
		file: 'src/server/people/players/login-attempts.ts',
		from: 'succeeded: true, take: 1, skip: 0',
		to: 'succeeded: true, take: 0, skip: 0',
	},
	{
		row: 'GLI-19 2.5.2: terms',
		fault: 'A player who accepted any version has accepted the next one.',
		file: 'src/server/money/funds/protection/accepted-terms.ts',
		from: 'if (this.held(playerId).some(({ acceptedAtMs }) => acceptedAtMs === null)) throw',
		to: 'if (this.held(playerId).every(({ acceptedAtMs }) => acceptedAtMs === null)) throw',
	},
	{
		row: 'GLI-19 2.7.4: proxies',
		fault: 'An address that hides its user has the country of its network.',
		file: 'src/server/people/players/open-players.ts',
		from: '(flagsProxies && known.isProxy)',
		to: '(flagsProxies && known.isProxy && known.country === null)',
	},
	{
		row: 'GLI-19 2.7.3: location again',
		fault: 'A place that was known once stays known.',
		file: 'src/server/people/players/login-store.ts',
		from: 'state.located = { country, atMs: this.#options.ledgerClock() };',
		to: 'state.located ??= { country, atMs: this.#options.ledgerClock() };',
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
