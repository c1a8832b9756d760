/**
 * Fancies. This file: all of a match's in one card, one row each; the possible winnings by result open below the row.
 */

import type { ReactElement } from 'react';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { FancyRow } from '#web/features/market/fancy/fancy-row.tsx';
import { FoldingHead, useFolded } from '#web/features/market/market-frame.tsx';
import { MARKET_WORDS } from '#web/texts/more.ts';

export function FancyGroup({
	event,
	markets,
	name,
}: {
	event: EventSummary;
	markets: readonly Market[];
	name: string;
}): ReactElement {
	const folded = useFolded(name);
	return (
		<section className="market" aria-label={name} data-model="FANCY">
			<FoldingHead name={name} />
			{!folded && (
				<>
					<div className="fancy-grid fancy-heads" aria-hidden="true">
						<span className="fancy-rate">{MARKET_WORDS.rateHint}</span>
						<span className="market-side" data-side="LAY">
							{MARKET_WORDS.no}
						</span>
						<span className="market-side" data-side="BACK">
							{MARKET_WORDS.yes}
						</span>
					</div>
					<ul>
						{markets.map((market) => (
							<FancyRow key={market.id} event={event} market={market} />
						))}
					</ul>
				</>
			)}
		</section>
	);
}
