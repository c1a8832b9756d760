/** What tests of the wallet for outside providers ask it. Amounts are minor units. */
import { randomUUID } from 'node:crypto';
import type { Player } from '../support/server.ts';
import type { StudioSite } from './studio-site.ts';

/** A demo player's money. */
export const START = 2_000_000;

export const winOf = ({ txId, roundId }: { txId: string; roundId: string }, changes: object = {}) => ({
	txId: randomUUID(),
	refTxId: txId,
	roundId,
	amount: 25_000,
	roundClosed: true,
	...changes,
});
export const rollbackOf = ({ txId }: { txId: string }) => ({ txId: randomUUID(), refTxId: txId });

/** A fresh player with a session at the site's first game. */
export async function seatedAt(site: StudioSite): Promise<{ player: Player; session: string }> {
	const player = await site.server.demoPlayer();
	return { player, session: await site.session(player) };
}
