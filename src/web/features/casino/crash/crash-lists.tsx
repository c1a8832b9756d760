import { type ReactElement, useState } from 'react';
import { Tabs } from '#ui/tabs.tsx';
import { type BetRow, BetRows, RoundTotal } from '#web/features/casino/bet-rows.tsx';
import { type CrashBet, useCrash } from '#web/features/casino/crash/crash-store.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.lists;
const HEADS = [words.stake, words.at, words.paid];
type List = 'all' | 'mine' | 'top';

type Shown = Pick<CrashBet, 'betId' | 'stake' | 'cents' | 'payout'>;

/** @param note said in place of a multiplier */
const rowOf = ({ betId, stake, cents, payout }: Shown, name: string, note: string): BetRow => ({
	key: betId,
	cells: [
		name,
		formatAmount(stake),
		cents === null ? note : multiplierText(cents),
		payout > 0 ? formatAmount(payout) : '',
	],
	isWon: payout > stake,
});

const ownRow = (bet: CrashBet): BetRow =>
	rowOf(
		bet,
		bet.round === '' ? words.next : words.round(bet.round),
		bet.isInterrupted ? words.interrupted : words.states[bet.state],
	);

const everybodys = (rows: readonly (Shown & { name: string })[]): BetRow[] =>
	rows.map((row) => rowOf(row, row.name, ''));

/** Everybody's bets of the round, one's own of this visit, and the largest wins of the last rounds. */
export function CrashLists(): ReactElement {
	const { snapshot, mine } = useCrash();
	const [list, setList] = useState<List>('all');
	const rows = {
		all: { rows: everybodys(snapshot?.rows ?? []), empty: words.noBets, who: words.player },
		mine: { rows: mine.map(ownRow), empty: words.noneMine, who: words.roundHead },
		top: { rows: everybodys(snapshot?.top ?? []), empty: words.noTop, who: words.player },
	}[list];
	return (
		<section className="bet-lists" aria-label={words.title}>
			<Tabs
				label={words.title}
				tabs={(['all', 'mine', 'top'] as const).map((key) => ({ key, label: words.tabs[key] }))}
				selected={list}
				onSelect={setList}
			>
				{list === 'all' && <RoundTotal of={snapshot} />}
				<BetRows rows={rows.rows} heads={[rows.who, ...HEADS]} figures={HEADS.length} empty={rows.empty} />
			</Tabs>
		</section>
	);
}
