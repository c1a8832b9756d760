import { type ReactElement, useState } from 'react';
import { gameOf } from '#games/all-games.ts';
import { Tabs } from '#ui/tabs.tsx';
import { ZERO } from '#values/money.ts';
import { type TableBet, useTable } from '#web/features/casino/tables/table-store.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.tables;
const lists = CASINO_TEXTS.crash.lists;

interface Row {
	key: string;
	name: string;
	/** The bets; left out where everybody's are listed. */
	what?: string;
	stake: TableBet['stake'];
	payout: TableBet['payout'];
}

function Rows({ rows, heads, empty }: { rows: readonly Row[]; heads: readonly string[]; empty: string }) {
	if (rows.length === 0) return <p className="table-none">{empty}</p>;
	return (
		<table className="table-rows">
			<thead>
				<tr>
					{[...heads, lists.stake, lists.paid].map((head) => (
						<th key={head} scope="col">
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(({ key, name, what, stake, payout }) => (
					<tr key={key} data-won={payout > stake || undefined}>
						<td>{name}</td>
						{what !== undefined && <td>{what}</td>}
						<td>{formatAmount(stake)}</td>
						<td>{payout > 0 ? formatAmount(payout) : ''}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function ownRow({ betId, game: code, round, state, bets, stake, payout, isInterrupted }: TableBet): Row {
	const game = gameOf(code);
	const names = bets.map(({ bet }) => game?.bets.find((terms) => terms.code === bet)?.name ?? bet);
	const note = isInterrupted ? lists.interrupted : state === 'SETTLED' ? '' : lists.states[state];
	return {
		key: betId,
		name: round === '' ? lists.next : lists.round(round),
		what: [names.join(', '), note].filter((part) => part !== '').join(' · '),
		stake,
		payout,
	};
}

/** Everybody's stakes on the round, and one's own bets of this visit. */
export function TableLists(): ReactElement {
	const { snapshot, mine } = useTable();
	const [list, setList] = useState<'all' | 'mine'>('all');
	const all = (snapshot?.rows ?? []).map((row, index) => ({ ...row, key: `${index} ${row.name}` }));
	return (
		<section className="table-lists" aria-label={lists.title}>
			<Tabs
				label={lists.title}
				tabs={(['all', 'mine'] as const).map((key) => ({ key, label: lists.tabs[key] }))}
				selected={list}
				onSelect={setList}
			>
				{list === 'all' ? (
					<>
						<p className="table-none">
							{lists.total(
								snapshot?.players ?? 0,
								formatAmount(snapshot?.stake ?? ZERO),
								formatAmount(snapshot?.payout ?? ZERO),
							)}
						</p>
						{all.length > 0 && <Rows rows={all} heads={[lists.player]} empty="" />}
					</>
				) : (
					<Rows rows={mine.map(ownRow)} heads={[lists.roundHead, words.bets]} empty={lists.noneMine} />
				)}
			</Tabs>
		</section>
	);
}
