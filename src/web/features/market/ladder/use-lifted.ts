/**
 * Moving the player's own orders on the ladder, by drag or by keys: the lifted orders, their current tick, and the
 * drop.
 */

import { useCallback, useEffect, useRef, useState } from 'react';
import type { Ladder } from '#values/price-ladder.ts';
import type { OpenBet, OpenBets } from '#web/api/answers.ts';
import { dropOf, type Lifted } from '#web/betting/ladder-view.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatQuote } from '#web/format.ts';
import { takesBetsNow } from '#web/live/market-now.ts';
import { replaceBets } from '#web/orders/change-bets.ts';
import { showNotice } from '#web/store/notices.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { sameLogin } from '#web/store/same-login.ts';
import { BET_WORDS, LADDER_WORDS } from '#web/texts/more.ts';

export interface LiftedOrders {
	lifted: Lifted | null;
	/** The server is asked for another price. */
	busy: boolean;
	lift: (bets: readonly OpenBet[], tick: number) => void;
	/** To a tick; on the ladder in any case. */
	aim: (tick: number) => void;
	drop: () => void;
	letGo: () => void;
}

/** Their current state: a match may have come since the last rendering. */
const betsNow = (): readonly OpenBet[] => queryClient.getQueryData<OpenBets>(openBetsQuery().queryKey)?.openBets ?? [];

/** Before the dialog hears of it, which stays open: what is given up is the move. */
function useEscape(isOn: boolean, onEscape: () => void): void {
	useEffect(() => {
		if (!isOn) return;
		const onKey = (event: KeyboardEvent) => {
			if (event.key !== 'Escape') return;
			event.stopImmediatePropagation();
			event.preventDefault();
			onEscape();
		};
		window.addEventListener('keydown', onKey, { capture: true });
		return () => window.removeEventListener('keydown', onKey, { capture: true });
	}, [isOn, onEscape]);
}

/** A drop is judged by the bets and the market at that moment, not at the time of lifting. */
export function useLifted(marketId: string, ladder: Ladder, quoting: Quoting): LiftedOrders {
	const [lifted, setLifted] = useState<Lifted | null>(null);
	const [busy, setBusy] = useState(false);
	// A drag's listeners outlive the rendering in which it began.
	const held = useRef<Lifted | null>(null);
	const isBusy = useRef(false);
	// An order dropped after the ladder was closed stays where it was.
	useEffect(() => () => void (held.current = null), []);
	function hold(next: Lifted | null): void {
		held.current = next;
		setLifted(next);
	}
	function setMoving(moving: boolean): void {
		isBusy.current = moving;
		setBusy(moving);
	}
	const letGo = useCallback(() => {
		held.current = null;
		setLifted(null);
	}, []);
	useEscape(lifted !== null, letGo);
	async function move(dropped: Lifted): Promise<void> {
		const outcome = dropOf(dropped, ladder, betsNow(), takesBetsNow(marketId));
		if (outcome.kind === 'ended') showNotice(LADDER_WORDS.ended);
		if (outcome.kind === 'closed') showNotice(LADDER_WORDS.closed, 'error');
		if (outcome.kind !== 'moves') return;
		setMoving(true);
		const isSameLogin = sameLogin();
		const refused = await replaceBets(outcome.bets, outcome.price);
		// The replaced bets have new ids: until those are known nothing else is lifted.
		await queryClient.refetchQueries({ queryKey: openBetsQuery().queryKey });
		setMoving(false);
		if (!isSameLogin()) return;
		if (refused === null) showNotice(BET_WORDS.replaced(formatQuote(outcome.price, quoting)), 'success');
		else showNotice(refused.message, 'error');
	}
	return {
		lifted,
		busy,
		lift(bets, tick) {
			const [first] = bets;
			if (!first || isBusy.current) return;
			hold({ betIds: bets.map(({ betId }) => betId), side: first.side, from: tick, to: tick });
		},
		aim(tick) {
			const to = Math.max(0, Math.min(ladder.tickCount - 1, tick));
			if (held.current && held.current.to !== to) hold({ ...held.current, to });
		},
		drop() {
			const dropped = held.current;
			hold(null);
			if (dropped) void move(dropped);
		},
		letGo,
	};
}
