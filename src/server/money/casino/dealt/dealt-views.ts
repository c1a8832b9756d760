/** Dealt tables on the wire: states, bets and the chips of all players. */
import type { ResultOf } from '#contract/call.ts';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Calls } from '#contract/registry.ts';
import type { ChipTerms } from '#server/money/casino/dealt/chip-risk.ts';
import type { ChipBet, ChipOutcome, DealtGame } from '#server/money/casino/dealt/dealt-game.ts';
import type { PlacedBet } from '#server/money/casino/tables/placed-bet.ts';
import type { RoundTotals, TableViews } from '#server/money/casino/tables/table-views.ts';
import { majorFromMinor } from '#values/money.ts';

export interface DealtWire {
	state: HubMessages['TableState'];
	list: HubMessages['TableBets'];
	bet: ResultOf<Calls['placeTableBet']>['bet'];
	mark: ResultOf<Calls['getTable']>['recent'][number];
}

const MOST_ROWS = 12;

const PHASES = {
	CLOSED: 'CLOSED',
	RESTING: 'RESTING',
	BETTING: 'BETTING',
	LOCKED: 'LOCKED',
	PLAYING: 'DEALING',
	DECIDED: 'DECIDED',
} as const;

export function dealtViews(game: DealtGame): TableViews<ChipTerms, DealtWire> {
	const { code, definition, windowMs } = game;
	const mark = (round: number, result: unknown) => ({ round: String(round), ...definition.markOf(result) });
	return {
		codes: { state: 'TableState', list: 'TableBets', bet: 'TableBet' },
		state: ({ phase, round, hash, result }, { version, round: name, leftMs, ...shared }) => ({
			game: code,
			version,
			round: name,
			phase: PHASES[phase],
			leftMs,
			windowMs: Math.round(windowMs / shared.speed),
			...shared,
			shown: game.shownIn(round),
			hash,
			result: result === null ? '' : definition.describe(result),
			mark: result === null ? null : mark(round, result),
		}),
		bet: (bet) => betView(code, bet),
		list: (totals, bets) => chipsView(code, totals, bets),
		mark,
		record: (bet, result) => {
			const isKnown = result !== undefined && bet.state === 'SETTLED';
			return {
				bets: betView(code, bet).bets,
				result: isKnown ? definition.describe(result) : '',
				outcome: isKnown ? result : null,
			};
		},
	};
}

function betView(game: string, bet: PlacedBet<ChipTerms>): DealtWire['bet'] {
	const { id, round, stake, payout, state, terms, outcome } = bet;
	const { payouts = [] } = (outcome ?? {}) as Partial<ChipOutcome>;
	return {
		betId: String(id),
		game,
		round: String(round),
		stake: majorFromMinor(stake),
		payout: majorFromMinor(payout),
		state: state as DealtWire['bet']['state'],
		bets: terms.bets.map(({ bet: code, stake: staked }, index) => ({
			bet: code,
			stake: majorFromMinor(staked),
			payout: majorFromMinor(payouts[index] ?? 0),
		})),
		isInterrupted: outcome?.['interrupted'] === true,
	};
}

/** The chips of all players, by player and by bet. */
function chipsView(game: string, totals: RoundTotals, bets: readonly ChipBet[]): Omit<DealtWire['list'], 'version'> {
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
	const largest = [...rows.values()].sort((one, other) => other.stake - one.stake).slice(0, MOST_ROWS);
	return {
		game,
		...totals,
		rows: largest.map(({ name, stake, payout }) => ({
			name,
			stake: majorFromMinor(stake),
			payout: majorFromMinor(payout),
		})),
		spots: [...spots].map(([bet, { players, stake }]) => ({
			bet,
			players: players.size,
			stake: majorFromMinor(stake),
		})),
	};
}
