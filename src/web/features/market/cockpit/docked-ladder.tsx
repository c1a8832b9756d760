import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { clone } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { useMediaQuery } from '#ui/media-query.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { useCockpitMatch } from '#web/features/market/cockpit/cockpit-match.ts';
import { Ladder } from '#web/features/market/ladder/ladder.tsx';
import { useLadderStake } from '#web/features/market/ladder/ladder-stake.ts';
import { openLadders } from '#web/features/market/ladder/open-ladders.ts';
import { depthQuery, ladderQuery } from '#web/store/market-queries.ts';
import { setLadderDocked, usePreferences } from '#web/store/preferences.ts';
import { LADDER_WORDS, MARKET_WORDS } from '#web/texts/more.ts';
import './cockpit.css';

registerIcons([clone]);

/** Narrower columns have no room for it. */
const DOCKED_FROM = '(width >= 80rem)';

function Docked({ event, market, runnerId }: { event: EventSummary; market: Market; runnerId: string }): ReactElement {
	const stake = useLadderStake(market.id);
	const { data } = useQuery(depthQuery(market.id));
	const runner = market.runners.find(({ id }) => id === runnerId) ?? market.runners[0];
	const { data: figures } = useQuery(ladderQuery(market.id, runner?.id));
	const book = data?.runners.find((each) => each.runnerId === runner?.id) ?? null;
	return (
		<>
			{runner && (
				<Ladder
					key={runner.id}
					event={event}
					market={market}
					runner={runner}
					stake={stake}
					isBesideSlip
					deep={book}
					figures={figures ?? null}
					lastTraded={book?.lastPriceTraded ?? null}
				/>
			)}
		</>
	);
}

const keyOf = (market: Market, runnerId: string): string => `${market.id} ${runnerId}`;

/** The ladder of a runner of the match on the screen, at the foot of the right column; folded it is a line. */
export function DockedLadder(): ReactElement | null {
	const id = useId();
	const match = useCockpitMatch();
	const isWide = useMediaQuery(DOCKED_FROM);
	const isOpen = usePreferences(({ ladderDocked }) => ladderDocked);
	const [chosen, setChosen] = useState('');
	const [main] = match?.markets ?? [];
	if (!match || !main || !isWide) return null;
	const [marketId, runnerId = ''] = chosen.split(' ');
	const market = match.markets.find((each) => each.id === marketId) ?? main;
	return (
		<section className="cockpit-ladder" aria-label={LADDER_WORDS.docked} data-open={isOpen || undefined}>
			<div className="cockpit-ladder-head">
				<button
					type="button"
					className="market-fold"
					aria-expanded={isOpen}
					aria-controls={id}
					onClick={() => setLadderDocked(!isOpen)}
				>
					<Icon solid size="xs" className="market-chevron">
						chevron-right
					</Icon>
					<span className="market-name">{LADDER_WORDS.docked}</span>
				</button>
				{isOpen && (
					<select
						aria-label={MARKET_WORDS.runner}
						value={keyOf(market, runnerId || (market.runners[0]?.id ?? ''))}
						onChange={({ target }) => setChosen(target.value)}
					>
						{match.markets.map((each) => (
							<optgroup key={each.id} label={each.name}>
								{each.runners.map((runner) => (
									<option key={runner.id} value={keyOf(each, runner.id)}>
										{runner.name}
									</option>
								))}
							</optgroup>
						))}
					</select>
				)}
				<button
					type="button"
					className="icon-button"
					aria-label={LADDER_WORDS.ownWindow(market.name)}
					title={LADDER_WORDS.ownWindow(market.name)}
					onClick={() => openLadders(match.event.id, market)}
				>
					<Icon solid>clone</Icon>
				</button>
			</div>
			<div id={id} className="cockpit-ladder-body" hidden={!isOpen}>
				{isOpen && <Docked key={market.id} event={match.event} market={market} runnerId={runnerId} />}
			</div>
		</section>
	);
}
