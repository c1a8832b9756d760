/** Crash on the wire: states, bets and lists. */
import type { ResultOf } from '#contract/call.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Calls } from '#contract/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { CrashResult } from '#server/money/casino/crash/crash-game.ts';
import type { CrashBet, CrashTerms } from '#server/money/casino/crash/flight.ts';
import type { QueuedBet } from '#server/money/casino/tables/bet-queue.ts';
import type { PlacedBet, TableState } from '#server/money/casino/tables/shared-table.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { Ticket } from '#server/money/casino/tables/table-round.ts';
import { majorFromPaise } from '#values/money.ts';

export type CrashStateView = HubMessages['CrashState'];
export type CrashBetView = ResultOf<Calls['placeCrashBet']>['bet'];
export type CrashRowView = HubMessages['CrashBets']['rows'][number];

const PHASES = {
	CLOSED: 'CLOSED',
	RESTING: 'CLOSED',
	BETTING: 'BETTING',
	LOCKED: 'LOCKED',
	PLAYING: 'FLYING',
	DECIDED: 'CRASHED',
} as const;

/** @param version rises with each change of the state */
export function stateView(state: TableState, version: number, clock: TableClock): CrashStateView {
	const nowMs = clock.now();
	const { phase, round, sinceMs, untilMs, commitment, bettorSeeds, hash, result } = state;
	return {
		version,
		round: String(round),
		phase: PHASES[phase],
		elapsedMs: Math.max(0, Math.floor(nowMs - sinceMs)),
		leftMs: untilMs === null ? null : Math.max(0, Math.ceil((untilMs - nowMs) / clock.speed)),
		speed: clock.speed,
		serverTime: Date.now(),
		commitment,
		bettorSeeds: [...bettorSeeds],
		hash,
		crashCents: result === null ? null : (result as CrashResult).cents,
	};
}

/** A bet as its player sees it. */
export function betView(bet: PlacedBet<CrashTerms>): CrashBetView {
	const { id, round, slot, stake, terms, payout, outcome } = bet;
	const cents = outcome?.['cents'];
	return {
		betId: String(id),
		round: String(round),
		slot,
		stake: majorFromPaise(stake),
		autoCents: terms.autoCents,
		state: stateOf(bet),
		cents: typeof cents === 'number' ? cents : null,
		payout: majorFromPaise(payout),
		cause: typeof outcome?.['cause'] === 'string' ? outcome['cause'] : null,
		isInterrupted: outcome?.['interrupted'] === true,
	};
}

const stateOf = ({ state, payout }: Pick<PlacedBet<CrashTerms>, 'state' | 'payout'>): CrashBetView['state'] => {
	if (state === 'OPEN' || state === 'VOID') return state;
	return payout > 0 ? 'WON' : 'LOST';
};

export const waitingView = ({ id, ticket }: Omit<QueuedBet<CrashTerms>, 'leave'>): CrashBetView => ({
	betId: id,
	round: '',
	slot: ticket.slot,
	stake: majorFromPaise(ticket.stake),
	autoCents: ticket.terms.autoCents,
	state: 'WAITING',
	cents: null,
	payout: 0,
	cause: null,
	isInterrupted: false,
});

/** A bet that waited, and was refused when its round opened. */
export const refusedView = (ticket: Ticket<CrashTerms>, waiting: string): CrashBetView => ({
	...waitingView({ id: waiting, ticket }),
	state: 'VOID',
});

/** A bet as everybody sees it: what is not durable yet is not shown. */
export function rowView({ id, name, stake, isDurable, payout, outcome }: CrashBet): CrashRowView {
	const cents = isDurable ? outcome['cents'] : null;
	return {
		betId: String(id),
		name,
		stake: majorFromPaise(stake),
		cents: typeof cents === 'number' ? cents : null,
		payout: isDurable ? majorFromPaise(payout) : 0,
	};
}

/** A bet among its player's rounds. @param crashCents where its round crashed; null while it is on its way */
export function crashRoundView(
	bet: PlacedBet<CrashTerms>,
	atMs: number,
	crashCents: number | null,
): ResultOf<Calls['getRound']>['round'] {
	const { betId, round, stake, payout, state, cents, autoCents, isInterrupted } = betView(bet);
	const cashedOut = cents === null ? [] : [`Cashed out at ${multiple(cents)}`];
	const crashed = crashCents === null ? [] : [`crashed at ${multiple(crashCents)}`];
	const result = [...cashedOut, ...crashed, ...(isInterrupted ? ['interrupted'] : [])].join(', ');
	return {
		roundId: betId,
		game: 'crash',
		state: bet.state === 'OPEN' ? 'OPEN' : state === 'VOID' ? 'VOID' : 'SETTLED',
		at: isoTime(atMs),
		stake,
		payout,
		bets: [{ bet: autoCents === null ? 'crash' : `target-${autoCents}`, stake, payout }],
		actions: [],
		result: `${result.charAt(0).toUpperCase()}${result.slice(1)}`,
		outcome: bet.state === 'OPEN' ? null : { cents, crashCents },
		shown: null,
		next: [],
		pair: null,
		nonce: null,
		tableRound: round,
	};
}

const multiple = (cents: number): string => `${(cents / 100).toFixed(2)}x`;
