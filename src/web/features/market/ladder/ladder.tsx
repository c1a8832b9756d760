/** The ladder of one runner: its depth tick by tick, for placing bets, with the player's own orders in it. */

import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { minorOf } from '#values/money.ts';
import { ladderOf, type Price, type Ladder as Prices } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import type { EventSummary, LadderFigures, Market, OpenBet } from '#web/api/answers.ts';
import { type Depth, hedgedNet, ladderRows, type RunnerNets, TICKS_AROUND } from '#web/betting/ladder-view.ts';
import { ladderTermsOf } from '#web/betting/market-ladder.ts';
import { type Quoting, quotingOf } from '#web/betting/quoting.ts';
import { keyOf } from '#web/betting/selection.ts';
import { takenTerms } from '#web/betting/taken-terms.ts';
import { useOffers, useWindow } from '#web/features/market/ladder/ladder-offers.ts';
import { COLUMNS, type Column, LadderRow } from '#web/features/market/ladder/ladder-row.tsx';
import type { LadderStake } from '#web/features/market/ladder/ladder-stake.ts';
import { LadderTicket, StakeField } from '#web/features/market/ladder/ladder-ticket.tsx';
import { type LiftedOrders, useLifted } from '#web/features/market/ladder/use-lifted.ts';
import { OwnOrder } from '#web/features/market/own-orders.tsx';
import { useOwnResults } from '#web/features/market/own-results.ts';
import { formatMoney } from '#web/format.ts';
import { useFollowedMarket } from '#web/live/followed-market.ts';
import { useTakesBets } from '#web/live/followed-state.ts';
import { useOfHead } from '#web/live/market-now.ts';
import { cancelBets } from '#web/orders/change-bets.ts';
import { pickPrice } from '#web/orders/pick-price.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { setStake, useSlip } from '#web/store/slip.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { BET_WORDS, LADDER_WORDS, MARKET_WORDS, SLIP_WORDS } from '#web/texts/more.ts';
import './ladder.css';

type Runner = Market['runners'][number];

const TICK_KEYS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: TICKS_AROUND, PageDown: -TICKS_AROUND };
const COLUMN_KEYS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

interface Place {
	tick: number;
	column: Column;
}

/**
 * One cell takes the Tab key, and arrows move on from it; with an order lifted they move the order.
 * @param onMiddle the window follows a cell beyond its edge
 */
function useCells(ladder: Prices, middle: number, orders: LiftedOrders, onMiddle: (tick: number) => void) {
	const table = useRef<HTMLTableElement>(null);
	const [place, setPlace] = useState<Place>({ tick: middle, column: 'BACK' });
	function focus(next: Place): void {
		setPlace(next);
		const beyond = Math.abs(next.tick - middle) - TICKS_AROUND;
		if (beyond > 0) onMiddle(middle + Math.sign(next.tick - middle) * beyond);
		requestAnimationFrame(() => {
			table.current?.querySelector<HTMLElement>(`[data-cell="${next.tick} ${next.column}"]`)?.focus();
		});
	}
	/** The next column that has something in this row. */
	function beside({ tick, column }: Place, step: number): Column {
		for (let at = COLUMNS.indexOf(column) + step; COLUMNS[at]; at += step) {
			const next = COLUMNS[at] as Column;
			if (table.current?.querySelector(`[data-cell="${tick} ${next}"]`)) return next;
		}
		return column;
	}
	function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
		const [tick, column] = (event.target as HTMLElement).dataset.cell?.split(' ') ?? [];
		if (tick === undefined) return;
		const from: Place = { tick: Number(tick), column: column as Column };
		const ticks = TICK_KEYS[event.key];
		const columns = COLUMN_KEYS[event.key];
		const { lifted } = orders;
		if (ticks !== undefined && lifted) orders.aim(lifted.to + ticks);
		else if (ticks !== undefined) {
			const next = Math.max(0, Math.min(ladder.tickCount - 1, from.tick + ticks));
			focus({
				tick: next,
				column: from.column === 'OWN_BACK' ? 'BACK' : from.column === 'OWN_LAY' ? 'LAY' : from.column,
			});
		} else if (columns !== undefined) focus({ tick: from.tick, column: beside(from, columns) });
		else return;
		event.preventDefault();
	}
	return { table, place, onKeyDown };
}

function Steps({ shown, middle }: { shown: ReturnType<typeof useWindow>; middle: number }): ReactElement {
	return (
		<div className="ladder-steps">
			<Button size="small" aria-label={LADDER_WORDS.higher} onClick={() => shown.show(middle + TICKS_AROUND)}>
				▲
			</Button>
			<Button size="small" variant={shown.isAway ? 'primary' : 'secondary'} onClick={shown.centre}>
				{LADDER_WORDS.centre}
			</Button>
			<Button size="small" aria-label={LADDER_WORDS.lower} onClick={() => shown.show(middle - TICKS_AROUND)}>
				▼
			</Button>
		</div>
	);
}

function Heads({ quoting }: { quoting: Quoting }): ReactElement {
	return (
		<thead>
			<tr>
				<th scope="col">
					<span className="unseen">{LADDER_WORDS.own(sideWord('BACK', quoting))}</span>
				</th>
				<th scope="col">{quoting === 'SPREAD' ? sideWord('BACK', quoting) : MARKET_WORDS.toBack}</th>
				<th scope="col">{MARKET_WORDS.depthPrice}</th>
				<th scope="col">{quoting === 'SPREAD' ? sideWord('LAY', quoting) : MARKET_WORDS.toLay}</th>
				<th scope="col">
					<span className="unseen">{LADDER_WORDS.own(sideWord('LAY', quoting))}</span>
				</th>
				<th scope="col" title={LADDER_WORDS.hedgedHint}>
					{LADDER_WORDS.hedged}
				</th>
			</tr>
		</thead>
	);
}

/** Scrolls the prices alone, to the middle of the window whenever that is another one. */
function useMiddleInSight(table: RefObject<HTMLTableElement | null>, middle: number): void {
	useLayoutEffect(() => {
		const box = table.current?.parentElement;
		const row = table.current?.querySelector(`[data-tick="${middle}"]`);
		if (!box || !row) return;
		const below = row.getBoundingClientRect().top - box.getBoundingClientRect().top;
		box.scrollBy(0, below - (box.clientHeight - row.clientHeight) / 2);
	}, [table, middle]);
}

/** The player's unmatched bets on the runner, as the hub keeps them. */
function useOwnBets(marketId: string, runnerId: string): readonly OpenBet[] {
	const enabled = useSession((state) => state.user !== null);
	const { data } = useQuery({ ...openBetsQuery(), enabled });
	return (data?.openBets ?? []).filter(
		(bet) => bet.marketId === marketId && bet.runnerId === runnerId && bet.remainingStake > 0,
	);
}

/** The bet picked last on this ladder, and how one is picked with the ladder's stake. */
function usePicked(event: EventSummary, market: Market, runner: Runner, quoting: Quoting, stake: LadderStake) {
	const ids = { marketId: market.id, runnerId: runner.id };
	const selection = useSlip(({ selections }) =>
		selections.find(({ marketId, runnerId }) => marketId === ids.marketId && runnerId === ids.runnerId),
	);
	function pick(side: Side, price: Price): void {
		const isBetAtOnce = pickPrice({
			...ids,
			eventId: event.id,
			eventTitle: event.title,
			marketName: market.name,
			runnerName: runner.name,
			side,
			quoting,
			ladder: ladderTermsOf(market),
			price,
			isBest: false,
			hasTicket: true,
		});
		if (isBetAtOnce) return;
		const key = keyOf({ ...ids, side });
		const picked = useSlip.getState().selections.find((held) => keyOf(held) === key);
		if (picked?.phase.kind === 'editing' && picked.price === price) setStake(key, stake.text);
	}
	// It may have been picked while the page was in another language.
	return { selection: selection ? { ...selection, runnerName: runner.name } : null, pick };
}

/** What the player nets if the runner wins, and at worst if it does not; null without matched bets, and of lines. */
function useNets(market: Market, runner: Runner): RunnerNets | null {
	const { now } = useOwnResults(market);
	if (!now || market.lineRange || market.numberOfWinners !== 1) return null;
	const others = market.runners.filter(({ id }) => id !== runner.id).map(({ id }) => now.byRunner.get(id) ?? now.none);
	return { wins: now.byRunner.get(runner.id) ?? now.none, loses: minorOf(Math.min(...others)) };
}

/** Why no bets are taken on the runner; null if they are. */
function useClosed(market: Market, runner: Runner): { closed: string | null; inPlay: boolean } {
	const { takesBets, inPlay } = useTakesBets(market.id);
	const status = useOfHead(market.id, (head) => head?.runnerStatus[runner.id]) ?? runner.status;
	const ofRunner = status === 'ACTIVE' ? null : SLIP_WORDS.runnerClosed;
	return { closed: takesBets ? ofRunner : SLIP_WORDS.why.market, inPlay };
}

/** The player's bets at the starting price, which stand at no tick. */
function Waiting({
	bets,
	market,
	quoting,
}: {
	bets: readonly OpenBet[];
	market: Market;
	quoting: Quoting;
}): ReactElement | null {
	const waiting = bets.filter(({ onClose }) => onClose);
	if (waiting.length === 0) return null;
	return (
		<ul>
			{waiting.map((bet) => (
				<OwnOrder key={bet.betId} bet={bet} market={market} quoting={quoting} />
			))}
		</ul>
	);
}

export function Ladder({
	event,
	market,
	runner,
	stake,
	hasOwnStake = true,
	isBesideSlip = false,
	deep,
	figures,
	lastTraded,
}: {
	event: EventSummary;
	market: Market;
	runner: Runner;
	stake: LadderStake;
	/** False where ladders side by side have one field. */
	hasOwnStake?: boolean;
	/** The slip is in sight, too. */
	isBesideSlip?: boolean;
	/** Ten levels, asked for while the ladder is open. */
	deep: Depth | null;
	/** Traded volume and places in queues, asked for while the ladder is open. */
	figures: LadderFigures | null;
	lastTraded: Price | null;
}): ReactElement {
	const ladder = ladderOf(ladderTermsOf(market));
	const quoting = quotingOf(market, event);
	useFollowedMarket(market.id);
	const { closed, inPlay } = useClosed(market, runner);
	const bets = useOwnBets(market.id, runner.id);
	const source = { marketId: market.id, runnerId: runner.id, deep, lastTraded };
	const shown = useWindow(ladder, source);
	const offers = useOffers(ladder, shown.middle, source);
	const orders = useLifted(market.id, ladder, quoting);
	const { selection, pick } = usePicked(event, market, runner, quoting, stake);
	const nets = useNets(market, runner);
	const { table, place, onKeyDown } = useCells(ladder, shown.middle, orders, shown.show);
	useMiddleInSight(table, shown.middle);
	const volume = figures?.runners.find(({ runnerId }) => runnerId === runner.id)?.traded ?? [];
	const rows = ladderRows(ladder, shown.middle, volume, bets);
	const mostTraded = Math.max(1, ...rows.map(({ traded }) => traded));
	const aheadOf = new Map(figures?.places.map(({ betId, ahead }) => [betId, ahead]));
	const isPicked = selection !== null && selection.phase.kind !== 'placed';
	const isInSight = Math.abs(place.tick - shown.middle) <= TICKS_AROUND;
	const active = isInSight ? place : { tick: shown.middle, column: 'BACK' as const };
	async function cancelLifted(): Promise<void> {
		const { lifted } = orders;
		orders.letGo();
		await cancelBets(
			bets.filter(({ betId }) => lifted?.betIds.includes(betId)),
			(amount) => BET_WORDS.cancelled(formatMoney(amount)),
		);
	}
	const name = LADDER_WORDS.of(runner.name, market.name);
	return (
		<section className="ladder" aria-label={name} data-closed={closed !== null || undefined}>
			{hasOwnStake && <StakeField stake={stake} />}
			<Steps shown={shown} middle={shown.middle} />
			<div role="toolbar" aria-label={name} tabIndex={closed === null ? -1 : 0} onKeyDown={onKeyDown}>
				<table ref={table}>
					<caption className="unseen">{name}</caption>
					<Heads quoting={quoting} />
					<tbody>
						{rows.map((row) => (
							<LadderRow
								key={row.tick}
								row={row}
								quoting={quoting}
								offers={offers}
								mostTraded={mostTraded}
								aheadOf={aheadOf}
								active={row.tick === active.tick ? active.column : null}
								isLast={row.price === lastTraded}
								takesBets={closed === null}
								net={nets && hedgedNet(nets, row.price)}
								picked={isPicked && selection?.price === row.price ? selection.side : null}
								orders={orders}
								onPick={pick}
							/>
						))}
					</tbody>
				</table>
			</div>
			<Waiting bets={bets} market={market} quoting={quoting} />
			<LadderTicket
				orders={orders}
				ladder={ladder}
				quoting={quoting}
				bets={bets}
				stake={stake}
				selection={selection}
				closed={closed}
				taken={takenTerms(market, inPlay)}
				eachWay={market.eachWayDivisor ?? 0}
				isSaid={!isBesideSlip}
				onCancel={() => void cancelLifted()}
			/>
		</section>
	);
}
