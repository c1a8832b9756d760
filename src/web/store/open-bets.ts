/** Keeps the list of open bets current between two fetches: the hub's BetUpdate messages are whole bets. */

import type { HubMessages } from '#contract/hub-messages.ts';
import type { OpenBet, OpenBets } from '#web/api/answers.ts';
import type { Inside } from '#web/api/units.ts';
import { soon } from '#web/soon.ts';
import { sayOnce } from '#web/store/order-notices.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';

const OPEN: ReadonlySet<OpenBet['status']> = new Set(['PENDING', 'UNMATCHED', 'PARTIALLY_MATCHED', 'MATCHED']);

/** The list with the bet put in, replaced, or taken out once nothing of it is open; newest first. */
function withBet(bets: readonly OpenBet[], bet: OpenBet): OpenBet[] {
	const known = bets.some(({ betId }) => betId === bet.betId);
	if (!OPEN.has(bet.status)) return bets.filter(({ betId }) => betId !== bet.betId);
	return known ? bets.map((held) => (held.betId === bet.betId ? bet : held)) : [bet, ...bets];
}

/** The server calculates profit and loss; a burst of matches makes one request each 150 ms. */
const refreshProfitLoss = soon(150, () => {
	void queryClient.invalidateQueries({ queryKey: ['player', 'profit-loss'] });
});

export function receiveBetUpdate(update: Inside<HubMessages['BetUpdate']>): void {
	const { event, eventStake: _stake, reason, ...bet } = update;
	const { queryKey } = openBetsQuery();
	queryClient.setQueryData<OpenBets>(queryKey, (held) => held && { ...held, openBets: withBet(held.openBets, bet) });
	// An answer in flight may be older than this message and would overwrite it.
	if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
	refreshProfitLoss();
	const what = `${reason} ${bet.betId}`;
	if (reason === 'EXPIRED') void sayOnce(what, ({ expired }) => expired(bet.runnerName));
	if (reason === 'VOLUME_REACHED') void sayOnce(what, ({ volumeReached }) => volumeReached(bet.runnerName));
	if (event === 'SETTLED' || event === 'VOIDED' || event === 'REOPENED') {
		refreshSettled();
	}
}

/** What follows from settled bets: what is wagered of a bonus, lost of a limit and free to withdraw, too. */
const SETTLED = ['funds', 'bet-history', 'settled-profit-loss'];

/** Requests it again: after a settlement, and after a lost connection, in which one may have been missed. */
export function refreshSettled(): void {
	for (const what of SETTLED) void queryClient.invalidateQueries({ queryKey: ['player', what] });
}

/** Requests the bets again: after this page placed or cancelled one, and after a lost connection. */
export function refreshBets(): void {
	void queryClient.invalidateQueries({ queryKey: openBetsQuery().queryKey });
	refreshProfitLoss();
}
