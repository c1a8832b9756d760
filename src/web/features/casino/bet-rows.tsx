/** Bets on rounds that everybody plays, in rows: words first, then figures. */
import type { ReactElement } from 'react';
import { type Paise, ZERO } from '#values/money.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

export interface BetRow {
	key: string;
	/** A text for each head. */
	cells: readonly string[];
	isWon: boolean;
}

export function BetRows({
	rows,
	heads,
	figures,
	empty,
}: {
	rows: readonly BetRow[];
	heads: readonly string[];
	/** How many of the last columns hold figures. */
	figures: number;
	/** Said in place of no rows. */
	empty: string;
}): ReactElement | null {
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

/** How many players staked how much on the round, and what it paid them; zeros until its image arrives. */
export function RoundTotal({ of }: { of: { players: number; stake: Paise; payout: Paise } | null }): ReactElement {
	const { players, stake, payout } = of ?? { players: 0, stake: ZERO, payout: ZERO };
	return (
		<p className="bet-lists-note">
			{CASINO_TEXTS.crash.lists.total(players, formatAmount(stake), formatAmount(payout))}
		</p>
	);
}
