/** Players near a limit of deposits or of losses, in a period up to now. */
import type pg from 'pg';
import { depositsOf, limitUses, PERIODS, type Period } from '#server/money/funds/deposit-limits.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { depositLimitsOf, lossLimitsOf } from '#server/money/funds/protection/protection-record.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

interface NearLimit {
	playerId: PlayerId;
	what: 'deposit' | 'loss';
	period: Period;
	limit: AnyMinor;
	used: AnyMinor;
}

/** The used share from which a limit counts as near. */
const NEAR = 0.9;

/**
 * Players with a limit of their own, and those whose losses are tracked because of their brand's limit. Limits belong
 * to a person, so the use of an account is that of all accounts of the person in the pool.
 * @param isSeen whether the one who asks sees the account: neither limits nor uses of another account are told
 * @returns the most used first
 */
export async function nearLimits(
	db: Pick<pg.Pool, 'query'>,
	protection: Pick<Protection, 'limits' | 'now'>,
	isSeen: (playerId: PlayerId) => boolean,
): Promise<NearLimit[]> {
	const { limits } = protection;
	const players = limits.limited().filter(isSeen);
	const accountsOf = (playerId: PlayerId) => limits.accounts(playerId).filter(isSeen);
	const deposits = await depositsOfPersons(db, protection, players, accountsOf);
	const near: NearLimit[] = [];
	for (const playerId of players) {
		const accounts = accountsOf(playerId);
		const held = limits.of(playerId, accounts);
		const deposited = (period: Period) => deposits.get(playerId)?.[period] ?? 0;
		const lost = (period: Period) => limits.lost(playerId, period, accounts);
		const add = (what: NearLimit['what'], uses: ReturnType<typeof limitUses>) => {
			for (const { period, limit, used } of uses)
				if (used > 0 && used >= limit * NEAR) near.push({ playerId, what, period, limit, used });
		};
		add('deposit', limitUses(depositLimitsOf(held), byPeriod(deposited)));
		add('loss', limitUses(lossLimitsOf(held), byPeriod(lost)));
	}
	return near.sort((one, other) => other.used / other.limit - one.used / one.limit || one.playerId - other.playerId);
}

/** Deposits of each player's accounts, in the frames of the player's brand. Brands with the same frames share a query. */
async function depositsOfPersons(
	db: Pick<pg.Pool, 'query'>,
	protection: Pick<Protection, 'limits' | 'now'>,
	players: readonly PlayerId[],
	accountsOf: (playerId: PlayerId) => readonly PlayerId[],
): Promise<Map<PlayerId, Record<Period, number>>> {
	const nowMs = protection.now();
	const framed = players.map((playerId) => ({ playerId, frames: protection.limits.depositFrames(playerId, nowMs) }));
	const sums = new Map<PlayerId, Record<Period, number>>();
	for (const alike of Map.groupBy(framed, ({ frames }) => JSON.stringify(frames)).values()) {
		const accounts = alike.flatMap(({ playerId }) => accountsOf(playerId));
		const deposits = await depositsOf(db, [...new Set(accounts)], (alike[0] as (typeof alike)[number]).frames);
		for (const { playerId } of alike) {
			const own = accountsOf(playerId).map((account) => deposits.get(account));
			sums.set(
				playerId,
				byPeriod((period) => own.reduce((sum, one) => sum + (one?.[period] ?? 0), 0)),
			);
		}
	}
	return sums;
}

const byPeriod = (of: (period: Period) => number): Record<Period, number> =>
	Object.fromEntries((Object.keys(PERIODS) as Period[]).map((period) => [period, of(period)])) as Record<
		Period,
		number
	>;
