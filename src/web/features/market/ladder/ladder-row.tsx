import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { type Minor, minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import type { OpenBet } from '#web/api/answers.ts';
import type { LadderRow as Row } from '#web/betting/ladder-view.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import type { LadderOffers } from '#web/features/market/ladder/ladder-offers.ts';
import { OrderChip } from '#web/features/market/ladder/order-chip.tsx';
import type { LiftedOrders } from '#web/features/market/ladder/use-lifted.ts';
import { formatAmount, formatCompact, formatMoney, formatQuote } from '#web/format.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { LADDER_WORDS } from '#web/texts/more.ts';

/** From left to right; the arrow keys move along them. */
export const COLUMNS = ['OWN_BACK', 'BACK', 'LAY', 'OWN_LAY'] as const;
export type Column = (typeof COLUMNS)[number];

interface LadderRowProps {
	row: Row;
	quoting: Quoting;
	/** What is offered at the prices in sight. */
	offers: LadderOffers;
	/** The largest traded volume in sight. */
	mostTraded: number;
	/** The stake that is matched before each of the player's resting bets, as far as it is known. */
	aheadOf: ReadonlyMap<string, Minor>;
	/** The column of this row that the Tab key reaches. */
	active: Column | null;
	isLast: boolean;
	takesBets: boolean;
	/** The player's net in any case after a hedge at this price; null without a position. */
	net: Minor | null;
	/** The side picked at this price. */
	picked: Side | null;
	orders: LiftedOrders;
	onPick: (side: Side, price: Price) => void;
}

/** A press bets at this price, or drops the lifted order here. What is offered at it is written by `LadderOffers`. */
function Cell({ side, ...props }: LadderRowProps & { side: Side }): ReactElement {
	const { row, quoting, offers, active, takesBets, picked, orders, onPick } = props;
	const { tick, price } = row;
	const button = useRef<HTMLButtonElement>(null);
	const bar = useRef<HTMLElement>(null);
	const amount = useRef<HTMLElement>(null);
	useLayoutEffect(() => {
		const [word, quote] = [sideWord(side, quoting), formatQuote(price, quoting)];
		return offers.watch(side, tick, (offer) => {
			if (!button.current || !bar.current || !amount.current) return;
			const size = offer && formatCompact(offer.size);
			button.current.toggleAttribute('data-offer', offer !== null);
			// An attribute, because a text that is not seen would be laid out with each change. It has the figure that is seen, so
			// that who speaks to the page names the cell by it.
			button.current.setAttribute('aria-label', LADDER_WORDS.cell(word, quote, size));
			bar.current.style.scale = `${offer?.share ?? 0} 1`;
			amount.current.textContent = size ?? '';
		});
	}, [offers, side, tick, price, quoting]);
	return (
		// oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its label is written with the offer
		<button
			ref={button}
			type="button"
			className="ladder-cell"
			data-side={side}
			data-cell={`${tick} ${side}`}
			tabIndex={active === side ? 0 : -1}
			aria-pressed={picked === side}
			disabled={!takesBets}
			onClick={() => {
				if (!orders.lifted) return onPick(side, price);
				orders.aim(tick);
				orders.drop();
			}}
		>
			<i ref={bar} aria-hidden="true" />
			<b ref={amount} aria-hidden="true" />
		</button>
	);
}

function Own({ bets, ...props }: LadderRowProps & { bets: readonly OpenBet[]; side: Side }): ReactElement {
	const { row, side, quoting, active, orders, aheadOf } = props;
	const { lifted } = orders;
	const isTarget = lifted !== null && lifted.side === side && lifted.to === row.tick && lifted.from !== row.tick;
	const stake = bets.reduce((sum, { remainingStake }) => sum + remainingStake, 0) as Minor;
	// Of several bets, the first is matched first.
	const known = bets.flatMap(({ betId }) => aheadOf.get(betId) ?? []);
	const ahead = known.length > 0 ? minorOf(Math.min(...known)) : null;
	return (
		<td className="ladder-own" data-target={isTarget || undefined} data-side={side}>
			{bets.length > 0 && (
				<OrderChip
					bets={bets}
					tick={row.tick}
					label={LADDER_WORDS.order(
						sideWord(side, quoting),
						formatMoney(stake),
						formatQuote(row.price, quoting),
						ahead === null ? null : formatMoney(ahead),
					)}
					ahead={ahead}
					orders={orders}
					active={active === `OWN_${side}`}
				/>
			)}
		</td>
	);
}

/** A tick: the offers on either side of its price, and outermost the player's own orders. */
export function LadderRow(props: LadderRowProps): ReactElement {
	const { row, quoting, isLast, net, mostTraded } = props;
	return (
		<tr data-tick={row.tick} data-last={isLast || undefined}>
			<Own {...props} side="BACK" bets={row.backs} />
			<td>
				<Cell {...props} side="BACK" />
			</td>
			<th scope="row">
				{row.traded > 0 && <i aria-hidden="true" style={{ scale: `${row.traded / mostTraded} 1` }} />}
				<b>{formatQuote(row.price, quoting)}</b>
				{row.traded > 0 && (
					<>
						<span className="unseen">{LADDER_WORDS.traded(formatAmount(row.traded))}</span>
						<span aria-hidden="true">{formatCompact(row.traded)}</span>
					</>
				)}
			</th>
			<td>
				<Cell {...props} side="LAY" />
			</td>
			<Own {...props} side="LAY" bets={row.lays} />
			<td className="ladder-net" data-loss={(net !== null && net < 0) || undefined}>
				{net !== null && `${net < 0 ? '−' : net > 0 ? '+' : ''}${formatCompact(minorOf(Math.abs(net)))}`}
			</td>
		</tr>
	);
}
