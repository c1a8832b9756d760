/** Acts on markets: their state, their results, and reversals. */

import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import { settledBy } from '#engine/market-types/settled-by.ts';
import type { Request } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { marketView } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { closeFinding } from '#server/operators/feed-findings.ts';
import { fixtureOf, listingOf, runnerOf, stateOf } from '#server/operators/named-market.ts';
import { openMarket } from '#server/operators/open-market.ts';
import { reopenMarket } from '#server/operators/reopen-market.ts';
import {
	type Correction,
	correctionPreview,
	correctReduction,
	type OtherResult,
	resettle,
	resettlementPreview,
} from '#server/operators/resettlement.ts';
import { removalPreview, reopenPreview, settlementPreview, voidPreview } from '#server/operators/result-previews.ts';
import { areAllVoid, playersIn, voidBets } from '#server/operators/void-bets.ts';
import { voidBetsPreview } from '#server/operators/void-preview.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { DECIDED_STATUSES } from '#values/market-statuses.ts';

type SettleInput = v.InferOutput<OperatorCalls['settle']['input']>;

/** The settlement command's fields besides its market. @throws Refused UNKNOWN_RUNNER, INCOMPLETE_RESULT */
function resultOf(listing: MarketListing, input: SettleInput): { results: RunnerResult[]; places?: number } {
	const { winners, placed, tied, void: voided, places, value, results: given } = input;
	const named = winners.length + placed.length + tied.length + voided.length;
	const ofPlaces = places === undefined ? {} : { places };
	if (given !== undefined) {
		if (named > 0 || value !== undefined || given.length !== listing.runners.length)
			throw new Refused('INCOMPLETE_RESULT');
		return { results: given, ...ofPlaces };
	}
	if (value !== undefined) {
		if (named > 0) throw new Refused('INCOMPLETE_RESULT');
		return { results: resultsOfNumber(listing, value) };
	}
	const results = listing.runners.map((): RunnerResult => 'LOSE');
	for (const name of winners) results[runnerOf(listing, name)] = 'WIN';
	for (const name of placed) results[runnerOf(listing, name)] = 'PLACED';
	for (const name of tied) results[runnerOf(listing, name)] = 'TIE';
	for (const name of voided) results[runnerOf(listing, name)] = 'VOID';
	return { results, ...ofPlaces };
}

/** @throws Refused INCOMPLETE_RESULT for a market that is not decided by a number */
function resultsOfNumber(listing: MarketListing, value: number): RunnerResult[] {
	const results =
		listing.lines || listing.lineRange
			? marketType(listing.type).resultOf({ value }, { ...listing, runners: listing.runners.length })
			: null;
	if (!results) throw new Refused('INCOMPLETE_RESULT');
	return results;
}

type ResettleInput = v.InferOutput<OperatorCalls['resettle']['input']>;

/** @throws Refused UNKNOWN_RUNNER, INCOMPLETE_RESULT */
function otherResultOf(listing: MarketListing, { isVoid, ...input }: ResettleInput): OtherResult {
	const { winners, placed, tied, void: voided, value, results } = input;
	if (!isVoid) return resultOf(listing, input);
	if (winners.length + placed.length + tied.length + voided.length > 0 || value !== undefined || results !== undefined)
		throw new Refused('INCOMPLETE_RESULT');
	return null;
}

type RemovalInput = v.InferOutput<OperatorCalls['remove-runner']['input']>;

/** @throws Refused UNKNOWN_RUNNER */
const correctionOf = (listing: MarketListing, { runner, reduction }: RemovalInput): Correction => ({
	runner: runnerOf(listing, runner),
	reductionBp: Math.round(reduction * 100),
});

function isPaidBy({ exchange }: OperatorOptions, listing: MarketListing, result: OtherResult): boolean {
	const market = exchange.market(listing.id);
	// A settlement that is under way cannot be stopped any more.
	const by = market && DECIDED_STATUSES.has(market.status) ? settledBy(market) : null;
	if (!by?.results || !result) return by !== null && !by.results && !result;
	const { numberOfWinners } = listing;
	const isSame = String(by.results) === String(result.results);
	return isSame && (by.places ?? numberOfWinners) === (result.places ?? numberOfWinners);
}

/** An act on a market; its id is added to the input. */
type MarketAct = Request extends infer R
	? R extends { marketId: MarketId; kind: string }
		? Omit<R, 'marketId'>
		: never
	: never;

async function onMarket(parts: OperatorOptions, marketId: string, what: MarketAct) {
	const listing = await listingOf(parts, marketId);
	await parts.exchange.submit({ ...what, marketId: listing.id } as Request);
	return stateOf(parts, listing);
}

const onRunner = async (
	parts: OperatorOptions,
	{ marketId, runner }: { marketId: string; runner: string },
	what: { kind: 'suspend-runner' | 'resume-runner' | 'return-runner'; seenVersion?: number },
) => onMarket(parts, marketId, { ...what, runner: runnerOf(await listingOf(parts, marketId), runner) });

export const MARKET_ACTS: ActsOf<
	| 'open-market'
	| 'abandon'
	| 'stream'
	| 'markets'
	| 'suspend'
	| 'turn-in-play'
	| 'resume'
	| 'close'
	| 'suspend-runner'
	| 'resume-runner'
	| 'remove-runner'
	| 'return-runner'
	| 'correct-reduction'
	| 'resettle'
	| 'settle'
	| 'void'
	| 'reopen'
	| 'close-finding'
	| 'void-bets'
> = {
	'open-market': openMarket,
	abandon: async ({ eventId }, parts) => {
		const fixture = fixtureOf(parts, eventId);
		if (fixture.status === 'FINISHED' || fixture.status === 'ABANDONED') throw new Refused('WRONG_MARKET_STATE');
		await parts.markets.abandon(fixture);
		const markets = parts.fixtures.markets(fixture.id).map((listing) => {
			const { marketId, market, status } = stateOf(parts, listing);
			return { marketId, market, status };
		});
		return { eventId, event: fixture.title, status: fixture.status, markets };
	},
	stream: async ({ eventId, address }, parts) => {
		const fixture = fixtureOf(parts, eventId);
		await parts.fixtures.setStream(fixture.id, address ?? null);
		return { eventId, event: fixture.title, stream: address ?? null };
	},
	markets: (_, { fixtures, exchange }) =>
		fixtures.all().flatMap((fixture) =>
			fixtures.markets(fixture.id).map((listing) => {
				const { id, name, status, inPlay, runners } = marketView(listing, exchange.market(listing.id));
				return {
					marketId: id,
					eventId: String(fixture.id),
					event: fixture.title,
					market: name,
					status,
					inPlay,
					runners,
				};
			}),
		),
	suspend: ({ marketId, lapse, ballRunning }, parts) =>
		onMarket(parts, marketId, {
			kind: 'suspend-market',
			lapseUnmatched: lapse ?? false,
			...(ballRunning ? { ballRunning } : {}),
		}),
	'turn-in-play': ({ marketId }, parts) => onMarket(parts, marketId, { kind: 'turn-in-play' }),
	resume: ({ marketId, seenVersion }, parts) =>
		onMarket(parts, marketId, { kind: 'resume-market', ...(seenVersion === undefined ? {} : { seenVersion }) }),
	close: ({ marketId }, parts) => onMarket(parts, marketId, { kind: 'close-market' }),
	'suspend-runner': (input, parts) => onRunner(parts, input, { kind: 'suspend-runner' }),
	'resume-runner': ({ seenVersion, ...input }, parts) =>
		onRunner(parts, input, { kind: 'resume-runner', ...(seenVersion === undefined ? {} : { seenVersion }) }),
	'remove-runner': async (input, parts) =>
		onMarket(parts, input.marketId, {
			kind: 'remove-runner',
			...correctionOf(await listingOf(parts, input.marketId), input),
		}),
	'return-runner': (input, parts) => onRunner(parts, input, { kind: 'return-runner' }),
	'correct-reduction': async (input, parts) => {
		const listing = await listingOf(parts, input.marketId);
		await correctReduction(parts, listing, correctionOf(listing, input));
		return stateOf(parts, listing);
	},
	resettle: async (input, parts) => {
		const listing = await listingOf(parts, input.marketId);
		await resettle(parts, listing, otherResultOf(listing, input));
		return stateOf(parts, listing);
	},
	settle: async (input, parts, _, { seen } = {}) => {
		const result = resultOf(await listingOf(parts, input.marketId), input);
		return onMarket(parts, input.marketId, { kind: 'settle-market', ...result, ...(seen ? { seen } : {}) });
	},
	void: ({ marketId }, parts, _, { seen } = {}) =>
		onMarket(parts, marketId, { kind: 'void-market', ...(seen ? { seen } : {}) }),
	reopen: async ({ marketId }, parts) => {
		const listing = await listingOf(parts, marketId);
		await reopenMarket(parts.db, parts.exchange, listing.id);
		return stateOf(parts, listing);
	},
	'close-finding': ({ findingId }, parts, by) => closeFinding(parts, findingId, by),
	'void-bets': (input, parts) => voidBets(parts, input),
};

/** The reduction factor in basis points of a removed runner; null of one that runs. */
function removedWith({ exchange }: OperatorOptions, marketId: MarketId, runner: number): number | null {
	const { removed = [] } = exchange.market(marketId) ?? {};
	return removed.find(([gone]) => gone === runner)?.[1] ?? null;
}

/** Whether the runner is removed with that reduction. */
async function isRemoved(input: RemovalInput, parts: OperatorOptions): Promise<boolean> {
	const listing = await listingOf(parts, input.marketId);
	const { runner, reductionBp } = correctionOf(listing, input);
	return removedWith(parts, listing.id, runner) === reductionBp;
}

export const MARKET_PREVIEWS: PreviewsOf<
	'remove-runner' | 'return-runner' | 'correct-reduction' | 'resettle' | 'settle' | 'void' | 'reopen' | 'void-bets'
> = {
	'remove-runner': {
		preview: async ({ marketId, runner, reduction }, parts) => {
			const listing = await listingOf(parts, marketId);
			return removalPreview(parts, listing, { runner: runnerOf(listing, runner), reduction });
		},
		isDone: isRemoved,
	},
	'return-runner': {
		preview: async ({ marketId, runner }, parts) => {
			const listing = await listingOf(parts, marketId);
			return removalPreview(parts, listing, { runner: runnerOf(listing, runner), reduction: null });
		},
		isDone: async ({ marketId, runner }, parts) => {
			const listing = await listingOf(parts, marketId);
			return removedWith(parts, listing.id, runnerOf(listing, runner)) === null;
		},
	},
	'correct-reduction': {
		preview: async (input, parts) => {
			const listing = await listingOf(parts, input.marketId);
			return await correctionPreview(parts, listing, correctionOf(listing, input));
		},
		isDone: isRemoved,
	},
	resettle: {
		preview: async (input, parts) => {
			const listing = await listingOf(parts, input.marketId);
			return await resettlementPreview(parts, listing, otherResultOf(listing, input));
		},
		isDone: async (input, parts) => {
			const listing = await listingOf(parts, input.marketId);
			return isPaidBy(parts, listing, otherResultOf(listing, input));
		},
	},
	settle: {
		preview: async (input, parts) => {
			const listing = await listingOf(parts, input.marketId);
			return await settlementPreview(parts, listing, resultOf(listing, input));
		},
		isDone: async (input, parts) => {
			const listing = await listingOf(parts, input.marketId);
			return isPaidBy(parts, listing, resultOf(listing, input));
		},
	},
	void: {
		preview: async ({ marketId }, parts) => voidPreview(parts, await listingOf(parts, marketId)),
		isDone: async ({ marketId }, parts) => isPaidBy(parts, await listingOf(parts, marketId), null),
	},
	reopen: {
		preview: async ({ marketId }, parts) => reopenPreview(parts, await listingOf(parts, marketId)),
		isDone: ({ marketId }, { exchange }) => exchange.market(Number(marketId))?.status === 'CLOSED',
	},
	'void-bets': {
		preview: (input, parts) => voidBetsPreview(parts, input),
		isDone: (input, parts) => areAllVoid(parts, input),
		accounts: (input, parts) => playersIn(parts, input),
	},
};
