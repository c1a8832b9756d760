import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { flyTo } from '#ui/fly.ts';
import { Icon } from '#ui/icon.tsx';
import type { PlacedBet } from '#web/api/answers.ts';
import { keyOf, type PlacedPhase, type Selection } from '#web/betting/selection.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { useBetMarket } from '#web/orders/bet-market.ts';
import { secondsOfDelay, useOutcome } from '#web/orders/bet-outcome.ts';
import { type PlacedOutcome, placedWords } from '#web/orders/placed-words.ts';
import { reductionWords } from '#web/orders/reduction-words.ts';
import { showSlipSheet } from '#web/store/dialogs.ts';
import { betAgain, removeSelection, useSlip } from '#web/store/slip.ts';
import { betWords, sideWord } from '#web/texts/bet-words.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

const words = SLIP_WORDS;

/** The ways to the open bets: beside the slip on a wide screen, in the bottom bar of a phone. */
const OPEN_BETS = '.cockpit-part[data-part="bets"], .bottom-bar a[href="/open-bets"]';

/** The seconds of a bet's delay, counted down. @param answeredAtMs when its answer came, on `performance.now()` */
function useDelay(bet: PlacedBet, answeredAtMs: number): number {
	const left = () => secondsOfDelay(bet, performance.now() - answeredAtMs);
	const [seconds, setSeconds] = useState(left);
	const count = useEffectEvent(() => setSeconds(left()));
	const isDelayed = bet.delayUntil !== undefined;
	useEffect(() => {
		if (!isDelayed) return;
		const timer = setInterval(() => count(), 250);
		return () => clearInterval(timer);
	}, [isDelayed]);
	return seconds;
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
export function PlacedResult({
	selection,
	placed: { bet, answeredAtMs },
}: {
	selection: Selection;
	placed: PlacedPhase;
}): ReactElement {
	const outcome = useOutcome(bet);
	const left = useDelay(bet, answeredAtMs);
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
