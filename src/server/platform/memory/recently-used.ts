/** A cache with at most N keys; the least recently used key is evicted first. */
import { LRUCache } from 'lru-cache';

/** lru-cache's `max` would reserve the memory of all keys at each start; this one grows with its keys. */
export const recentlyUsed = <Key extends string | number, Value extends object | string | number | boolean>(
	most: number,
	onForgotten: (key: Key) => void = () => undefined,
): LRUCache<Key, Value> =>
	new LRUCache({
		maxSize: most,
		sizeCalculation: () => 1,
		dispose: (_, key, reason) => {
			if (reason === 'evict') onForgotten(key);
		},
	});
