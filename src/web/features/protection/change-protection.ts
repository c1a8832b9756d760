import { inOrder, showChanged } from '#web/store/changes.ts';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { queryClient } from '#web/store/query-client.ts';

const changing = inOrder();
const { queryKey } = protectionQuery();
/** Counts when a player begins to leave, and when that is done. */
let leavings = 0;

const refreshFunds = () => void queryClient.invalidateQueries({ queryKey: ['player', 'funds'] });

/**
 * Changes limits or whatever else protects the player: one change after another, because each answer has all of them.
 * Shows the answer immediately, and requests everything that depends on it again, such as the deposit rules.
 */
export async function changeProtection(send: () => Promise<Protection>): Promise<Protection> {
	const before = leavings;
	const protection = await changing(send);
	if (leavings === before) await showChanged(queryKey, () => protection);
	// It may be from before the player left, although it comes after that.
	else void queryClient.invalidateQueries({ queryKey });
	refreshFunds();
	return protection;
}

/** Takes a break or closes the account: a player who wants to stop waits for no answer of another change. */
export async function leave(send: () => Promise<Protection>): Promise<Protection> {
	leavings += 1;
	const protection = await send();
	leavings += 1;
	await showChanged(queryKey, () => protection);
	refreshFunds();
	return protection;
}
