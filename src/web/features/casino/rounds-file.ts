/** The player's rounds as a file that a spreadsheet opens. */
import { csvOf } from '#values/csv.ts';
import { majorFromMinor } from '#values/money.ts';
import { allPages } from '#web/api/all-pages.ts';
import { call } from '#web/api/client.ts';
import type { RequestOf } from '#web/api/units.ts';
import type { CasinoRecord } from '#web/store/casino-queries.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';

type RoundsFilter = Omit<RequestOf<'getRounds'>, 'maxResultCount' | 'skipCount'>;

interface RoundsHeads {
	at: string;
	game: string;
	result: string;
	stake: string;
	payout: string;
	id: string;
}

/** @param nameOf what a game is called, by its code */
export const roundsCsv = (
	rounds: readonly CasinoRecord[],
	heads: RoundsHeads,
	nameOf: (game: string) => string,
): string =>
	csvOf(
		[heads.at, heads.game, heads.result, heads.stake, heads.payout, heads.id],
		rounds.map(({ at, game, result, stake, payout, roundId }) => [
			at,
			nameOf(game),
			result,
			majorFromMinor(stake).toFixed(2),
			majorFromMinor(payout).toFixed(2),
			roundId,
		]),
	);

export function allRounds(filter: RoundsFilter): Promise<CasinoRecord[]> {
	const step = stepsOfLogin();
	return allPages(
		(paging) => step(() => call('getRounds', { ...filter, ...paging })),
		({ roundId }) => roundId,
	);
}
