/** Dealt tables: the state of the table, bets, and the proof of a round. */
import { gambler } from '#server/calls/casino.ts';
import { type HandlersOf, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import { requestKey } from '#server/calls/request-key.ts';
import { cancelBet, placeBet, provenRound, tableLimits } from '#server/calls/table-bets.ts';
import { checkChip } from '#server/money/casino/dealt/chip-risk.ts';
import { type DealtTable, PLACES } from '#server/money/casino/dealt/dealt-table.ts';
import { Refused } from '#values/error-catalogue.ts';
import { currencyOf } from '#values/pools.ts';

type Names = 'getTable' | 'placeTableBet' | 'cancelTableBet' | 'getTableRound';

export const tableHandlers = (parts: Parts): HandlersOf<Names> => ({
	getTable: ({ game }, caller) => {
		const { table } = tableOf(parts, game);
		const pool = poolOf(caller);
		const { list, ...view } = table.snapshot(pool, caller.login ? gambler(caller) : null);
		const { players, stake, payout, rows, spots } = list;
		return { ...view, players, stake, payout, rows, spots, ...tableLimits(pool) };
	},
	placeTableBet: async (input, caller) => {
		const { game, bets } = input;
		const { table, definition } = tableOf(parts, game);
		for (const { bet, stake } of bets) checkChip(definition, bet, stake, currencyOf(poolOf(caller)));
		const key = requestKey('TableBet', playerOf(caller).playerId, { ...input });
		const stake = bets.reduce((sum, chip) => sum + chip.stake, 0);
		return await placeBet(parts, caller, table, { key, stake, terms: { bets }, places: PLACES });
	},
	cancelTableBet: ({ game, betId }, caller) => cancelBet(parts, caller, tableOf(parts, game).table, betId),
	getTableRound: async ({ game, round }) => {
		const { table, definition } = tableOf(parts, game);
		const { shared, record } = await provenRound(table, round);
		const { result, voidReason, voidResult } = record;
		return {
			game,
			...shared,
			outcome: result,
			result: result === null ? '' : definition.describe(result),
			voided: voidReason && { reason: voidReason, outcome: voidResult },
		};
	},
});

/** @throws Refused UNKNOWN_GAME */
function tableOf({ casino }: Parts, game: string): DealtTable {
	const table = casino.dealt.get(game);
	if (!table) throw new Refused('UNKNOWN_GAME');
	return table;
}
