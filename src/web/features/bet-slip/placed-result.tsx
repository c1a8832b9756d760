import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { formatMoney, formatQuote } from '#web/format.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { betAgain, keyOf, type PlacedBet, removeSelection, type Selection } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.slip;

type Outcome = Pick<PlacedBet, 'status' | 'matchedStake' | 'remainingStake' | 'averagePrice'>;

/** What became of the bet so far: live ones are in the list of open bets, one that has gone from it lapsed. */
function useOutcome(bet: PlacedBet): Outcome {
	const { data } = useQuery(openBetsQuery());
	const live = data?.openBets.find(({ betId }) => betId === bet.betId);
	const [seen, setSeen] = useState(false);
	if (live && !seen) setSeen(true);
	if (live) return live;
	return bet.status === 'PENDING' && seen ? { ...bet, status: 'LAPSED', remainingStake: 0 } : bet;
}

/** Whole seconds until a moment, counted down. */
function useSecondsUntil(iso: string | undefined): number {
	const secondsLeft = () => (iso ? Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / 1000)) : 0);
	const [left, setLeft] = useState(secondsLeft);
	useEffect(() => {
		if (!iso) return;
		const until = Date.parse(iso);
		const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 250);
		return () => clearInterval(timer);
	}, [iso]);
	return left;
}

/** Matched, part matched, waiting, delayed or lapsed, in one sentence. */
function sentenceOf(
	{ status, matchedStake, remainingStake, averagePrice }: Outcome,
	{ price: hundredths, quoting }: Selection,
	left: number,
): string {
	const asked = hundredths / 100;
	const price = formatQuote(averagePrice ?? asked, quoting);
	if (status === 'PENDING') return words.delayed(left);
	if (status === 'LAPSED') return words.lapsed;
	if (matchedStake === 0) return words.unmatched(formatMoney(remainingStake), formatQuote(asked, quoting));
	if (remainingStake === 0) return words.matched(formatMoney(matchedStake), price);
	return words.part(formatMoney(matchedStake), price, formatMoney(remainingStake));
}

export function PlacedResult({ selection, bet }: { selection: Selection; bet: PlacedBet }): ReactElement {
	const outcome = useOutcome(bet);
	const left = useSecondsUntil(bet.delayUntil);
	const matched = outcome.matchedStake > 0;
	return (
		<div className="flex flex-col gap-3 p-3">
			<output className="flex items-start gap-3">
				<span className={matched ? 'text-profit' : 'text-suspended'}>
					<Icon solid size="lg">
						{matched ? 'circle-check' : 'clock-rotate-left'}
					</Icon>
				</span>
				<div>
					<p className="font-semibold">{sentenceOf(outcome, selection, left)}</p>
					<p className="text-xs text-muted">{words.reference(bet.betId)}</p>
				</div>
			</output>
			<div className="grid grid-cols-2 gap-2">
				<Button onClick={() => betAgain(keyOf(selection))}>{words.betAgain}</Button>
				<Button variant="primary" onClick={() => removeSelection(keyOf(selection))}>
					{words.done}
				</Button>
			</div>
		</div>
	);
}
