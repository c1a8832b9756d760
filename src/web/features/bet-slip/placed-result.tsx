import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { flyTo } from '#ui/fly.ts';
import { Icon } from '#ui/icon.tsx';
import { ZERO } from '#values/money.ts';
import type { PlacedBet } from '#web/api/answers.ts';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { useBetMarket } from '#web/orders/bet-market.ts';
import { type PlacedOutcome, placedWords } from '#web/orders/placed-words.ts';
import { reductionWords } from '#web/orders/reduction-words.ts';
import { showSlipSheet } from '#web/store/dialogs.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { betAgain, removeSelection, useSlip } from '#web/store/slip.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

const words = SLIP_WORDS;

/** The ways to the open bets: beside the slip on a wide screen, in the bottom bar of a phone. */
const OPEN_BETS = '.cockpit-part[data-part="bets"], .bottom-bar a[href="/open-bets"]';

/** What became of the bet so far: live ones are in the list of open bets, one that has gone from it lapsed. */
function useOutcome(bet: PlacedBet): PlacedOutcome {
	const { data } = useQuery(openBetsQuery());
	const live = data?.openBets.find(({ betId }) => betId === bet.betId);
	const [seen, setSeen] = useState(false);
	if (live && !seen) setSeen(true);
	if (live) return live;
	return bet.status === 'PENDING' && seen ? { ...bet, status: 'LAPSED', remainingStake: ZERO } : bet;
}

/** The current state of the bet: live ones are in the list of open bets, one that has left it has lapsed. */
const secondsUntil = (iso: string | undefined): number =>
	iso ? Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / 1000)) : 0;

/** The same, counted down. */
function useSecondsUntil(iso: string | undefined): number {
	const [left, setLeft] = useState(() => secondsUntil(iso));
	useEffect(() => {
		if (!iso) return;
		const timer = setInterval(() => setLeft(secondsUntil(iso)), 250);
		return () => clearInterval(timer);
	}, [iso]);
	return left;
}

/** Side, runner and line of the bet, and what its matched part wins; a line that is traded and an each-way bet have no single amount. */
function whatItWins(
	{ price, matchedStake, averagePrice, matched }: PlacedOutcome,
	selection: Selection,
	eachWay: number,
): string {
	const { side, quoting, runnerName } = selection;
	const matchedAt = averagePrice ?? price;
	const bet = `${sideWord(side, quoting)} ${betWords(runnerName, formatQuote(matchedAt, quoting), quoting)}`;
	if (matchedStake === 0 || quoting === 'SPREAD' || eachWay > 0) return `${bet} · ${selection.marketName}`;
	return `${bet} · ${words.wins(formatMoney(matched.profit))} · ${selection.marketName}`;
}

/** The state of the bet, visible and in the card's live region; the seconds of a delay are only visible. */
export function PlacedResult({ selection, bet }: { selection: Selection; bet: PlacedBet }): ReactElement {
	const outcome = useOutcome(bet);
	const left = useSecondsUntil(bet.delayUntil);
	const { eachWay } = useBetMarket(selection);
	const matched = outcome.matchedStake > 0;
	const box = useRef<HTMLSpanElement>(null);
	useEffect(() => {
		if (matched) flyTo(box.current, OPEN_BETS);
	}, [matched]);
	return (
		<span ref={box} className="flex items-start gap-3 rounded-lg bg-surface-1 p-3">
			<span className={matched ? 'text-profit' : 'text-suspended'}>
				<Icon solid size="lg">
					{matched ? 'circle-check' : 'clock-rotate-left'}
				</Icon>
			</span>
			<span>
				<b className="block font-semibold">{placedWords(outcome, selection)}</b>
				{outcome.status === 'PENDING' && (
					<span role="timer" aria-live="off">
						{words.secondsLeft(left)}
					</span>
				)}
				<small className="block text-muted">{whatItWins(outcome, selection, eachWay)}</small>
				<small className="block text-muted empty:hidden">{reductionWords(outcome, selection.quoting)}</small>
				<small className="block text-muted">{words.reference(bet.betId)}</small>
			</span>
		</span>
	);
}

export function PlacedActions({ selection }: { selection: Selection }): ReactElement {
	const key = keyOf(selection);
	function finish(): void {
		removeSelection(key);
		if (useSlip.getState().selections.length === 0) showSlipSheet(false);
	}
	return (
		<div className="grid grid-cols-2 gap-2 p-3 pt-0">
			<Button onClick={() => betAgain(key)}>{words.betAgain}</Button>
			<Button variant="primary" onClick={finish}>
				{words.done}
			</Button>
		</div>
	);
}
