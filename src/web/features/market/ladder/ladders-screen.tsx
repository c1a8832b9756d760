import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Failed } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ZERO } from '#values/money.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { isNotFound } from '#web/api/failure.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { quotingOf } from '#web/betting/quoting.ts';
import { Ladder } from '#web/features/market/ladder/ladder.tsx';
import { useLadderStake } from '#web/features/market/ladder/ladder-stake.ts';
import { StakeField } from '#web/features/market/ladder/ladder-ticket.tsx';
import { useOwnResults } from '#web/features/market/own-results.ts';
import { SignedNet } from '#web/features/market/runner-row.tsx';
import { formatMoney, formatQuote, formatShort } from '#web/format.ts';
import { depthQuery, ladderQuery } from '#web/store/market-queries.ts';
import { setBetting, usePreferences } from '#web/store/preferences.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { useWallet } from '#web/store/wallet.ts';
import { GRID_WORDS, LADDER_WORDS, MARKET_WORDS, SLIP_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import '#web/features/market/cockpit/cockpit.css';

/** Off unless the player turns it on; then a press on a price bets the stake at once, without a ticket. */
function OneClick({ stake }: { stake: string }): ReactElement {
	const oneClick = usePreferences(({ oneClickStake }) => oneClickStake);
	const amount = stakeMinor(stake);
	return (
		<label className="slip-option ladders-one-click" data-on={oneClick !== null || undefined}>
			<input
				type="checkbox"
				role="switch"
				className="switch"
				aria-checked={oneClick !== null}
				checked={oneClick !== null}
				disabled={oneClick === null && amount === null}
				onChange={() => setBetting({ oneClickStake: oneClick === null ? amount : null })}
			/>
			<span>{oneClick === null ? SLIP_WORDS.oneClick : SLIP_WORDS.oneClickOn(formatMoney(oneClick))}</span>
		</label>
	);
}

function Ladders({ event, market }: { event: EventSummary; market: Market }): ReactElement {
	const stake = useLadderStake(market.id);
	const { data } = useQuery(depthQuery(market.id));
	const { data: figures } = useQuery(ladderQuery(market.id));
	const { now, whatIf } = useOwnResults(market);
	const loggedIn = useSession(({ user }) => user !== null);
	const balance = useWallet((wallet) => wallet.balance);
	const quoting = quotingOf(market, event);
	return (
		<>
			<header className="ladders-head">
				<h1>
					<bdi>{event.title}</bdi> <small>{market.name}</small>
				</h1>
				<StakeField stake={stake} />
				{loggedIn && <OneClick stake={stake.text} />}
				{loggedIn && (
					<p>
						{TEXTS.frame.balance} <b>{formatMoney(balance)}</b>
					</p>
				)}
			</header>
			<div className="ladders">
				{market.runners.map((runner) => {
					const book = data?.runners.find(({ runnerId }) => runnerId === runner.id) ?? null;
					const net = now?.byRunner.get(runner.id);
					const next = whatIf?.byRunner.get(runner.id);
					return (
						<section key={runner.id} aria-label={runner.name}>
							<h2 className="truncate">{runner.name}</h2>
							<p className="ladders-facts">
								{book ? (
									<>
										{book.lastPriceTraded !== null &&
											MARKET_WORDS.lastTraded(formatQuote(book.lastPriceTraded, quoting))}{' '}
										{MARKET_WORDS.traded(formatShort(book.totalMatched ?? ZERO))}
									</>
								) : (
									<Skeleton className="h-4 w-40" />
								)}
							</p>
							<p className="ladders-facts">
								{net !== undefined && <SignedNet amount={net} title={GRID_WORDS.ifWins} />}
								{next !== undefined && (
									<>
										{' → '}
										<SignedNet amount={next} title={MARKET_WORDS.withBet} />
									</>
								)}
							</p>
							<Ladder
								event={event}
								market={market}
								runner={runner}
								stake={stake}
								hasOwnStake={false}
								deep={book}
								figures={figures ?? null}
								lastTraded={book?.lastPriceTraded ?? null}
							/>
						</section>
					);
				})}
			</div>
		</>
	);
}

/** /ladders/:dreamEventId/:marketId, a window of its own: the ladders of all runners of a market side by side. */
export function LaddersScreen(): ReactElement {
	const { dreamEventId = '', marketId } = useParams({ strict: false });
	const { data, error } = useQuery(eventMarketsQuery(dreamEventId));
	const unknown = isNotFound(error);
	const market = data?.markets.find(({ id }) => id === marketId);
	return (
		<main id="content" className="ladders-screen">
			{data && market ? (
				<Ladders event={data.event} market={market} />
			) : data || unknown ? (
				<ScreenState icon="ticket" title={LADDER_WORDS.noMarket} />
			) : error ? (
				<Failed error={error} words={TEXTS.app} />
			) : (
				<Skeleton className="h-96 w-full" />
			)}
		</main>
	);
}
