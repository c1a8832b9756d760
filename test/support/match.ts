/** A cricket match with one open market of two runners, as a feed would list it, for tests that bet on it. */
import { findFixture, type NewFixture } from '#server/world/fixtures/find-fixture.ts';
import { isUnfinished } from '#server/world/fixtures/fixtures.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import { type NewMarket, openMarket } from '#server/world/markets/open-market.ts';
import type { TestServer } from './server.ts';

export interface TestMatch {
	/** Moves the market through its life: turnInPlay, suspend, resume, settle. */
	market: FixtureMarket;
	/** Settles the market by its winner and ends the fixture. */
	settle(winner: number): Promise<void>;
	eventId: string;
	marketId: string;
	/** Wire ids; the first is "India", the second "Nepal", unless the test names others. */
	runnerIds: readonly [string, string];
}

const SIDES: NewMarket['runners'] = [
	{ id: 'IND', name: 'India' },
	{ id: 'NEP', name: 'Nepal' },
];

let count = 0;

/** Changes to the match that a test needs, such as its in-play delay. */
type Changes = Partial<NewFixture & Pick<NewMarket, 'runners' | 'betDelaySeconds' | 'startingPrice'>>;

export async function openTestMatch({ running }: TestServer, changes: Changes = {}): Promise<TestMatch> {
	count += 1;
	const { betDelaySeconds = 0, runners = SIDES, startingPrice, ...about } = changes;
	const { exchange, fixtures, resultProposals } = running;
	const fixture = await findFixture(fixtures, {
		sportId: 3,
		title: 'India v Nepal',
		competition: 'Test Cup',
		startsAtMs: Date.now() + 3_600_000,
		status: 'UPCOMING',
		source: 'test',
		sourceRef: `match-${count}`,
		hasTv: false,
		scoreLine: null,
		...about,
	});
	const market = await openMarket({ exchange, fixtures, resultProposals }, fixture, {
		name: 'Match Odds',
		type: 'MATCH_ODDS',
		runners,
		betDelaySeconds,
		...(startingPrice ? { startingPrice } : {}),
		rules: 'Who wins the match.',
	});
	return {
		market,
		settle: async (winner) => {
			await market.settle({ winners: [winner] });
			await fixtures.setStatus(fixture.id, 'FINISHED');
		},
		eventId: String(market.fixture.id),
		marketId: String(market.listing.id),
		runnerIds: [runners[0]?.id ?? '', runners[1]?.id ?? ''],
	};
}

/** Ends the matches that other files left on the shared server, for a file that looks at whole lists. */
export async function endMatches({ running: { fixtures } }: TestServer): Promise<void> {
	for (const fixture of fixtures.all().filter(isUnfinished)) await fixtures.setStatus(fixture.id, 'FINISHED');
}

/** Another market of the match, as a feed would list it. */
export async function openMarketOf(
	{ running }: TestServer,
	match: TestMatch,
	market: NewMarket,
): Promise<FixtureMarket> {
	const { exchange, fixtures, resultProposals } = running;
	return await openMarket({ exchange, fixtures, resultProposals }, match.market.fixture, market);
}

/** The house's quotes for one runner: ₹10,000 for backers at the price, and as much for layers at 0.10 more. */
export const quotesAround = (price: number): QuotedRunner => ({
	back: [{ price, size: 1_000_000 }],
	lay: [{ price: price + 10, size: 1_000_000 }],
});

let requests = 0;
/** An unused request id. */
export function freshRequestId(): string {
	requests += 1;
	return `test-request-${String(requests).padStart(6, '0')}`;
}

/** The body of a bet on the match's first runner, with whatever the test changes about it. */
export function betOn(match: TestMatch, changes: Record<string, unknown> = {}) {
	return {
		marketId: match.marketId,
		runnerId: match.runnerIds[0],
		side: 'BACK' as const,
		price: 2,
		stake: 100,
		clientRequestId: freshRequestId(),
		...changes,
	};
}
