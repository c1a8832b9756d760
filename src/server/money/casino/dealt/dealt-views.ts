/** Dealt tables on the wire: states, bets and everybody's chips. */
import type { ResultOf } from '#contract/call.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Calls } from '#contract/registry.ts';
import type { TableGame } from '#games/game.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ChipTerms } from '#server/money/casino/dealt/chip-risk.ts';
import type { ChipBet, ChipOutcome } from '#server/money/casino/dealt/dealt-game.ts';
import type { QueuedBet } from '#server/money/casino/tables/bet-queue.ts';
import type { PlacedBet, TableState } from '#server/money/casino/tables/shared-table.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import { majorFromPaise } from '#values/money.ts';

export type TableStateView = HubMessages['TableState'];
export type TableBetView = ResultOf<Calls['placeTableBet']>['bet'];
export type TableBetsView = HubMessages['TableBets'];
export type TableMarkView = ResultOf<Calls['getTable']>['recent'][number];

const MOST_ROWS = 12;

const PHASES = {
	CLOSED: 'CLOSED',
	RESTING: 'RESTING',
	BETTING: 'BETTING',
	LOCKED: 'LOCKED',
	PLAYING: 'DEALING',
	DECIDED: 'DECIDED',
} as const;

/** @param dealt what lies on the table, and the number of changes so far */
export function stateView(
	game: TableGame,
	state: TableState,
	dealt: { shown: unknown; version: number },
	clock: TableClock,
): TableStateView {
	const { phase, round, untilMs, commitment, hash, result } = state;
	const isDecided = result !== null;
	return {
		game: game.code,
		version: dealt.version,
		round: String(round),
		phase: PHASES[phase],
		leftMs: untilMs === null ? null : Math.max(0, Math.ceil((untilMs - clock.now()) / clock.speed)),
		windowMs: Math.round(game.windowMs / clock.speed),
		speed: clock.speed,
		serverTime: Date.now(),
		commitment,
		shown: dealt.shown ?? null,
		hash,
		result: isDecided ? game.describe(result) : '',
		mark: isDecided ? markView(game, round, result) : null,
	};
}

export const markView = (game: TableGame, round: number, outcome: unknown): TableMarkView => ({
	round: String(round),
	...game.markOf(outcome),
});

/** A player's bets, as that player sees them. */
export function betView(game: string, bet: PlacedBet<ChipTerms>): TableBetView {
	const { id, round, stake, payout, state, terms, outcome } = bet;
	const { payouts = [] } = (outcome ?? {}) as Partial<ChipOutcome>;
	return {
		betId: String(id),
		game,
		round: String(round),
		stake: majorFromPaise(stake),
		payout: majorFromPaise(payout),
		state: state as TableBetView['state'],
		bets: terms.bets.map(({ bet: code, stake: staked }, index) => ({
			bet: code,
			stake: majorFromPaise(staked),
			payout: majorFromPaise(payouts[index] ?? 0),
		})),
		isInterrupted: outcome?.['interrupted'] === true,
	};
}

export const waitingView = (game: string, { id, ticket }: Omit<QueuedBet<ChipTerms>, 'leave'>): TableBetView => ({
	...betView(game, { ...ticket, id: 0, round: 0, state: 'WAITING', payout: 0, outcome: null }),
	betId: id,
	round: '',
});

/** Everybody's chips: what is not durable yet is not shown. @param bets those of one pool that stand */
export function betsView(game: string, round: number, bets: readonly ChipBet[]): Omit<TableBetsView, 'version'> {
	const rows = new Map<number, { name: string; stake: number; payout: number }>();
	const spots = new Map<string, { players: Set<number>; stake: number }>();
	for (const { player, name, stake, payout, isDurable, terms } of bets) {
		const row = rows.get(player.walletId) ?? { name, stake: 0, payout: 0 };
		row.stake += stake;
		row.payout += isDurable ? payout : 0;
		rows.set(player.walletId, row);
		for (const chip of terms.bets) {
			const spot = spots.get(chip.bet) ?? { players: new Set(), stake: 0 };
			spot.players.add(player.walletId);
			spot.stake += chip.stake;
			spots.set(chip.bet, spot);
		}
	}
	const all = [...rows.values()].sort((one, other) => other.stake - one.stake);
	return {
		game,
		round: String(round),
		players: all.length,
		stake: majorFromPaise(all.reduce((sum, { stake }) => sum + stake, 0)),
		payout: majorFromPaise(all.reduce((sum, { payout }) => sum + payout, 0)),
		rows: all.slice(0, MOST_ROWS).map(({ name, stake, payout }) => ({
			name,
			stake: majorFromPaise(stake),
			payout: majorFromPaise(payout),
		})),
		spots: [...spots].map(([bet, { players, stake }]) => ({
			bet,
			players: players.size,
			stake: majorFromPaise(stake),
		})),
	};
}

/** A player's bets among that player's rounds. @param outcome of their round; undefined while it is on its way */
export function tableRoundView(
	game: TableGame,
	bet: PlacedBet<ChipTerms>,
	atMs: number,
	outcome: unknown,
): ResultOf<Calls['getRound']>['round'] {
	const { betId, round, stake, payout, bets } = betView(game.code, bet);
	const isKnown = outcome !== undefined && bet.state === 'SETTLED';
	return {
		roundId: betId,
		game: game.code,
		state: bet.state as 'OPEN' | 'SETTLED' | 'VOID',
		at: isoTime(atMs),
		stake,
		payout,
		bets,
		actions: [],
		result: isKnown ? game.describe(outcome) : '',
		outcome: isKnown ? outcome : null,
		shown: null,
		next: [],
		pair: null,
		nonce: null,
		tableRound: round,
	};
}
