/**
 * The site's queries and their cache: one entry per call. Keys of a player's own answers start with 'player', so that
 * they go with the login.
 */

import { queryOptions } from '@tanstack/react-query';
import type { OpenBets, PricedEvent } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { FIRST_ANSWER_FIELDS } from '#web/api/first-calls.ts';
import { writeStoredJson } from '#web/api/storage.ts';
import { type AnswerOf, toWire } from '#web/api/units.ts';
import { askList, listPollMs, listStaleMs } from '#web/store/fixture-lists.ts';
import { markProfitLoss } from '#web/store/profit-loss-change.ts';
import { storeSportTree } from '#web/store/sport-tree.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

const TREE_KEY = ['sport-tree'] as const;
export const sportTreeQuery = () =>
	queryOptions({
		queryKey: TREE_KEY,
		queryFn: async ({ signal }) => {
			const tree = await askList(TREE_KEY, 'treeSportWithEvent', {}, { signal });
			storeSportTree(tree);
			return tree;
		},
		refetchInterval: listPollMs,
		staleTime: listStaleMs,
	});

/** As many events as one answer may hold. */
const PAGE = 100;

const CLOSEST_KEY = ['closest'] as const;
/** Every event in play and to come, over all sports, page by page. */
export const closestQuery = () =>
	queryOptions({
		queryKey: CLOSEST_KEY,
		queryFn: async ({ signal }) => {
			// By id: an event that starts between two pages moves up and would come twice.
			const events = new Map<string, PricedEvent>();
			for (let skip = 0; ; skip += PAGE) {
				const input = { take: String(PAGE), skip: String(skip) };
				const page = await askList(CLOSEST_KEY, 'closest', input, { signal, isFirst: skip === 0 });
				for (const event of page) events.set(event.id, event);
				if (page.length < PAGE) return [...events.values()];
			}
		},
		refetchInterval: listPollMs,
		staleTime: listStaleMs,
	});

/** The first events of each sport. */
export const closestOfEachSportQuery = (perSport: number) =>
	queryOptions({
		queryKey: ['closest', perSport],
		queryFn: ({ signal, queryKey }) =>
			askList(queryKey, 'closest', { take: String(PAGE), perSport: String(perSport) }, { signal }),
		refetchInterval: listPollMs,
		staleTime: listStaleMs,
	});

export const sportEventsQuery = (sportName: string) =>
	queryOptions({
		queryKey: ['sport-events', sportName],
		queryFn: ({ signal, queryKey }) => askList(queryKey, 'getBySportName', { sportName }, { signal }),
		refetchInterval: listPollMs,
		staleTime: listStaleMs,
	});

export const eventMarketsQuery = (eventId: string) =>
	queryOptions({
		queryKey: ['event-markets', eventId],
		queryFn: ({ signal }) => call('getMarketsByEventId', { eventId }, { signal }),
	});

type Score = AnswerOf<'getScoreCard'>;

/** An older score never overwrites a newer, whichever way it came. */
export const newerScore = (held: Score | undefined, next: Score): Score =>
	held && held.version > (next?.version ?? 0) ? held : next;

export const scoreCardQuery = (eventId: string) =>
	queryOptions({
		queryKey: ['score-card', eventId],
		queryFn: async ({ signal, client, queryKey }) => {
			const answer = await call('getScoreCard', { eventId }, { signal });
			return newerScore(client.getQueryData<Score>(queryKey), answer);
		},
		staleTime: 60_000,
	});

/** All open bets, page by page, because a market's results depend on every bet in it. */
async function allOpenBets(signal: AbortSignal): Promise<OpenBets> {
	const first = await call('getUserOpenBets', {}, { signal });
	const bets = new Map(first.openBets.map((bet) => [bet.betId, bet]));
	for (let seen = first.openBets.length; seen < first.totalCount; ) {
		const { openBets } = await call('getUserOpenBets', { skipCount: String(seen) }, { signal });
		if (openBets.length === 0) break;
		// A bet placed in between shifts the pages; the later copy of a bet is the newer one.
		for (const bet of openBets) bets.set(bet.betId, bet);
		seen += openBets.length;
	}
	return { ...first, openBets: [...bets.values()] };
}

export const openBetsQuery = () =>
	queryOptions({
		queryKey: ['player', 'open-bets'],
		queryFn: async ({ signal }) => {
			const askedAt = performance.now();
			const answer = await allOpenBets(signal);
			showAnsweredWallet(answer.balance, answer.exposure, askedAt);
			writeStoredJson('OpenBets', toWire(answer, FIRST_ANSWER_FIELDS.getUserOpenBets));
			return answer;
		},
	});

export const profitLossQuery = (eventId?: string) =>
	queryOptions({
		queryKey: ['player', 'profit-loss', eventId ?? 'all'],
		queryFn: async ({ signal }) => {
			const answer = await call('getUserExpectedProfitLoss', eventId ? { eventId } : {}, { signal });
			if (!eventId) {
				markProfitLoss(answer);
				writeStoredJson('ProfitLoss', toWire(answer, FIRST_ANSWER_FIELDS.getUserExpectedProfitLoss));
			}
			return answer;
		},
	});

export const videoLinkQuery = (eventId: string) =>
	queryOptions({
		queryKey: ['video-link', eventId],
		queryFn: async ({ signal }) => {
			const link = await call('getVideoLink', { eventId }, { signal });
			writeStoredJson('tv', link);
			return link;
		},
		staleTime: 60_000,
	});
