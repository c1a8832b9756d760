/**
 * Commands that concern every bet of a market take one long turn of the event loop, and an exchange that is in it writes
 * no heartbeat. It announces such a command in the lease before it applies it, so that standbys do not take it for dead.
 */
import type { Request } from '#server/exchange/exchange.ts';

/** Fewer bets make no long turn, even when a hundred such markets end at once. */
const FEWEST_BETS = 100;
/** Three times what a settlement takes for a bet, its rows included. */
const MS_A_BET = 0.05;

/**
 * The milliseconds that a command may keep the process from everything else; 0 for most commands.
 */
export function longTurnMs(request: Request): number {
	const bets = betsConcerned(request);
	return bets < FEWEST_BETS ? 0 : Math.ceil(bets * MS_A_BET);
}

function betsConcerned(request: Request): number {
	switch (request.kind) {
		case 'reopen-market':
			return request.bets.length;
		case 'resettle-market':
			return 2 * request.bets.length;
		case 'void-matches':
			// A market that is settled is reopened and settled again.
			return request.matches.length + 2 * (request.settlement?.bets.length ?? 0);
		default:
			return 0;
	}
}
