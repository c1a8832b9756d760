/**
 * Fixtures that traders play by hand: they create, start, score and end them, and no feed is needed. Each score is a row,
 * and the newest one is the score, so that any of them can be taken back and a killed server continues from it.
 *
 * A fixture of this source belongs to no feed: feeds find their fixtures by their own source's name.
 */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { type Fixture, type Fixtures, isUnfinished, type Score } from '#server/world/fixtures/fixtures.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import { mayCross } from '#server/world/markets/open-market.ts';
import type { Ruling } from '#server/world/markets/result-proposals.ts';
import { rulingOf } from '#server/world/markets/ruling-of.ts';
import { type SuspendedMarket, suspendMarkets } from '#server/world/markets/suspend-markets.ts';
import { HAND_MARKETS, scoredByHand } from '#sports/by-hand/all-by-hand.ts';
import type { HandMarket, HandTerms, Sides } from '#sports/by-hand/scored-by-hand.ts';
import type { ScoreCard } from '#sports/score-card.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { FixtureId } from '#values/ids.ts';
import { ENDED_STATUSES } from '#values/market-statuses.ts';
import type { PlayResult } from '#values/play-result.ts';
import { isScoredSport, SCORE_ACTS, type ScoredSport, UNDO } from '#values/score-acts.ts';
import { SPORTS, sportById } from '#values/sports.ts';

const SOURCE = 'by-hand';

interface NewOwnFixture extends HandTerms {
	sport: ScoredSport;
	title: string;
	competition: string;
	startsAtMs: number;
	sides: Sides;
}

/** Names that players read, and the announced start. */
type OwnFixtureNames = Pick<NewOwnFixture, 'title' | 'competition' | 'startsAtMs'>;

interface SaidScore {
	act: string;
	side: 0 | 1 | null;
	/** The version of the score that the trader saw. */
	seenVersion: number;
}

/** A fixture by hand as it stands. */
export interface OwnFixture {
	fixture: Fixture;
	sport: ScoredSport;
	sides: Sides;
	card: ScoreCard;
	/** Something can be taken back. */
	canUndo: boolean;
	templates: readonly HandMarket[];
}

/** A market of an ended fixture, and what follows from the score; null where a trader has to name the result. */
export interface EndedMarket {
	listing: MarketListing;
	ruling: Ruling | null;
}

interface ScoreRow {
	version: number;
	card: ScoreCard;
	back_to: number | null;
	clock_from: number | null;
}

interface OwnFixtureParts {
	db: pg.Pool;
	exchange: Exchange;
	fixtures: Fixtures;
	markets: Markets;
}

interface Standing extends OwnFixture {
	row: ScoreRow;
}

const wrong = (sentence: string): Refused => new Refused('VALIDATION_FAILED', {}, sentence);

export class OwnFixtures {
	readonly #parts: OwnFixtureParts;
	/** One deed at a time about a fixture, and one creation at a time. */
	readonly #turns = new Turns();

	constructor(parts: OwnFixtureParts) {
		this.#parts = parts;
	}

	/**
	 * Completes each start that a kill interrupted, and shows players the newest score of each unfinished fixture: a kill
	 * may have come between the row and its copy.
	 */
	async open(): Promise<void> {
		const { fixtures } = this.#parts;
		for (const fixture of fixtures
			.all()
			.filter(({ source }) => source === SOURCE)
			.filter(isUnfinished)) {
			await this.#turns.take(String(fixture.id), async () => {
				const standing = await this.#find(fixture.id).catch(() => null);
				if (standing && isStarting(standing)) await this.#begin(standing, 'server').catch(unlessRefused);
				else if (standing && fixtures.score(fixture.id)?.version !== standing.row.version) await this.#show(standing);
			});
		}
	}

	/**
	 * The fixture is announced without markets.
	 * @throws Refused VALIDATION_FAILED if the sport has an event of that title and start
	 */
	async add({ sport, sides, startsAtMs, title, competition, ...terms }: NewOwnFixture, actor: string) {
		const sourceRef = `${sport} ${new Date(startsAtMs).toISOString()} ${title.toLowerCase()}`;
		return await this.#turns.take('a new fixture', async () => {
			const { fixtures, db } = this.#parts;
			const known = await fixtures.bySource(SOURCE, sourceRef);
			if (known && (await this.#hasSides(known.id))) throw wrong('There is an event of that name and start.');
			// Without sides, a kill interrupted its creation, which this one completes.
			const fixture =
				known ??
				(await fixtures.add({
					sportId: SPORTS.find(({ key }) => key === sport)?.id ?? 0,
					title,
					competition,
					startsAtMs,
					status: 'UPCOMING',
					source: SOURCE,
					sourceRef,
					hasTv: false,
					scoreLine: null,
				}));
			const card = scoredByHand(sport).begin(sides, terms);
			await inTransaction(db, async (client) => {
				await client.query('insert into own_fixture (fixture_id, sides) values ($1, $2)', [
					fixture.id,
					JSON.stringify(sides),
				]);
				await insertScore(client, fixture.id, { card, act: 'BEGIN', actor, backTo: null, clockFrom: null });
			});
			await this.#show(await this.#find(fixture.id));
			return await this.show(fixture.id);
		});
	}

	/** @throws Refused UNKNOWN_FIXTURE for one that is not by hand */
	async show(fixtureId: FixtureId): Promise<OwnFixture> {
		const { row: _, ...shown } = await this.#find(fixtureId);
		return shown;
	}

	async edit(fixtureId: FixtureId, { title, competition, startsAtMs }: Partial<OwnFixtureNames>): Promise<OwnFixture> {
		return await this.#inTurn(fixtureId, async ({ fixture }) => {
			if (startsAtMs !== undefined && fixture.status !== 'UPCOMING') throw new Refused('WRONG_STATE');
			const { fixtures } = this.#parts;
			if (title !== undefined || competition !== undefined)
				await fixtures.setTitle(fixtureId, title ?? fixture.title, competition ?? fixture.competition);
			if (startsAtMs !== undefined) await fixtures.setStart(fixtureId, startsAtMs);
		});
	}

	/**
	 * @param crossMatching whether bets are also matched across its runners
	 * @throws Refused UNKNOWN_MARKET for a template that the sport does not have; VALIDATION_FAILED, OTHER_POOL where bets
	 * cannot be matched across
	 */
	async openMarket(fixtureId: FixtureId, name: string, crossMatching = false): Promise<MarketListing> {
		const { fixture, templates, sides } = await this.#unfinished(fixtureId);
		const template = templates.find((one) => one.name === name);
		if (!template || (template.closesAtStart && fixture.status === 'IN_PLAY')) throw new Refused('UNKNOWN_MARKET');
		const { type, betDelaySeconds, rules, handicapQuarters } = template;
		if (crossMatching && !mayCross(type)) throw wrong('Bets of this market are not matched across its runners.');
		return await this.#turns.take(String(fixtureId), () =>
			this.#parts.markets.open(fixture, {
				name,
				type,
				betDelaySeconds,
				rules,
				runners: template.runners(sides).map((runner, at) => ({ id: String(at + 1), name: runner })),
				...(handicapQuarters === undefined ? {} : { handicapQuarters }),
				...(crossMatching ? { crossMatching } : {}),
			}),
		);
	}

	/** Play begins: markets turn in-play, and those that are decided before play close. An interrupted start can be repeated. */
	async start(fixtureId: FixtureId, actor: string): Promise<OwnFixture> {
		return await this.#inTurn(fixtureId, async (standing) => {
			if (standing.card.state !== 'PRE_MATCH') throw new Refused('WRONG_STATE');
			await this.#begin(standing, actor);
		});
	}

	/** The status comes first: with a score from before play it says that a start is to be completed. */
	async #begin({ fixture, card, templates, row }: Standing, actor: string): Promise<void> {
		const { exchange, fixtures } = this.#parts;
		await fixtures.setStatus(fixture.id, 'IN_PLAY');
		const early = new Set(templates.filter(({ closesAtStart }) => closesAtStart).map(({ name }) => name));
		for (const { id: marketId, name } of fixtures.markets(fixture.id)) {
			const market = exchange.market(marketId);
			if (!market || ENDED_STATUSES.has(market.status)) continue;
			if (early.has(name)) await exchange.submit({ kind: 'close-market', marketId });
			else if (!market.inPlay) await exchange.submit({ kind: 'turn-in-play', marketId });
		}
		const begun = { ...card, state: 'IN_PLAY' as const, note: 'Play has begun' };
		await this.#add(fixture.id, row, { card: begun, act: 'START', actor, backTo: null, clockFrom: Date.now() });
	}

	/**
	 * Adds to the score, or takes the latest addition back. An incident suspends every market of the fixture, and its
	 * unmatched bets lapse, before players read it.
	 * @returns the markets that the incident suspended
	 * @throws Refused WRONG_STATE if the score was changed since it was seen; VALIDATION_FAILED for what is not possible now
	 */
	async score(fixtureId: FixtureId, said: SaidScore, actor: string) {
		let suspended: SuspendedMarket[] = [];
		const fixture = await this.#inTurn(fixtureId, async (standing) => {
			const { row, sport } = standing;
			if (row.version !== said.seenVersion) throw new Refused('WRONG_STATE');
			const next = said.act === UNDO.act ? await this.#before(fixtureId, row) : this.#after(standing, said);
			const isIncident = SCORE_ACTS[sport].some(({ act, isIncident: is }) => act === said.act && is);
			// What was taken back was no goal: prices made for it are wrong.
			if (isIncident || said.act === UNDO.act) suspended = await this.#suspendAll(fixtureId);
			await this.#add(fixtureId, row, { ...next, act: said.act, actor });
		});
		return { ...fixture, suspended };
	}

	/**
	 * Ends play: open markets close, and the score is final. The fixture stays in its state until `finish`, so that an
	 * interrupted end can be repeated.
	 * @param isAbandoned play stopped before its end: each market ends by the rule of its type
	 * @throws Refused WRONG_STATE for an end, other than an abandonment, before play has begun
	 */
	async end(fixtureId: FixtureId, isAbandoned: boolean, actor: string): Promise<EndedMarket[]> {
		const ended: EndedMarket[] = [];
		await this.#inTurn(fixtureId, async (standing) => {
			const { card, row } = standing;
			if (card.state === 'PRE_MATCH' && !isAbandoned) throw new Refused('WRONG_STATE');
			const { exchange, fixtures } = this.#parts;
			for (const { id: marketId } of fixtures.markets(fixtureId)) {
				if (!ENDED_STATUSES.has(exchange.market(marketId)?.status ?? 'CLOSED'))
					await exchange.submit({ kind: 'close-market', marketId });
			}
			for (const listing of fixtures.markets(fixtureId)) {
				if (exchange.market(listing.id)?.status === 'CLOSED')
					ended.push({ listing, ruling: rulingBy(standing, listing, isAbandoned) });
			}
			if (card.state === 'FINISHED') return;
			const over = { ...card, state: 'FINISHED' as const, note: isAbandoned ? 'Abandoned' : 'Full time' };
			await this.#add(fixtureId, row, { card: over, act: 'END', actor, backTo: null, clockFrom: null });
		});
		return ended;
	}

	async finish(fixtureId: FixtureId, isAbandoned: boolean): Promise<void> {
		await this.#parts.fixtures.setStatus(fixtureId, isAbandoned ? 'ABANDONED' : 'FINISHED');
	}

	#suspendAll(fixtureId: FixtureId): Promise<SuspendedMarket[]> {
		const { exchange, fixtures } = this.#parts;
		const marketIds = fixtures.markets(fixtureId).map(({ id }) => id);
		return suspendMarkets(exchange, marketIds, { lapseUnmatched: true });
	}

	/** @throws Refused VALIDATION_FAILED */
	#after({ sport, sides, card, row }: Standing, { act, side }: SaidScore) {
		const now = Date.now();
		const elapsedMs = Math.max(0, now - (row.clock_from ?? now));
		const after = scoredByHand(sport).after(card, { act, side, elapsedMs, sides });
		if (!after) throw wrong('This cannot happen now.');
		return { card: after, backTo: row.version, clockFrom: act === 'SECOND_HALF' ? now : row.clock_from };
	}

	/** @throws Refused VALIDATION_FAILED when nothing can be taken back */
	async #before(fixtureId: FixtureId, row: ScoreRow) {
		const before = row.back_to === null ? null : await this.#row(fixtureId, row.back_to);
		if (!before) throw wrong('There is nothing to take back.');
		return { card: before.card, backTo: before.back_to, clockFrom: before.clock_from };
	}

	async #inTurn(fixtureId: FixtureId, task: (standing: Standing) => Promise<void>): Promise<OwnFixture> {
		return await this.#turns.take(String(fixtureId), async () => {
			await task(await this.#unfinished(fixtureId));
			return await this.show(fixtureId);
		});
	}

	/** @throws Refused UNKNOWN_FIXTURE, WRONG_STATE */
	async #unfinished(fixtureId: FixtureId): Promise<Standing> {
		const standing = await this.#find(fixtureId);
		if (!isUnfinished(standing.fixture)) throw new Refused('WRONG_STATE');
		return standing;
	}

	async #find(fixtureId: FixtureId): Promise<Standing> {
		const fixture = this.#parts.fixtures.fixture(fixtureId);
		const sport = sportById(fixture?.sportId ?? 0)?.key ?? '';
		if (fixture?.source !== SOURCE || !isScoredSport(sport)) throw new Refused('UNKNOWN_FIXTURE');
		const { rows } = await this.#parts.db.query<ScoreRow & { sides: Sides }>(
			`select sides, version, card, back_to, clock_from from own_fixture join own_score using (fixture_id)
			 where fixture_id = $1 order by version desc limit 1`,
			[fixtureId],
		);
		const [found] = rows;
		if (!found) throw new Refused('UNKNOWN_FIXTURE');
		const { sides, ...row } = found;
		const templates = HAND_MARKETS[sport];
		return { fixture, sport, sides, card: row.card, canUndo: row.back_to !== null, templates, row };
	}

	async #row(fixtureId: FixtureId, version: number): Promise<ScoreRow | null> {
		const { rows } = await this.#parts.db.query<ScoreRow>(
			'select version, card, back_to, clock_from from own_score where fixture_id = $1 and version = $2',
			[fixtureId, version],
		);
		return rows[0] ?? null;
	}

	async #hasSides(fixtureId: FixtureId): Promise<boolean> {
		const { rowCount } = await this.#parts.db.query('select from own_fixture where fixture_id = $1', [fixtureId]);
		return rowCount === 1;
	}

	async #add(fixtureId: FixtureId, row: ScoreRow, next: NewScore): Promise<void> {
		await insertScore(this.#parts.db, fixtureId, { ...next, card: { ...next.card, version: row.version + 1 } });
		await this.#show(await this.#find(fixtureId));
	}

	async #show({ fixture, sport, card }: Standing): Promise<void> {
		const line = card.state === 'PRE_MATCH' ? '' : scoredByHand(sport).line(card);
		const score: Score = { ...card, eventId: String(fixture.id) };
		await this.#parts.fixtures.setScore(fixture.id, score, line);
	}
}

/** The start of the server goes on. A trader repeats the start of the match. */
const unlessRefused = (error: unknown): void => {
	if (!(error instanceof Refused)) throw error;
};

/** A start was begun and not completed. */
const isStarting = ({ fixture, card }: Standing): boolean => fixture.status === 'IN_PLAY' && card.state === 'PRE_MATCH';

interface NewScore {
	card: ScoreCard;
	act: string;
	actor: string;
	backTo: number | null;
	clockFrom: number | null;
}

async function insertScore(
	db: pg.Pool | pg.PoolClient,
	fixtureId: FixtureId,
	{ card, act, actor, backTo, clockFrom }: NewScore,
): Promise<void> {
	await db.query(
		`insert into own_score (fixture_id, version, at, act, actor, card, back_to, clock_from)
		 values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		[fixtureId, card.version, Date.now(), act, actor, JSON.stringify(card), backTo, clockFrom],
	);
}

function rulingBy({ sport, sides, card, fixture, templates }: Standing, listing: MarketListing, isAbandoned: boolean) {
	const template = templates.find(({ name }) => name === listing.name);
	const decided = template?.result(scoredByHand(sport).outcome(card, sides)) ?? null;
	if (!isAbandoned) return decided && rulingOf(listing, decided);
	if (decided && template?.isDecidedEarly) return rulingOf(listing, decided);
	// The coin was tossed before play, and the score does not say how it fell.
	if (listing.type === 'TO_WIN_THE_TOSS' && fixture.status === 'IN_PLAY') return null;
	const early: PlayResult = {
		unfinished: true,
		...(fixture.status === 'UPCOMING' ? { unplayed: true } : {}),
		...(decided?.value === undefined ? {} : { value: decided.value }),
	};
	return rulingOf(listing, early);
}
