import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { formatMoney, formatPrice } from '#web/format.ts';
import { betAgain, keyOf, type PlacedBet, removeSelection, type Selection } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.slip;

/** Matched, part matched or waiting, in one sentence. */
function outcomeOf(bet: PlacedBet, asked: number): string {
	const price = formatPrice(bet.averagePrice ?? asked);
	if (bet.matchedStake === 0) return words.unmatched(formatMoney(bet.remainingStake), formatPrice(asked));
	if (bet.remainingStake === 0) return words.matched(formatMoney(bet.matchedStake), price);
	return words.part(formatMoney(bet.matchedStake), price, formatMoney(bet.remainingStake));
}

export function PlacedResult({ selection, bet }: { selection: Selection; bet: PlacedBet }): ReactElement {
	const matched = bet.matchedStake > 0;
	return (
		<div className="flex flex-col gap-3 p-3">
			<output className="flex items-start gap-3">
				<span className={matched ? 'text-profit' : 'text-suspended'}>
					<Icon solid size="lg">
						{matched ? 'circle-check' : 'clock-rotate-left'}
					</Icon>
				</span>
				<div>
					<p className="font-semibold">{outcomeOf(bet, selection.price / 100)}</p>
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
