import type { ReactElement } from 'react';
import { gameOf } from '#games/all-games.ts';
import { BetLists, type BetRow } from '#web/features/casino/bet-rows.tsx';
import { isWin } from '#web/features/casino/result-text.ts';
import { type TableBet, useTable } from '#web/features/casino/tables/table-store.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const lists = CASINO_TEXTS.crash.lists;
const FIGURES = [lists.stake, lists.paid];

const rowOf = (
	key: string,
	said: readonly string[],
	{ stake, payout }: Pick<TableBet, 'stake' | 'payout'>,
): BetRow => ({
	key,
	cells: [...said, formatAmount(stake), payout > 0 ? formatAmount(payout) : ''],
	isWon: isWin({ stake, payout }),
});

function ownRow(own: TableBet): BetRow {
	const { betId, round, state, bets, isInterrupted } = own;
	const game = gameOf(own.game);
	const names = bets.map(({ bet }) => game?.bets.find((terms) => terms.code === bet)?.name ?? bet);
	const note = isInterrupted ? lists.interrupted : state === 'SETTLED' ? '' : lists.states[state];
	const what = [names.join(', '), note].filter((part) => part !== '').join(' · ');
	return rowOf(betId, [round === '' ? lists.next : lists.round(round), what], own);
}

/** All stakes on the round, and the player's own bets of this visit. */
export function TableLists(): ReactElement {
	const { snapshot, mine } = useTable();
	const all = () => (snapshot?.rows ?? []).map((row, index) => rowOf(`${index} ${row.name}`, [row.name], row));
	const figures = FIGURES.length;
	return (
		<BetLists
			total={snapshot}
			lists={[
				{ key: 'all', rows: all, heads: [lists.player, ...FIGURES], figures, empty: '' },
				{
					key: 'mine',
					rows: () => mine.map(ownRow),
					heads: [lists.roundHead, CASINO_TEXTS.tables.bets, ...FIGURES],
					figures,
					empty: lists.noneMine,
				},
			]}
		/>
	);
}
