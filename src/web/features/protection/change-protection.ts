import { inOrder, showChanged } from '#web/store/changes.ts';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { queryClient } from '#web/store/query-client.ts';

const changing = inOrder();

/**
 * Changes limits or whatever else protects the player: one change after another, because each answer has all of them.
 * Shows the answer immediately, and requests everything that depends on it again, such as the deposit rules.
 */
export async function changeProtection(send: () => Promise<Protection>): Promise<Protection> {
	const protection = await changing(send);
	await showChanged(protectionQuery().queryKey, () => protection);
	void queryClient.invalidateQueries({ queryKey: ['player', 'funds'] });
	return protection;
}
