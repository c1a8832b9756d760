/** Dealt tables: the table as it is, bets, and the proof of a round. */
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { gambler, stakeAdmission, walletAfter } from '#server/calls/casino.ts';
import { type Caller, type HandlersOf, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import { requestKey } from '#server/calls/request-key.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { checkChip } from '#server/money/casino/dealt/chip-risk.ts';
import type { DealtTable } from '#server/money/casino/dealt/dealt-table.ts';
import { Refused } from '#values/error-catalogue.ts';
import { LARGEST_PAYOUT_PAISE, LARGEST_STAKE_PAISE, LEAST_STAKE_PAISE } from '#values/house-limits.ts';
import { majorFromPaise } from '#values/money.ts';

type Names = 'getTable' | 'placeTableBet' | 'cancelTableBet' | 'getTableRound';

export const tableHandlers = (parts: Parts): HandlersOf<Names> => ({
	getTable: ({ game }, caller) => tableView(tableOf(parts, game), caller),
	placeTableBet: async (input, caller) => {
		const { game, bets } = input;
		const table = tableOf(parts, game);
		for (const { bet, stake } of bets) checkChip(table.definition, bet, stake);
		const { playerId, loginId, userName } = playerOf(caller);
		const stake = bets.reduce((sum, chip) => sum + chip.stake, 0);
		const asked = {
			player: gambler(caller),
			loginId,
			userName,
			stake,
			terms: { bets },
			key: requestKey('TableBet', playerId, { ...input }),
			accounts: () => parts.funds.protection.accounts(playerId),
			admission: (inRound: number) => stakeAdmission(parts, caller, { added: stake, inRound }, 'TABLE_BET'),
			admitWaiting: () => parts.funds.protection.admit(playerId, 'TABLE_BET'),
		};
		const { bet, receipt } = await table.place(asked, caller.untilMs);
		return { bet, ...walletAfter(parts, caller, receipt) };
	},
	cancelTableBet: async ({ game, betId }, caller) => {
		const receipt = await tableOf(parts, game).cancel(gambler(caller), betId, caller.untilMs);
		return walletAfter(parts, caller, receipt);
	},
	getTableRound: async ({ game, round }) => {
		const table = tableOf(parts, game);
		const number = Number(round);
		if (!Number.isSafeInteger(number) || number <= 0) throw new Refused('UNKNOWN_ROUND');
		const { record, previousHash, chain } = await table.proof(number);
		const { openedAtMs, position, hash, result, phase, isInterrupted } = record;
		return {
			game,
			round: String(number),
			at: isoTime(openedAtMs),
			position,
			previousHash,
			hash,
			outcome: result,
			result: result === null ? '' : table.definition.describe(result),
			isVoid: phase === 'VOID',
			isInterrupted,
			chain,
		};
	},
});

/** @throws Refused UNKNOWN_GAME */
function tableOf({ casino }: Parts, game: string): DealtTable {
	const table = casino.tables.get(game);
	if (!table) throw new Refused('UNKNOWN_GAME');
	return table;
}

const tableView = (table: DealtTable, caller: Caller): ResultOf<Calls['getTable']> => ({
	...table.snapshot(poolOf(caller), caller.login ? gambler(caller) : null),
	minStake: majorFromPaise(LEAST_STAKE_PAISE),
	maxStake: majorFromPaise(LARGEST_STAKE_PAISE),
	maxPayout: majorFromPaise(LARGEST_PAYOUT_PAISE),
});
