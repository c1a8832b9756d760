import type { ReactElement } from 'react';
import type { Market } from '#web/api/answers.ts';
import { CashOut } from '#web/features/market/cash-out.tsx';
import { useCockpitMatch } from '#web/features/market/cockpit/cockpit-match.ts';
import { canCashOut, useOwnResults } from '#web/features/market/own-results.ts';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';
import './cockpit.css';

/** The player's net of each runner of a market, and the cash-out; nothing without matched bets. */
function MarketPosition({ market }: { market: Market }): ReactElement | null {
	const results = useOwnResults(market);
	const { now } = results;
	if (!now || market.lineRange) return null;
	return (
		<section className="cockpit-part" data-part="position" aria-label={MARKET_WORDS.position(market.name)}>
			<h2>{MARKET_WORDS.position(market.name)}</h2>
			<dl className="cockpit-nets">
				{market.runners.map(({ id, name }) => (
					<div key={id}>
						<dt>{name}</dt>
						<dd>
							<SignedNet amount={now.byRunner.get(id) ?? now.none} title={GRID_WORDS.ifWins} />
						</dd>
					</div>
				))}
			</dl>
			{canCashOut(market, results) && <CashOut market={market} onDone={() => undefined} />}
		</section>
	);
}

/** What the player has in the match on the screen. */
export function PositionPart(): ReactElement | null {
	const match = useCockpitMatch();
	return (
		match && (
			<>
				{match.markets.map((market) => (
					<MarketPosition key={market.id} market={market} />
				))}
			</>
		)
	);
}
