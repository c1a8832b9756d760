import type { ReactElement } from 'react';
import { BetLists, type BetRow } from '#web/features/casino/bet-rows.tsx';
import { type CrashBet, useCrash } from '#web/features/casino/crash/crash-store.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { isWin } from '#web/features/casino/result-text.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.lists;
const HEADS = [words.stake, words.at, words.paid];

type Shown = Pick<CrashBet, 'betId' | 'stake' | 'cents' | 'payout'>;

/** @param note shown in place of a multiplier */
const rowOf = ({ betId, stake, cents, payout }: Shown, name: string, note: string): BetRow => ({
	key: betId,
	cells: [
		name,
		formatAmount(stake),
		cents === null ? note : multiplierText(cents),
		payout > 0 ? formatAmount(payout) : '',
	],
	isWon: isWin({ stake, payout }),
});

const ownRow = (bet: CrashBet): BetRow =>
	rowOf(
		bet,
		bet.round === '' ? words.next : words.round(bet.round),
		bet.isInterrupted ? words.interrupted : words.states[bet.state],
	);

const everybodys = (rows: readonly (Shown & { name: string })[]): BetRow[] =>
	rows.map((row) => rowOf(row, row.name, ''));

/** All bets of the round, the player's own of this visit, and the largest wins of the last rounds. */
export function CrashLists(): ReactElement {
	const { snapshot, mine } = useCrash();
	const list = (key: 'all' | 'mine' | 'top', rows: () => BetRow[], who: string, empty: string) => ({
		key,
		rows,
		heads: [who, ...HEADS],
		figures: HEADS.length,
		empty,
	});
	return (
		<BetLists
			total={snapshot}
			lists={[
				list('all', () => everybodys(snapshot?.rows ?? []), words.player, ''),
				list('mine', () => mine.map(ownRow), words.roundHead, words.noneMine),
				list('top', () => everybodys(snapshot?.top ?? []), words.player, words.noTop),
			]}
		/>
	);
}
