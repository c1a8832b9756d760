/** What has happened when a market is not as it was on the screen of the trader who prices it. */
import { Failure } from '#console/api/operate.ts';

const MOVED_ON = new Failure(
	'WRONG_MARKET_STATE',
	'It was suspended since you looked, so your prices were not taken. It stands as shown now: price it again to open it.',
);

export const movedOn = (error: Error | null): Error | null =>
	error instanceof Failure && error.code === 'WRONG_MARKET_STATE' ? MOVED_ON : error;
