import { type PointerEvent, type ReactElement, useRef } from 'react';
import { type Minor, minorOf } from '#values/money.ts';
import type { OpenBet } from '#web/api/answers.ts';
import type { LiftedOrders } from '#web/features/market/ladder/use-lifted.ts';
import { formatCompact, formatMoney } from '#web/format.ts';
import { LADDER_WORDS } from '#web/texts/more.ts';

/** Less is a press. */
const DRAG_PX = 5;
/** Within this distance of the edge of a scrolling element, a drag scrolls it. */
const EDGE_PX = 40;

const tickAt = (x: number, y: number): number | null => {
	const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-tick]');
	return row ? Number(row.dataset.tick) : null;
};

/** The nearest scrolling ancestor. */
function scrollerOf(element: Element): Element | null {
	const around = element.parentElement;
	if (!around || getComputedStyle(around).overflowY === 'auto') return around;
	return scrollerOf(around);
}

function scrollNear(box: Element | null, y: number): void {
	if (!box) return;
	const { top, bottom } = box.getBoundingClientRect();
	if (y < top + EDGE_PX) box.scrollBy(0, -8);
	if (y > bottom - EDGE_PX) box.scrollBy(0, 8);
}

/**
 * Follows a pointer until it is released, at any place and even if the chip disappears: its bets may be matched
 * meanwhile.
 */
function followDrag(begin: PointerEvent<HTMLElement>, orders: LiftedOrders, onLift: () => void): void {
	const { clientX, clientY, pointerId } = begin;
	const box = scrollerOf(begin.currentTarget);
	const listening = new AbortController();
	const { signal } = listening;
	let moved = false;
	const of = (handle: (event: globalThis.PointerEvent) => void) => (event: globalThis.PointerEvent) => {
		if (event.pointerId === pointerId) handle(event);
	};
	const onMove = of((event) => {
		if (!moved && Math.hypot(event.clientX - clientX, event.clientY - clientY) < DRAG_PX) return;
		if (!moved) onLift();
		moved = true;
		scrollNear(box, event.clientY);
		const tick = tickAt(event.clientX, event.clientY);
		if (tick !== null) orders.aim(tick);
	});
	const onUp = of(() => {
		listening.abort();
		if (moved) orders.drop();
	});
	const onCancel = of(() => {
		listening.abort();
		if (moved) orders.letGo();
	});
	window.addEventListener('pointermove', onMove, { signal });
	window.addEventListener('pointerup', onUp, { signal });
	window.addEventListener('pointercancel', onCancel, { signal });
}

/** The player's unmatched bets of one side at one price: dragged, or pressed and then moved by keys. */
export function OrderChip({
	bets,
	tick,
	label,
	ahead,
	orders,
	active,
}: {
	bets: readonly OpenBet[];
	tick: number;
	/** Read out loud. */
	label: string;
	/** The stake that is matched before them; null if it is not known. */
	ahead: Minor | null;
	orders: LiftedOrders;
	/** The one cell of the ladder that the Tab key reaches. */
	active: boolean;
}): ReactElement {
	const [first] = bets;
	const stake = minorOf(bets.reduce((sum, { remainingStake }) => sum + remainingStake, 0));
	const isLifted = orders.lifted?.from === tick && orders.lifted.side === first?.side;
	// The click after a drag is not a press.
	const dragged = useRef(false);
	return (
		<button
			type="button"
			className="ladder-order"
			data-side={first?.side}
			data-lifted={isLifted || undefined}
			data-cell={`${tick} OWN_${first?.side}`}
			tabIndex={active ? 0 : -1}
			aria-pressed={isLifted}
			disabled={orders.busy}
			title={ahead === null ? undefined : LADDER_WORDS.ahead(formatMoney(ahead))}
			onPointerDown={(event) => {
				if (event.button !== 0) return;
				dragged.current = false;
				followDrag(event, orders, () => {
					dragged.current = true;
					orders.lift(bets, tick);
				});
			}}
			onClick={() => {
				if (dragged.current) dragged.current = false;
				else if (isLifted) orders.drop();
				else orders.lift(bets, tick);
			}}
		>
			<span className="unseen">{label}</span>
			<b aria-hidden="true">{formatCompact(stake)}</b>
			{ahead !== null && <span aria-hidden="true">→ {formatCompact(ahead)}</span>}
		</button>
	);
}
