/** The dealt table on the screen as this page knows it. */
import { minorOf } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { isWin, type RoundTotals } from '#web/features/casino/result-text.ts';
import { type RoundsView, SharedRounds } from '#web/features/casino/shared-rounds.ts';
import { hub } from '#web/live/hub.ts';

type TableSnapshot = AnswerOf<'getTable'>;
export type TableBet = TableSnapshot['mine'][number];
export type TableMark = TableSnapshot['recent'][number];
export type TableView = RoundsView<TableSnapshot>;

/** A table with viewers stays open; a snapshot also repairs the effects of a lost message. */
const REFRESH_MS = 30_000;
/** A player's bets on a round have no slots visible to the player. */
export const PLACE = 0;

export const tableRounds = new SharedRounds<TableSnapshot>({
	history: 90,
	ask: (game) => call('getTable', { game }),
	markOf: ({ mark }) => mark,
	placeOf: () => PLACE,
	endedAs: (bet, { state, payout, bets }) => ({ ...bet, state, payout, bets }),
	listen: (rounds) => {
		const { game: shown } = rounds.use.getState();
		const stay = setInterval(() => void rounds.refresh(), REFRESH_MS);
		return [
			() => clearInterval(stay),
			hub.on('TableState', (state) => {
				if (state.game === shown) rounds.receiveState(state);
			}),
			hub.on('TableBets', ({ game, round, players, stake, payout, rows, spots }) => {
				if (game === shown) rounds.receiveList(round, { players, stake, payout, rows, spots });
			}),
			hub.on('TableBet', ({ refusal, ...bet }) => {
				if (bet.game === shown) rounds.receiveBet(bet, refusal);
			}),
		];
	},
});

export const useTable = tableRounds.use;

/** The stakes and payouts of the current round, as far as known; null without a bet on it. */
export function roundTotals({ mine, snapshot }: TableView): RoundTotals | null {
	const own = mine.filter(({ round, state }) => round === snapshot?.state.round && state === 'SETTLED');
	if (own.length === 0) return null;
	const sum = (of: (bet: TableBet) => number) => minorOf(own.reduce((total, bet) => total + of(bet), 0));
	return { stake: sum(({ stake }) => stake), payout: sum(({ payout }) => payout) };
}

/** What a change of the table sounds like: a card, or a win; null for silence, which a loss is. */
export function tableSound(view: TableView, before: TableView): 'deal' | 'win' | null {
	const [now, then] = [view.snapshot?.state, before.snapshot?.state];
	if (!now || !then) return null;
	if (now.phase === 'DEALING') return JSON.stringify(now.shown) === JSON.stringify(then.shown) ? null : 'deal';
	const paid = now.phase === 'DECIDED' && !roundTotals(before) ? roundTotals(view) : null;
	return paid && isWin(paid) ? 'win' : null;
}
