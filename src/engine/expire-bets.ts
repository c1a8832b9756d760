/** Lapses the unmatched part of bets whose time is over. A market that is being settled lapses its bets itself. */
import type { ExpireBets } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';

/** Bets of one command: more of them would hold up everything else. */
const MOST_AT_ONCE = 500;

/** The earliest bets lapse first, those of the same time by their ids. */
export function expireBets(state: EngineState, { atMs }: ExpireBets & { atMs: number }, effects: Effects): Outcome {
	const { bets, positions, expiries } = state;
	const touched = new Set<number>();
	// Only bets that lapse count: another engine with the same bets may have fewer entries left over.
	for (let lapsed = 0; lapsed < MOST_AT_ONCE; ) {
		const betId = expiries.takeDue(atMs);
		if (betId === null) break;
		const bet = bets.find(betId);
		if (bet === NONE || bets.remaining(bet) === 0) continue;
		const position = bets.position(bet);
		const market = positions.marketOf(position);
		if (market.status === 'SETTLING') continue;
		const remaining = bets.remaining(bet);
		effects.betLapsed(betId, remaining, 'EXPIRED');
		state.cancelRemaining(market, bet, remaining);
		touched.add(position);
		lapsed++;
	}
	if (touched.size === 0) return refuse('NOTHING_TO_UPDATE');
	for (const position of touched) state.hold(positions.marketOf(position), position, effects);
	return DONE;
}
