/** The bets of a table as places for chips: their payouts, and the chips of the player and of all players. */
import type { CSSProperties, ReactElement } from 'react';
import { compare, multipleText, NONE } from '#games/fraction.ts';
import type { BetTerms } from '#games/game.ts';
import { minorOf } from '#values/money.ts';
import { ChipSpot } from '#web/features/casino/chips.tsx';
import { type BoardProps } from '#web/features/casino/tables/table-screen.tsx';
import { tableRounds, useTable } from '#web/features/casino/tables/table-store.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const paysText = ({ prizes }: BetTerms): string => {
	const best = prizes.map(({ pays }) => pays).reduce((most, pays) => (compare(pays, most) > 0 ? pays : most), NONE);
	return prizes.length > 2 ? CASINO_TEXTS.upTo(multipleText(best)) : multipleText(best);
};

/** The look of a spot, if it is not its name in a box. */
interface SpotLook {
	text?: string;
	tone?: 'red' | 'black' | 'green';
	side?: string;
	/** The payout is not shown. */
	isPlain?: boolean;
	className?: string;
}

export function Spot({
	board: { game, chips, outcome },
	bet: code,
	look: { text, isPlain = false, ...look },
}: {
	board: BoardProps;
	bet: string;
	look: SpotLook;
}): ReactElement | null {
	const view = useTable();
	const bet = game.betOf(code);
	if (!bet) return null;
	const placed = tableRounds
		.liveBets(view)
		.flatMap(({ bets }) => bets)
		.reduce((sum, chip) => (chip.bet === code ? sum + chip.stake : sum), 0);
	const crowd = view.snapshot?.spots.find((spot) => spot.bet === code);
	const prize = outcome === null ? null : bet.prizeOf(outcome);
	// A partly returned stake is not a win.
	const isWon = prize === 0 || (prize !== null && bet.prizes.length > 2);
	return (
		<ChipSpot
			chips={chips}
			bet={code}
			name={text ?? bet.name}
			said={text === undefined || text === bet.name ? undefined : bet.name}
			note={isPlain ? '' : paysText(bet)}
			placed={minorOf(placed)}
			crowd={crowd ?? null}
			isWon={isWon}
			{...look}
		/>
	);
}

/** The limit of bets per row; rows of a group are equally long. */
const MOST_IN_ROW = 7;
const columnsOf = (count: number): number => Math.ceil(count / Math.ceil(count / MOST_IN_ROW));

/** On a wide screen this number of main bets, or more, stands in two columns. */
const MANY = 4;

/** The main bets large, the others by groups below them. */
export function Spots({
	board,
	main,
	groups,
}: {
	board: BoardProps;
	main: readonly (readonly [bet: string, side: string])[];
	groups: readonly { title: string; bets: readonly (readonly [bet: string, look: SpotLook])[] }[];
}): ReactElement {
	return (
		<section className="spots" aria-label={CASINO_TEXTS.tables.board}>
			<div className="spots-main" data-many={main.length >= MANY || undefined}>
				{main.map(([bet, side]) => (
					<Spot key={bet} board={board} bet={bet} look={{ side }} />
				))}
			</div>
			{groups.map(({ title, bets }) => (
				<fieldset key={title} className="spots-group">
					<legend>{title}</legend>
					<div style={{ '--columns': columnsOf(bets.length) } as CSSProperties}>
						{bets.map(([bet, look]) => (
							<Spot key={bet} board={board} bet={bet} look={look} />
						))}
					</div>
				</fieldset>
			))}
		</section>
	);
}
