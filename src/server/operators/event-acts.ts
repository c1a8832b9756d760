/** Acts on events that traders play by hand, and the prices of an operator's exchange market. */
import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Actor, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { isFair } from '#server/operators/bookmaker-rates.ts';
import { listingOf, stateOf } from '#server/operators/named-market.ts';
import { addProposal } from '#server/operators/proposal-rows.ts';
import { settlementPreview, voidPreview } from '#server/operators/result-previews.ts';
import type { EndedMarket, OwnFixture } from '#server/world/feeds/by-hand/own-fixtures.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import { mayCross } from '#server/world/markets/open-market.ts';
import { quotesFromChances } from '#server/world/markets/quotes-from-chances.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';
import { type AnyPrice, LADDERS, priceFromDecimal } from '#values/price-ladder.ts';

/** Levels that chances quote on each side of a runner. */
const DEPTH = 3;
const SIZE_MINOR = 1_000_000;
/** Chances are typed with a decimal or two, so their sum is about right. */
const SUM_TOLERANCE = 0.5;

const wrong = (sentence: string): Refused => new Refused('VALIDATION_FAILED', {}, sentence);

function eventView({ fixtures }: OperatorOptions, own: OwnFixture) {
	const { fixture, sport, sides, card, canUndo, templates } = own;
	const eventId = String(fixture.id);
	const listed = new Set(fixtures.markets(fixture.id).map(({ name }) => name));
	return {
		eventId,
		event: fixture.title,
		sport,
		competition: fixture.competition,
		sides: [...sides],
		status: fixture.status,
		startsAt: isoTime(fixture.startsAtMs),
		score: fixture.scoreLine ?? '',
		card: { ...card, eventId },
		version: card.version,
		canUndo,
		templates: templates
			.filter(({ closesAtStart }) => !closesAtStart || fixture.status === 'UPCOMING')
			.map(({ name, type }) => ({ name, isListed: listed.has(name), mayCross: mayCross(type) })),
	};
}

/**
 * Proposes what follows from the score, so that another member confirms it.
 * @returns false if the score does not decide the market
 */
async function proposeEnd(parts: OperatorOptions, { listing, ruling }: EndedMarket, by: Actor): Promise<boolean> {
	if (ruling === null) return false;
	const marketId = String(listing.id);
	const subject = subjectOf({ marketId });
	return await parts.subjectTurns.take(subject, async () => {
		const { rowCount } = await parts.db.query(
			`select from proposal where subject = $1 and act in ('settle', 'void') and state in ('OPEN', 'APPLYING')`,
			[subject],
		);
		if (rowCount) return true;
		const asked =
			ruling === 'VOID'
				? { act: 'void', input: { marketId } }
				: { act: 'settle', input: { marketId, results: ruling.results } };
		const look = ruling === 'VOID' ? voidPreview(parts, listing) : settlementPreview(parts, listing, ruling);
		const { basis, seen: _, ...preview } = await look;
		const reason = 'The event has ended with this score.';
		const made = { ...asked, subject, reason, preview, basis, proposed_by: by.member?.staffId ?? null };
		await addProposal(parts, made, by.actor);
		return true;
	});
}

type PriceInput = v.InferOutput<OperatorCalls['price-market']['input']>;

/** @throws Refused VALIDATION_FAILED, PRICE_NOT_ON_LADDER */
function quotesOf(listing: MarketListing, { prices, chances, margin, size: given }: PriceInput): QuotedRunner[] {
	const size: AnyMinor = given ?? SIZE_MINOR;
	const count = listing.runners.length;
	if ((prices === undefined) === (chances === undefined)) throw wrong('Give prices, or chances in their place.');
	if ((prices ?? chances)?.length !== count) throw wrong(`The market has ${count} runners.`);
	if (chances) {
		const sum = chances.reduce((total, chance) => total + chance, 0);
		const whole = 100 * listing.numberOfWinners;
		if (Math.abs(sum - whole) > SUM_TOLERANCE) throw wrong(`The chances sum up to ${whole} per cent, not ${sum}.`);
		const shares = chances.map((chance) => (chance / sum) * listing.numberOfWinners);
		return quotesFromChances(listing, shares, { depth: DEPTH, margin: margin / 100 });
	}
	const asked = (prices ?? []).map(({ back, lay }) => ({ back: onLadder(listing, back), lay: onLadder(listing, lay) }));
	const rates = asked.map(({ back, lay }) => ({
		back: back === null ? null : back - 100,
		lay: lay === null ? null : lay - 100,
	}));
	if (!isFair(rates, listing.numberOfWinners)) throw wrong('Players could win on every outcome at these prices.');
	const level = (price: AnyPrice | null) => (price === null ? [] : [{ price, size }]);
	return asked.map(({ back, lay }) => ({ back: level(back), lay: level(lay) }));
}

/** @throws Refused PRICE_NOT_ON_LADDER */
function onLadder({ type }: MarketListing, decimal: number | null): AnyPrice | null {
	if (decimal === null) return null;
	const price = priceFromDecimal(decimal);
	if (price === null || LADDERS[marketType(type).ladder].tickOf(price) < 0) throw new Refused('PRICE_NOT_ON_LADDER');
	return price;
}

export const EVENT_ACTS: ActsOf<
	| 'event-add'
	| 'event-show'
	| 'event-edit'
	| 'event-open-market'
	| 'event-start'
	| 'event-score'
	| 'event-end'
	| 'price-market'
> = {
	'event-add': async ({ firstSide, secondSide, startsAt, title, ...about }, parts, by) => {
		if (firstSide.toLowerCase() === secondSide.toLowerCase()) throw wrong('The sides have different names.');
		const sides = [firstSide, secondSide] as const;
		const made = { ...about, sides, startsAtMs: Date.parse(startsAt), title: title ?? sides.join(' v ') };
		return eventView(parts, await parts.ownFixtures.add(made, by.actor));
	},
	'event-show': async ({ eventId }, parts) => eventView(parts, await parts.ownFixtures.show(Number(eventId))),
	'event-edit': async ({ eventId, title, competition, startsAt }, parts) => {
		const names = {
			...(title === undefined ? {} : { title }),
			...(competition === undefined ? {} : { competition }),
			...(startsAt === undefined ? {} : { startsAtMs: Date.parse(startsAt) }),
		};
		return eventView(parts, await parts.ownFixtures.edit(Number(eventId), names));
	},
	'event-open-market': async ({ eventId, template, crossMatching }, parts) =>
		stateOf(parts, await parts.ownFixtures.openMarket(Number(eventId), template, crossMatching)),
	'event-start': async ({ eventId }, parts, by) =>
		eventView(parts, await parts.ownFixtures.start(Number(eventId), by.actor)),
	'event-score': async ({ eventId, ...said }, parts, by) => {
		const scored = await parts.ownFixtures.score(Number(eventId), said, by.actor);
		return { ...eventView(parts, scored), suspended: scored.suspended.length };
	},
	'event-end': async ({ eventId, isAbandoned }, parts, by) => {
		const { ownFixtures } = parts;
		const ended = await ownFixtures.end(Number(eventId), isAbandoned, by.actor);
		const undecided: string[] = [];
		for (const market of ended) if (!(await proposeEnd(parts, market, by))) undecided.push(market.listing.name);
		await ownFixtures.finish(Number(eventId), isAbandoned);
		const shown = eventView(parts, await ownFixtures.show(Number(eventId)));
		return { ...shown, proposed: ended.length - undecided.length, undecided };
	},
	'price-market': async (input, parts) => {
		const listing = await listingOf(parts, input.marketId);
		if (listing.bettingModel !== 'EXCHANGE' || listing.lineRange) throw new Refused('WRONG_MARKET_STATE');
		const quotes = quotesOf(listing, input);
		await parts.markets.price(listing, () => quotes, input.seenVersion);
		return stateOf(parts, listing);
	},
};
