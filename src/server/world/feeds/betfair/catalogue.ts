/**
 * Names for a stream's markets: the stream has only ids, and the betting service's catalogue has the names. Source: the
 * public documentation of listMarketCatalogue.
 */
import * as v from 'valibot';
import { marketType } from '#engine/market-types/all-market-types.ts';
import { CRICKET, FOOTBALL, HORSE_RACING, KABADDI, type SportId, TENNIS } from '#values/sports.ts';

/** Sports by Betfair's event types. */
const SPORT_OF_EVENT_TYPE: Record<string, SportId> = {
	'1': FOOTBALL,
	'2': TENNIS,
	'4': CRICKET,
	'7': HORSE_RACING,
	'27454571': KABADDI,
};

/** Our market types by Betfair's. */
const MARKET_TYPES: Record<string, { type: string; handicapQuarters?: number }> = {
	MATCH_ODDS: { type: 'MATCH_ODDS' },
	TO_WIN_THE_TOSS: { type: 'TO_WIN_THE_TOSS' },
	COMPLETED_MATCH: { type: 'COMPLETED_MATCH' },
	TIED_MATCH: { type: 'TIED_MATCH' },
	SET_WINNER: { type: 'SET_WINNER' },
	CORRECT_SCORE: { type: 'CORRECT_SCORE' },
	TOURNAMENT_WINNER: { type: 'OUTRIGHT' },
	WIN: { type: 'WIN' },
	PLACE: { type: 'PLACE' },
	...Object.fromEntries(
		[0, 1, 2, 3, 4, 5, 6, 7, 8].map((goals) => [
			`OVER_UNDER_${goals}5`,
			{ type: 'OVER_UNDER', handicapQuarters: goals * 4 + 2 },
		]),
	),
};

const CatalogueAnswer = v.array(
	v.object({
		marketId: v.string(),
		marketName: v.string(),
		eventType: v.object({ id: v.string() }),
		competition: v.optional(v.object({ name: v.string() })),
		event: v.object({ id: v.string(), name: v.string() }),
		runners: v.array(
			v.object({
				selectionId: v.number(),
				runnerName: v.string(),
				metadata: v.optional(v.record(v.string(), v.nullable(v.string()))),
			}),
		),
	}),
);

interface ListedRunner {
	name: string;
	jockey?: string;
	draw?: number;
}

/** A market of Betfair's catalogue, in our types. */
interface ListedMarket {
	marketId: string;
	name: string;
	sportId: SportId;
	competition: string;
	eventId: string;
	eventTitle: string;
	/** By selection id. */
	runners: Map<number, ListedRunner>;
}

export interface CatalogueOptions {
	/** URL of the betting service, without the operation. */
	url: string;
	appKey: string;
	session(): Promise<string>;
}

/** @returns null for an unknown market or sport @throws Error if the service does not answer */
export async function findListedMarket(options: CatalogueOptions, marketId: string): Promise<ListedMarket | null> {
	const response = await fetch(`${options.url}/listMarketCatalogue/`, {
		method: 'POST',
		headers: {
			'Content-Type': 'application/json',
			Accept: 'application/json',
			'X-Application': options.appKey,
			'X-Authentication': await options.session(),
		},
		body: JSON.stringify({
			filter: { marketIds: [marketId] },
			maxResults: 1,
			marketProjection: ['EVENT', 'EVENT_TYPE', 'COMPETITION', 'RUNNER_DESCRIPTION', 'RUNNER_METADATA'],
		}),
		signal: AbortSignal.timeout(10_000),
	});
	if (!response.ok) throw new Error(`the catalogue answered ${response.status}`);
	const [found] = v.parse(CatalogueAnswer, await response.json());
	const sportId = sportOfEventType(found?.eventType.id);
	if (!found || sportId === null) return null;
	return {
		marketId: found.marketId,
		name: found.marketName,
		sportId,
		competition: found.competition?.name ?? '',
		eventId: found.event.id,
		eventTitle: found.event.name,
		runners: new Map(found.runners.map((runner) => [runner.selectionId, listedRunner(runner)])),
	};
}

function listedRunner({
	runnerName,
	metadata,
}: v.InferOutput<typeof CatalogueAnswer>[number]['runners'][number]): ListedRunner {
	const draw = Number(metadata?.['STALL_DRAW'] ?? Number.NaN);
	return {
		name: runnerName,
		...(metadata?.['JOCKEY_NAME'] ? { jockey: metadata['JOCKEY_NAME'] } : {}),
		...(Number.isInteger(draw) ? { draw } : {}),
	};
}

/** Our sport for an event type of Betfair's, or null. */
export const sportOfEventType = (betfairType: string | undefined): SportId | null =>
	SPORT_OF_EVENT_TYPE[betfairType ?? ''] ?? null;

/** Betfair's market types that are listed here. */
export const LISTED_TYPES: readonly string[] = Object.keys(MARKET_TYPES);

/** Our market type for one of Betfair's. Null if there is none, or if it is not decided by naming winners: a stream names no more. */
export function marketTypeOf(
	betfairType: string | null | undefined,
): { type: string; handicapQuarters?: number } | null {
	const kind = MARKET_TYPES[betfairType ?? ''];
	if (!kind) return null;
	return marketType(kind.type).decidedByWinners({ runners: 2, ...kind }) ? kind : null;
}
