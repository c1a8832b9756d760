import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Failed } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { OpenBet } from '#web/api/answers.ts';
import { BetItem } from '#web/features/open-bets/bet-item.tsx';
import { OrderGroups } from '#web/features/open-bets/order-groups.tsx';
import { Triggers } from '#web/features/open-bets/triggers.tsx';
import { formatMoney } from '#web/format.ts';
import { cancelAll } from '#web/orders/change-bets.ts';
import { openDialog } from '#web/store/dialogs.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { BET_WORDS, SLIP_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './open-bets.css';

/** Bets by market, in the order in which the market of each was last bet on. */
function byMarket(bets: readonly OpenBet[]): OpenBet[][] {
	const groups = new Map<string, OpenBet[]>();
	for (const bet of bets) {
		const group = groups.get(bet.marketId);
		if (group) group.push(bet);
		else groups.set(bet.marketId, [bet]);
	}
	return [...groups.values()];
}

/** The number of bets drawn at first, and with each press: thousands at once would block a phone for seconds. */
const SHOWN_AT_ONCE = 100;

function BetsByMarket({ bets }: { bets: readonly OpenBet[] }): ReactElement {
	const [shown, setShown] = useState(SHOWN_AT_ONCE);
	return (
		<>
			{byMarket(bets.slice(0, shown)).map((ofMarket) => (
				<MarketBets key={ofMarket[0]?.marketId} bets={ofMarket} />
			))}
			{bets.length > shown && (
				<Button onClick={() => setShown(shown + SHOWN_AT_ONCE)}>{BET_WORDS.showMore(bets.length - shown)}</Button>
			)}
		</>
	);
}

function MarketBets({ bets }: { bets: OpenBet[] }): ReactElement | null {
	const [first] = bets;
	if (!first) return null;
	const unmatched = bets.filter(({ remainingStake }) => remainingStake > 0);
	const matched = bets.filter(({ matchedStake }) => matchedStake > 0);
	return (
		<section aria-label={first.eventTitle} className="rounded-lg border border-line bg-surface-2">
			<h3 className="flex min-h-11 items-center px-3">
				<Link
					to="/markets/{-$eventid}/$dreamEventId"
					params={{ dreamEventId: first.eventId }}
					className="flex min-h-11 min-w-0 flex-1 items-center font-semibold"
				>
					<bdi className="truncate">{first.eventTitle}</bdi>
				</Link>
				<span className="pl-2 text-xs text-muted">{first.marketName}</span>
			</h3>
			{(
				[
					['unmatched', unmatched],
					['matched', matched],
				] as const
			).map(
				([part, shown]) =>
					shown.length > 0 && (
						<div key={part}>
							<h4 className="border-t border-line px-3 pt-2 text-xs font-semibold text-muted">{BET_WORDS[part]}</h4>
							<ul>
								{shown.map((bet) => (
									<BetItem key={bet.betId} bet={bet} part={part} />
								))}
							</ul>
						</div>
					),
			)}
		</section>
	);
}

/** Cancels all unmatched bets, in all markets. */
function CancelAll(): ReactElement {
	const [busy, setBusy] = useState(false);
	async function cancelAllBets(): Promise<void> {
		if (busy) return;
		setBusy(true);
		await cancelAll(null, (amount) => BET_WORDS.cancelled(formatMoney(amount)));
		setBusy(false);
	}
	return (
		<Button variant="outline" className="self-end" busy={busy} onClick={() => void cancelAllBets()}>
			{BET_WORDS.cancelAll}
		</Button>
	);
}

/** The player's bets in markets that are not settled, unmatched parts first; in the side column and on its own screen. */
export function OpenBets(): ReactElement {
	const enabled = useSession((state) => state.user !== null);
	return (
		<>
			<Triggers enabled={enabled} />
			<OrderGroups enabled={enabled} />
			<Bets enabled={enabled} />
		</>
	);
}

function Bets({ enabled }: { enabled: boolean }): ReactElement {
	const { data, error } = useQuery({ ...openBetsQuery(), enabled });
	if (!enabled) {
		return (
			<ScreenState
				title={SLIP_WORDS.why.login}
				action={
					<Button variant="primary" onClick={() => openDialog('login')}>
						{TEXTS.frame.login}
					</Button>
				}
			/>
		);
	}
	if (!data && error) return <Failed error={error} words={TEXTS.app} />;
	if (!data) return <Skeleton className="m-2 h-40" />;
	if (data.openBets.length === 0) {
		return (
			<ScreenState icon="receipt" title={BET_WORDS.empty}>
				{BET_WORDS.emptyHint}
			</ScreenState>
		);
	}
	const hasUnmatched = data.openBets.some(({ remainingStake }) => remainingStake > 0);
	return (
		<div className="flex flex-col gap-2 p-2">
			{hasUnmatched && <CancelAll />}
			<BetsByMarket bets={data.openBets} />
		</div>
	);
}
