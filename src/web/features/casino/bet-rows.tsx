/** Bets on shared rounds, in lists of rows: words first, then figures. */
import { type ReactElement, useState } from 'react';
import { Tabs } from '#ui/tabs.tsx';
import type { Minor } from '#values/money.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.lists;

export interface BetRow {
	key: string;
	/** A text for each head. */
	cells: readonly string[];
	isWon: boolean;
}

/** One of the lists: all bets of the round, the player's own of this visit, or the largest wins. */
interface BetList {
	key: keyof typeof words.tabs;
	rows: () => readonly BetRow[];
	heads: readonly string[];
	/** The number of trailing columns with figures. */
	figures: number;
	/** Shown if there are no rows. */
	empty: string;
}

/** The total stakes and payouts of the round. */
interface Total {
	players: number;
	stake: Minor;
	payout: Minor;
}

/** @param total null until the round's image arrives */
export function BetLists({ lists, total }: { lists: readonly BetList[]; total: Total | null }): ReactElement {
	const [key, setKey] = useState<BetList['key']>('all');
	const list = lists.find((each) => each.key === key);
	return (
		<section className="bet-lists" aria-label={words.title}>
			<Tabs
				label={words.title}
				tabs={lists.map((each) => ({ key: each.key, label: words.tabs[each.key] }))}
				selected={key}
				onSelect={setKey}
			>
				{key === 'all' && <RoundTotal of={total} />}
				{list && <BetRows {...list} rows={list.rows()} />}
			</Tabs>
		</section>
	);
}

function BetRows({
	rows,
	heads,
	figures,
	empty,
}: Omit<BetList, 'key' | 'rows'> & { rows: readonly BetRow[] }): ReactElement | null {
	if (rows.length === 0) return empty === '' ? null : <p className="bet-lists-note">{empty}</p>;
	const isFigure = (column: number) => column >= heads.length - figures || undefined;
	return (
		<table className="bet-rows">
			<thead>
				<tr>
					{heads.map((head, column) => (
						<th key={head} scope="col" data-figure={isFigure(column)}>
							{head}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(({ key, cells, isWon }) => (
					<tr key={key} data-won={isWon || undefined}>
						{cells.map((text, column) => (
							<td key={heads[column]} data-figure={isFigure(column)}>
								{text}
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** Of the same height without a bet as with one. */
function RoundTotal({ of }: { of: Total | null }): ReactElement {
	const total = of && of.players > 0 ? words.total(of.players, formatAmount(of.stake), formatAmount(of.payout)) : null;
	return <p className="bet-lists-note">{total ?? words.noBets}</p>;
}
