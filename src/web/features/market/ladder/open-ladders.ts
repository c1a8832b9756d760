/** Opens the ladders of a market in a window of their own; the same market's again brings it to the front. */
import type { Market } from '#web/api/answers.ts';

const WIDTH_OF_ONE = 340;
const HEIGHT = 820;
/** More than these are scrolled to. */
const MOST_SIDE_BY_SIDE = 4;

export function openLadders(eventId: string, { id, runners }: Pick<Market, 'id' | 'runners'>): void {
	const width = WIDTH_OF_ONE * Math.min(MOST_SIDE_BY_SIDE, runners.length) + 32;
	window.open(`/ladders/${eventId}/${id}`, `ladders-${id}`, `popup,width=${width},height=${HEIGHT}`);
}
