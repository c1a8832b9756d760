/**
 * The fixtures of a live stream: which of them a market belongs to, when they start and end, and that an operator's
 * abandonment of one holds. The markets of a match are one fixture. The races of a day at a course are one event of the
 * stream, and a fixture each.
 */
import type pg from 'pg';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { mirrors } from '#server/world/feeds/betfair/mirrored-market.ts';
import type { StreamDefinition } from '#server/world/feeds/betfair/stream-market.ts';
import type { FeedParts } from '#server/world/feeds/feed.ts';
import { writeProgress } from '#server/world/feeds/feed-progress.ts';
import { type Fixture, isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { abandonFixture } from '#server/world/markets/abandon-fixture.ts';
import { type FixtureMarket, RETRACTED } from '#server/world/markets/fixture-market.ts';
import { raceTitle, retimedTitle } from '#sports/racing/race-time.ts';
import type { FixtureId } from '#values/ids.ts';
import { DECIDED_STATUSES } from '#values/market-statuses.ts';
import { HORSE_RACING, type SportId } from '#values/sports.ts';

const SOURCE = 'betfair';

interface FixtureParts extends FeedParts {
	db: pg.Pool;
}

/** A market of the stream that has no fixture here yet, by its names in the catalogue. */
interface StreamedMarket {
	/** The stream's. */
	marketId: string;
	name: string;
	sportId: SportId;
	competition: string;
	eventId: string;
	eventTitle: string;
	definition: StreamDefinition;
}

export class MirroredFixtures {
	readonly #parts: FixtureParts;
	/** By event: its markets join their fixtures one at a time. */
	readonly #turns = new Turns();
	/** An operator abandoned them, before their markets have ended. */
	readonly #abandoned = new Set<FixtureId>();

	constructor(parts: FixtureParts) {
		this.#parts = parts;
	}

	/** Completes abandonments that a kill interrupted. Can be repeated. */
	async open(): Promise<void> {
		const unfinished = this.#ours().filter(isUnfinished);
		const { rows } = await this.#parts.db.query<{ ref: string }>(
			`select source_ref as ref from feed_progress
			 where source = $1 and source_ref = any($2) and progress -> 'abandoned' = 'true'`,
			[SOURCE, unfinished.map(({ sourceRef }) => sourceRef)],
		);
		for (const fixture of unfinished.filter(({ sourceRef }) => rows.some(({ ref }) => ref === sourceRef))) {
			this.#abandoned.add(fixture.id);
			await abandonFixture(this.#parts, fixture);
		}
	}

	/** The stream no longer moves the markets of this fixture. */
	isAbandoned({ id, status }: Fixture): boolean {
		return status === 'ABANDONED' || this.#abandoned.has(id);
	}

	/** Stored before it is carried out, so that a restarted server completes it. */
	async noteAbandoned({ id, source, sourceRef }: Fixture): Promise<void> {
		await writeProgress(this.#parts.db, source, sourceRef, { abandoned: true });
		this.#abandoned.add(id);
	}

	/** Ends the fixture and its markets, after those that are about to join it. */
	async abandon(fixture: Fixture): Promise<void> {
		await this.#turns.take(eventOf(fixture), () => abandonFixture(this.#parts, fixture));
	}

	/**
	 * Finds the fixture of a market, or adds it, and lists the market there.
	 * @param list lists it under that name, unique in the fixture
	 * @returns null where it is not listed: its match was abandoned, or it comes after its betting has ended
	 */
	async join<Listed>(
		market: StreamedMarket,
		list: (fixture: Fixture, name: string) => Promise<Listed>,
	): Promise<Listed | null> {
		return await this.#turns.take(market.eventId, async () => {
			const fixture = await this.#fixtureOf(market);
			if (!fixture || this.isAbandoned(fixture)) return null;
			return await list(fixture, this.#nameIn(fixture, market));
		});
	}

	async #fixtureOf(market: StreamedMarket): Promise<Fixture | null> {
		const { marketId, eventId, sportId, definition } = market;
		const { fixtures } = this.#parts;
		const ownRef = `${eventId}#${marketId}`;
		// They are brought into memory with their markets, even if they ended long ago.
		const own = await fixtures.bySource(SOURCE, ownRef);
		const ofEvent = await fixtures.bySource(SOURCE, eventId);
		const lister = this.#ours().find(({ id }) => fixtures.markets(id).some((one) => mirrors(one, marketId)));
		// Without the market, a kill interrupted its listing, which is completed.
		if (lister ?? own) return lister ?? own;
		if (definition.status === 'CLOSED') return null;
		const isRace = sportId === HORSE_RACING;
		const startsAtMs = Date.parse(definition.marketTime);
		const played = this.#ours().filter((fixture) => eventOf(fixture) === eventId);
		const same = isRace ? played.filter((fixture) => fixture.startsAtMs === startsAtMs) : played;
		if (same.some((fixture) => this.isAbandoned(fixture))) return null;
		// One that has ended stays ended: players read its result as the last word. A later market has a fixture of its own.
		const joined = same.find(isUnfinished);
		return joined ?? (await this.#add(market, isRace || ofEvent ? ownRef : eventId, startsAtMs));
	}

	async #add({ sportId, eventTitle, competition }: StreamedMarket, sourceRef: string, startsAtMs: number) {
		return await this.#parts.fixtures.add({
			sportId,
			title: sportId === HORSE_RACING ? raceTitle(eventTitle, startsAtMs) : eventTitle,
			competition,
			startsAtMs,
			status: 'UPCOMING',
			source: SOURCE,
			sourceRef,
			hasTv: false,
			scoreLine: null,
		});
	}

	/** A name that another market of the fixture has gets the stream's id. */
	#nameIn({ id }: Fixture, { name, marketId }: StreamedMarket): string {
		const listed = this.#listedBy(id);
		const own = listed.find((one) => mirrors(one, marketId));
		if (own) return own.name;
		return listed.some((one) => one.name === name) ? `${name} (${marketId})` : name;
	}

	/** The fixture starts when the first of its markets that has no result does, until it is in play. */
	async followStart({ fixture, listing }: FixtureMarket, definition: StreamDefinition): Promise<void> {
		const { marketTime, inPlay, status } = definition;
		const { fixtures } = this.#parts;
		const startsAtMs = Date.parse(marketTime);
		if (startsAtMs === fixture.startsAtMs || fixture.status !== 'UPCOMING' || inPlay || status === 'CLOSED') return;
		const first = this.#listedBy(fixture.id).find((one) => !this.#hasResult(one));
		if (first?.id !== listing.id) return;
		const title = fixture.sportId === HORSE_RACING ? retimedTitle(fixture.title, startsAtMs) : fixture.title;
		if (title !== fixture.title) await fixtures.setTitle(fixture.id, title, fixture.competition);
		await fixtures.setStart(fixture.id, startsAtMs);
	}

	/** A fixture ends with the last result of its markets. */
	async finish({ id }: Fixture): Promise<void> {
		if (this.#listedBy(id).every((listing) => this.#hasResult(listing)))
			await this.#parts.fixtures.setStatus(id, 'FINISHED');
	}

	/** The markets of a fixture that the stream gave it, in the order of their listing. */
	#listedBy(fixtureId: FixtureId): MarketListing[] {
		return this.#parts.fixtures.markets(fixtureId).filter(({ byOperator }) => !byOperator);
	}

	/** Decided, or closed by a result that members have to confirm. */
	#hasResult({ id, feedResult }: MarketListing): boolean {
		const status = this.#parts.exchange.market(id)?.status ?? '';
		return DECIDED_STATUSES.has(status) || (status === 'CLOSED' && (feedResult ?? RETRACTED) !== RETRACTED);
	}

	#ours(): Fixture[] {
		return this.#parts.fixtures.all().filter(isMirrored);
	}
}

export const isMirrored = ({ source }: Pick<Fixture, 'source'>): boolean => source === SOURCE;

/** The stream's id of its event; what follows is the market that the fixture was added for. */
const eventOf = ({ sourceRef }: Fixture): string => sourceRef.split('#')[0] ?? '';
