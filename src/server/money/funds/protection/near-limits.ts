/** Players near a limit of deposits or of losses, in a period up to now. */
import type pg from 'pg';
import { depositsOf, limitUses, PERIODS, type Period } from '#server/money/funds/deposit-limits.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { depositLimitsOf, lossLimitsOf } from '#server/money/funds/protection/protection-record.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

interface NearLimit {
	playerId: PlayerId;
	what: 'deposit' | 'loss';
	period: Period;
	limit: AnyPaise;
	used: AnyPaise;
}

/** The used share from which a limit counts as near. */
const NEAR = 0.9;

/**
 * Players with a limit of their own, and those whose losses are tracked because of their brand's limit. Limits belong
 * to a person, so the use of an account is that of all accounts of the person in the pool.
 * @returns the most used first
 */
export async function nearLimits(db: Pick<pg.Pool, 'query'>, protection: Protection): Promise<NearLimit[]> {
	const players = protection.limited();
	const accounts = new Set(players.flatMap((playerId) => protection.accounts(playerId)));
	const deposits = await depositsOf(db, [...accounts], protection.now());
	const near: NearLimit[] = [];
	for (const playerId of players) {
		const limits = protection.limits(playerId);
		const own = protection.accounts(playerId);
		const deposited = (period: Period) => own.reduce((sum, account) => sum + (deposits.get(account)?.[period] ?? 0), 0);
		const lost = (period: Period) => protection.lost(playerId, period);
		const add = (what: NearLimit['what'], uses: ReturnType<typeof limitUses>) => {
			for (const { period, limit, used } of uses)
				if (used > 0 && used >= limit * NEAR) near.push({ playerId, what, period, limit, used });
		};
		add('deposit', limitUses(depositLimitsOf(limits), byPeriod(deposited)));
		add('loss', limitUses(lossLimitsOf(limits), byPeriod(lost)));
	}
	return near.sort((one, other) => other.used / other.limit - one.used / one.limit || one.playerId - other.playerId);
}

const byPeriod = (of: (period: Period) => number): Record<Period, number> =>
	Object.fromEntries((Object.keys(PERIODS) as Period[]).map((period) => [period, of(period)])) as Record<
		Period,
		number
	>;
