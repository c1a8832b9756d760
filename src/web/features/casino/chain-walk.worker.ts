/** Hashes back from a round to the hash that was published before the first one. */
import { previousHash } from '#games/crash/crash-result.ts';

/** Hashes between two messages. */
const STRIDE = 20_000;

onmessage = ({ data }: MessageEvent<{ hash: string; position: number }>) => {
	let { hash } = data;
	for (let at = data.position; at > 0; at--) {
		hash = previousHash(hash);
		if (at % STRIDE === 0) postMessage({ at, reached: null });
	}
	postMessage({ at: 0, reached: hash });
};
