/** What a server remembers of so many keys; the key that was used longest ago is forgotten when there are more. */
import { LRUCache } from 'lru-cache';

/** lru-cache's `max` would reserve the memory of all keys at each start; this one grows with the keys that come. */
export const recentlyUsed = <Key extends string | number, Value extends object | string | number | true>(
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
