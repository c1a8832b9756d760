/** What a player changes on the server: the change that was made last is the one that stays and is shown. */
import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '#web/store/query-client.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';

/**
 * Changes of one thing, each sent when the one before is answered: neither the requests nor their answers overtake each
 * other. One whose login has ended before its turn is not sent.
 */
export function inOrder(): <Answer>(send: () => Promise<Answer>) => Promise<Answer> {
	let last: Promise<unknown> = Promise.resolve();
	return (send) => {
		const step = stepsOfLogin();
		const answer = last.then(() => step(send));
		last = answer.catch(() => undefined);
		return answer;
	};
}

/** Shows the answer of a change. A query that was asked before it is dropped: its answer may be from before the change. */
export async function showChanged<Data>(queryKey: QueryKey, change: (held: Data | undefined) => Data): Promise<void> {
	await queryClient.cancelQueries({ queryKey });
	queryClient.setQueryData<Data>(queryKey, change);
}
