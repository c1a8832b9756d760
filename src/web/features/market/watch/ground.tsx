import type { ReactElement, ReactNode } from 'react';
import type { Score } from '#web/features/market/score/score-types.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

/** The drawing below every tracker: 600 by 220, as wide as the panel. The score card has the same facts in words. */
export function Ground({ sport, children }: { sport: Score['sport']; children: ReactNode }): ReactElement {
	return (
		<div className="tracker" data-sport={sport}>
			<svg viewBox="0 0 600 220" role="img" aria-label={MARKET_WORDS.trackerLabel[sport]}>
				{children}
			</svg>
		</div>
	);
}

/** Names are cut where a drawing has no room for them. */
export const shortName = (name: string, most = 18): string =>
	name.length > most ? `${name.slice(0, most - 1)}…` : name;
