/** A player whose open bets lack money that is free again. */
import { expect } from 'vitest';
import { betOn, openTestMatch, type TestMatch } from './match.ts';
import type { Player, TestServer } from './server.ts';
import { signUp } from './sign-up.ts';

/** What each of the two bets may lose; the player has twice as much. */
const STAKE = 10_000;

/**
 * Two lays of one match, of which one wins where the other loses, so that nothing is held for both; then one is void. Its money
 * was in a bet elsewhere, which is cancelled.
 * @param player with 20,000 and no bets: afterwards all of it is cash, and the bets lack 10,000
 * @returns the match with the lay that is left, and another one
 */
export async function leaveShort(server: TestServer, player: Player): Promise<{ match: TestMatch; other: TestMatch }> {
	const runners = ['India', 'Nepal', 'Draw'].map((name) => ({ id: name, name }));
	const [match, other] = [await openTestMatch(server, { runners }), await openTestMatch(server)];
	const { exchange } = server.running;
	const place = (by: Player, on: TestMatch, changes: Record<string, unknown>) =>
		server.result('placeBetV2', betOn(on, changes), by.token);
	for (const runnerId of ['India', 'Draw']) {
		await place(await signUp(server), match, { runnerId, stake: STAKE });
		await place(player, match, { runnerId, stake: STAKE, side: 'LAY' });
	}
	await place(player, other, { stake: 2 * STAKE });
	await exchange.submit({ kind: 'remove-runner', marketId: Number(match.marketId), runner: 2, reductionBp: 0 });
	await exchange.submit({ kind: 'cancel-all', walletId: player.userId });
	expect(server.money(player)).toEqual([2 * STAKE, 0]);
	return { match, other };
}
