/** What the lists know of a match, so that its page is drawn with the press that opens it and not with the answer. */
import { ZERO } from '#values/money.ts';
import type { EventMarkets, PricedEvent } from '#web/api/answers.ts';
import { queryClient } from '#web/store/query-client.ts';

/** The main markets of two sides that meet, and of races; of other types the lists know too little. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['MATCH_ODDS', 'WIN']);

/** Stands for a jockey whose name comes with the market, and keeps its place. */
export const UNKNOWN_RIDER = '\u00a0';

const UNKNOWN_JOCKEY = {
	jockey: UNKNOWN_RIDER,
	silks: { pattern: 'PLAIN', body: '#8a8f98', mark: '#8a8f98', sleeves: '#8a8f98', cap: '#8a8f98' },
} as const;

function listed(eventId: string): PricedEvent | undefined {
	for (const list of ['closest', 'sport-events'])
		for (const [, events] of queryClient.getQueriesData<readonly PricedEvent[]>({ queryKey: [list] })) {
			const found = events?.find(({ id }) => id === eventId);
			if (found) return found;
		}
	return undefined;
}

/** The match with its main market alone: without limits, rules and commission, which are 0 and empty here. */
export function knownMatch(eventId: string): EventMarkets | undefined {
	const event = listed(eventId);
	const main = event?.mainMarket;
	if (!event || !main || !KNOWN_TYPES.has(main.type)) return undefined;
	return {
		event,
		markets: [
			{
				id: main.marketId,
				eventId,
				name: main.name,
				type: main.type,
				bettingModel: 'EXCHANGE',
				status: main.status,
				inPlay: main.inPlay,
				betDelaySeconds: 0,
				numberOfWinners: 1,
				minStake: ZERO,
				maxStake: ZERO,
				maxProfit: ZERO,
				commissionRate: 0,
				ladder: 'CLASSIC',
				version: 0,
				runners: main.runners.map(({ runnerId, name }, at) => ({
					id: runnerId,
					name,
					sortOrder: at + 1,
					status: 'ACTIVE',
					...(main.hasSilks ? UNKNOWN_JOCKEY : {}),
				})),
				rules: '',
			},
		],
	};
}
