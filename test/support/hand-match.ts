/** A football match by hand with one market of three runners, which matches across them or not. */
import type { TestServer } from './server.ts';

export interface HandMatch {
	eventId: string;
	marketId: string;
	version: number;
}

let matches = 0;

export async function openHandMatch(server: TestServer, crossMatching: boolean): Promise<HandMatch> {
	const { eventId } = await server.act<{ eventId: string }>('event-add', {
		sport: 'football',
		competition: 'City League',
		firstSide: 'Reds',
		secondSide: `Blues ${++matches}`,
		startsAt: '2031-03-01T14:00:00.000Z',
	});
	const asked = { eventId, template: 'Match Odds', crossMatching };
	return { eventId, ...(await server.act<Omit<HandMatch, 'eventId'>>('event-open-market', asked)) };
}
