/** Shared by the calls of every table: placing and cancelling bets, and proving a round. */
import { gambler, stakeAdmission, walletAfter } from '#server/calls/casino.ts';
import { type Caller, type Parts, playerOf } from '#server/calls/handler.ts';
import type { RequestKey } from '#server/exchange/exchange.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { AskedBet, GameTable } from '#server/money/casino/tables/game-table.ts';
import type { TableWire } from '#server/money/casino/tables/table-views.ts';
import { casinoLimits } from '#values/casino-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

/** A table's limits on stakes, and on a player's payout per round. */
export function tableLimits(pool: Pool) {
	const { leastStake, mostStake, mostPayout } = casinoLimits(currencyOf(pool));
	return {
		minStake: majorFromMinor(leastStake),
		maxStake: majorFromMinor(mostStake),
		maxPayout: majorFromMinor(mostPayout),
	};
}

/** @throws Refused as GameTable.place */
export async function placeBet<Terms extends WorkflowData, Wire extends TableWire>(
	parts: Parts,
	caller: Caller,
	table: GameTable<Terms, Wire>,
	bet: Pick<AskedBet<Terms>, 'stake' | 'terms' | 'places'> & { key: RequestKey },
) {
	const { playerId, loginId, userName } = playerOf(caller);
	const asked = {
		...bet,
		player: gambler(caller),
		loginId,
		userName,
		accounts: () => parts.funds.protection.limits.accounts(playerId),
		admission: (inRound: number) =>
			stakeAdmission(parts, caller, { added: bet.stake, inRound }, { door: 'TABLE_BET', game: table.code }),
		admitWaiting: () => parts.funds.protection.admit(playerId, 'TABLE_BET'),
	};
	const placed = await table.place(asked, caller.untilMs);
	return { bet: placed.bet, ...walletAfter(parts, caller, placed.receipt) };
}

/** @throws Refused as GameTable.cancel */
export async function cancelBet(
	parts: Parts,
	caller: Caller,
	table: Pick<GameTable<never, TableWire>, 'cancel'>,
	betId: string,
) {
	return walletAfter(parts, caller, await table.cancel(gambler(caller), betId, caller.untilMs));
}

/** @returns the fields common to all games, and the round's record @throws Refused UNKNOWN_ROUND */
export async function provenRound(table: Pick<GameTable<never, TableWire>, 'proof'>, round: string) {
	const number = Number(round);
	if (!Number.isSafeInteger(number) || number <= 0) throw new Refused('UNKNOWN_ROUND');
	const { record, previousHash, chain } = await table.proof(number);
	const { openedAtMs, position, hash, phase, isInterrupted, bettorSeeds, voidReason } = record;
	const { beaconRound, beaconSignature } = record;
	const shared = {
		round: String(number),
		at: isoTime(openedAtMs),
		position,
		previousHash,
		hash,
		isVoid: phase === 'VOID' || voidReason !== null,
		isInterrupted,
		bettorSeeds: [...bettorSeeds],
		beacon: beaconRound === null ? null : { round: beaconRound, signature: beaconSignature },
		chain,
	};
	return { shared, record };
}
