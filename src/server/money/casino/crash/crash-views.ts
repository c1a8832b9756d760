/** Crash on the wire: states, ticks, bets and lists. */
import type { ResultOf } from '#contract/call.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Calls } from '#contract/registry.ts';
import type { CrashResult, Tick } from '#server/money/casino/crash/crash-game.ts';
import type { CrashBet, CrashTerms } from '#server/money/casino/crash/flight.ts';
import type { PlacedBet } from '#server/money/casino/tables/placed-bet.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { TableViews } from '#server/money/casino/tables/table-views.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { majorFromMinor } from '#values/money.ts';

export interface CrashWire {
	state: HubMessages['CrashState'];
	list: HubMessages['CrashBets'];
	bet: ResultOf<Calls['placeCrashBet']>['bet'];
	mark: ResultOf<Calls['getCrash']>['recent'][number];
}
export type CrashRowView = CrashWire['list']['rows'][number];

const MOST_ROWS = 20;

const PHASES = {
	CLOSED: 'CLOSED',
	RESTING: 'CLOSED',
	BETTING: 'BETTING',
	LOCKED: 'LOCKED',
	PLAYING: 'FLYING',
	DECIDED: 'CRASHED',
} as const;

export const crashViews = (clock: TableClock): TableViews<CrashTerms, CrashWire> => ({
	codes: { state: 'CrashState', list: 'CrashBets', bet: 'CrashBet' },
	state: ({ phase, sinceMs, bettorSeeds, hash, result }, { version, round, ...shared }) => ({
		version,
		round,
		phase: PHASES[phase],
		elapsedMs: Math.max(0, Math.floor(clock.now() - sinceMs)),
		...shared,
		bettorSeeds: [...bettorSeeds],
		hash,
		crashCents: result === null ? null : (result as CrashResult).cents,
	}),
	bet: betView,
	list: (totals, bets) => ({
		...totals,
		rows: bets
			.sort((one, other) => other.stake - one.stake || one.id - other.id)
			.slice(0, MOST_ROWS)
			.map(rowView),
	}),
	mark: (round, result) => ({ round: String(round), cents: (result as CrashResult).cents }),
	record: (bet, result) => {
		const { stake, payout, cents, autoCents, isInterrupted } = betView(bet);
		const crashCents = result === undefined ? null : (result as CrashResult).cents;
		const cashedOut = cents === null ? [] : [`Cashed out at ${multiple(cents)}`];
		const crashed = crashCents === null ? [] : [`crashed at ${multiple(crashCents)}`];
		const said = [...cashedOut, ...crashed, ...(isInterrupted ? ['interrupted'] : [])].join(', ');
		return {
			bets: [{ bet: autoCents === null ? 'crash' : `target-${autoCents}`, stake, payout }],
			result: `${said.charAt(0).toUpperCase()}${said.slice(1)}`,
			outcome: bet.state === 'OPEN' ? null : { cents, crashCents },
		};
	},
});

export function tickMessage({ round, elapsedMs, cents }: Tick): BusMessage {
	const data = { round: String(round), elapsedMs, cents, serverTime: Date.now() };
	return { code: 'CrashTick', data, key: 'crash.tick' };
}

export function betView(bet: PlacedBet<CrashTerms>): CrashWire['bet'] {
	const { id, round, slot, stake, terms, payout, outcome } = bet;
	const cents = outcome?.['cents'];
	return {
		betId: String(id),
		round: String(round),
		slot,
		stake: majorFromMinor(stake),
		autoCents: terms.autoCents,
		state: stateOf(bet),
		cents: typeof cents === 'number' ? cents : null,
		payout: majorFromMinor(payout),
		cause: typeof outcome?.['cause'] === 'string' ? outcome['cause'] : null,
		isInterrupted: outcome?.['interrupted'] === true,
	};
}

const stateOf = ({ state, payout }: PlacedBet<CrashTerms>): CrashWire['bet']['state'] => {
	if (state === 'SETTLED') return payout > 0 ? 'WON' : 'LOST';
	return state as CrashWire['bet']['state'];
};

/** A bet as all players see it. Changes that are not durable yet are not shown. */
export function rowView({ id, name, stake, isDurable, payout, outcome }: CrashBet): CrashRowView {
	const cents = isDurable ? outcome['cents'] : null;
	return {
		betId: String(id),
		name,
		stake: majorFromMinor(stake),
		cents: typeof cents === 'number' ? cents : null,
		payout: isDurable ? majorFromMinor(payout) : 0,
	};
}

const multiple = (cents: number): string => `${(cents / 100).toFixed(2)}x`;
