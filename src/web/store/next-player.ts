/** What still shows answers of a player when another tab logs in the next one. Loaded with the hub, after the first screen. */
import { queryClient } from '#web/store/query-client.ts';
import { isLoggedIn } from '#web/store/session.ts';

// The session removes them. Who shows them is told by a reset, and asks again, as the next player.
queryClient.getQueryCache().subscribe(({ type, query }) => {
	const isShown = type === 'removed' && query.getObserversCount() > 0;
	if (isShown && query.queryKey[0] === 'player' && isLoggedIn()) query.reset();
});
