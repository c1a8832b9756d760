/** The fixtures of a live stream: races apart, starts that move, what an operator abandoned, and markets that come late. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLiveStream } from '#server/world/feeds/betfair/live-stream.ts';
import { MirroredFixtures } from '#server/world/feeds/betfair/mirrored-fixture.ts';
import type { MarketChange, StreamDefinition } from '#server/world/feeds/betfair/stream-market.ts';
import type { FeedParts, RunningFeed } from '#server/world/feeds/feed.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { expectSound } from '../support/audit.ts';
import { TestServer } from '../support/server.ts';
import { APP_KEY, CERTIFICATE, StandInStream } from './stand-in/stream-server.ts';

const FOOTBALL_TYPE = '1';
const RACING_TYPE = '7';
const TEN = '2030-01-01T10:00:00.000Z';
const HALF_PAST = '2030-01-01T10:30:00.000Z';
const ELEVEN = '2030-01-01T11:00:00.000Z';

let server: TestServer;
let stream: StandInStream;
let feed: RunningFeed;
let count = 0;
let clk = 0;
let event = '';

beforeAll(async () => {
	server = await TestServer.start();
	await openMarketMakers(server.running.exchange);
});
afterAll(() => server.dispose());
beforeEach(async () => {
	stream = await StandInStream.start();
	event = `e${++count}`;
});
afterEach(async () => {
	await feed.stop();
	await stream.stop();
});

function follow(changes: Partial<FeedParts> = {}): void {
	feed = startLiveStream({
		...server.running,
		log: pino({ level: 'silent' }),
		stream: { host: 'localhost', port: stream.port, tls: { ca: CERTIFICATE }, marketFilter: {} },
		catalogue: { url: stream.httpUrl },
		appKey: APP_KEY,
		session: async () => stream.token,
		...changes,
	});
}

/** Follows as a process does that knows the database alone. */
async function restart(...states: MarketChange[]): Promise<void> {
	await feed.stop();
	await server.stop();
	server = await TestServer.start(server.database);
	stream.answer = () => ({ ct: 'SUB_IMAGE', initialClk: 'first', clk: '1', mc: states });
	follow();
}

const runner = (id: number, more: object = {}) => ({ id, status: 'ACTIVE', sortPriority: id - 10, ...more });
const WON: Partial<StreamDefinition> = {
	status: 'CLOSED',
	runners: [runner(11, { status: 'WINNER' }), runner(12, { status: 'LOSER' })],
};

/** A market as the stream and the catalogue have it. */
interface Told {
	id: string;
	name?: string;
	type?: string;
	at?: string;
	/** Its event, if not that of the test. */
	of?: string;
	/** Of the definition. */
	more?: Partial<StreamDefinition>;
}

/** Puts the market into the catalogue. @returns its image */
function market({ id, name = 'Match Odds', type = 'MATCH_ODDS', at = TEN, of = event, more = {} }: Told): MarketChange {
	const isRace = type === 'WIN' || type === 'PLACE';
	stream.catalogue.set(`1.${count}${id}`, {
		marketId: `1.${count}${id}`,
		marketName: name,
		marketStartTime: at,
		eventType: { id: isRace ? RACING_TYPE : FOOTBALL_TYPE },
		event: { id: of, name: isRace ? 'Ascot 1st Jan' : 'Reds v Blues' },
		runners: [
			{ selectionId: 11, runnerName: 'Reds' },
			{ selectionId: 12, runnerName: 'Blues' },
		],
	});
	return {
		id: `1.${count}${id}`,
		img: true,
		marketDefinition: {
			status: 'OPEN',
			inPlay: false,
			betDelay: 0,
			numberOfWinners: 1,
			marketTime: at,
			marketType: type,
			eventId: of,
			runners: [runner(11), runner(12)],
			...more,
		},
		rc: [{ id: 11, atb: [[2, 500]], atl: [[2.04, 400]] }],
	};
}
const race = (id: string, at: string, more: Partial<StreamDefinition> = {}, type = 'WIN') =>
	market({ id, name: type === 'WIN' ? '6f Hcap' : 'To Be Placed', type, at, more });

const begin = (...mc: MarketChange[]) => {
	stream.answer = () => ({ ct: 'SUB_IMAGE', initialClk: 'first', clk: '1', mc });
	follow();
};
const say = (...mc: MarketChange[]) => stream.say({ op: 'mcm', pt: 2, clk: `c${++clk}`, mc });

/** Our fixtures of the event, in order of their start. */
const ours = (): Fixture[] =>
	server.running.fixtures
		.all()
		.filter(({ sourceRef }) => sourceRef === event || sourceRef.startsWith(`${event}#`))
		.sort((one, other) => one.startsAtMs - other.startsAtMs);
const shown = () =>
	ours().map(({ id, status, startsAtMs }) => ({
		status,
		start: new Date(startsAtMs).toISOString(),
		markets: server.running.fixtures.markets(id).map(({ name }) => name),
	}));
const stateOf = (id: string) => {
	const listed = ours().flatMap((fixture) => server.running.fixtures.markets(fixture.id));
	const found = listed.find(({ runners }) => runners[0]?.id.startsWith(`1.${count}${id}-`));
	return found ? server.running.exchange.market(found.id) : undefined;
};
const statusOf = (id: string) => stateOf(id)?.status;

it('shows each race of a meeting as a fixture of its own, with its start, its turn in-play and its result', async () => {
	begin(race('1', TEN), race('2', HALF_PAST), race('3', HALF_PAST, {}, 'PLACE'));
	await expect.poll(() => [statusOf('1'), statusOf('2'), statusOf('3')]).toEqual(['OPEN', 'OPEN', 'OPEN']);
	const [first, second] = shown();
	expect(first).toEqual({ status: 'UPCOMING', start: TEN, markets: ['6f Hcap'] });
	expect(second).toMatchObject({ status: 'UPCOMING', start: HALF_PAST });
	expect(second?.markets.toSorted()).toEqual(['6f Hcap', 'To Be Placed']);
	// By their time where the players are, as simulated races.
	expect(ours().map(({ title }) => title)).toEqual(['15:30 Ascot 1st Jan', '16:00 Ascot 1st Jan']);
	say(race('1', TEN, { inPlay: true }));
	await expect.poll(() => ours().map(({ status }) => status)).toEqual(['IN_PLAY', 'UPCOMING']);
	say(race('1', TEN, { inPlay: true, ...WON }));
	await expect.poll(() => ours().map(({ status }) => status)).toEqual(['FINISHED', 'UPCOMING']);
	expect([statusOf('1'), statusOf('2')]).toEqual(['SETTLED', 'OPEN']);
	await restart(race('1', TEN, { inPlay: true, ...WON }), race('2', HALF_PAST), race('3', HALF_PAST, {}, 'PLACE'));
	await expect.poll(() => [statusOf('2'), statusOf('3')]).toEqual(['OPEN', 'OPEN']);
	expect(shown()).toEqual([{ ...first, status: 'FINISHED' }, second]);
	await expectSound(server.database.db);
});

it('moves the start and the title of a race as the stream does, over a restart, and no more once it is off', async () => {
	begin(race('1', TEN), race('2', HALF_PAST));
	await expect.poll(() => [statusOf('1'), statusOf('2')]).toEqual(['OPEN', 'OPEN']);
	say(race('1', ELEVEN));
	await expect.poll(() => ours().map(({ title }) => title)).toEqual(['16:00 Ascot 1st Jan', '16:30 Ascot 1st Jan']);
	expect(shown().map(({ start }) => start)).toEqual([HALF_PAST, ELEVEN]);
	// A race that now has the time of another one stays a race of its own.
	await restart(race('1', HALF_PAST), race('2', HALF_PAST));
	await expect.poll(() => shown().map(({ start }) => start)).toEqual([HALF_PAST, HALF_PAST]);
	expect(shown().map(({ markets }) => markets)).toEqual([['6f Hcap'], ['6f Hcap']]);
	say(race('1', HALF_PAST, { inPlay: true }));
	await expect
		.poll(() =>
			ours()
				.map(({ status }) => status)
				.sort(),
		)
		.toEqual(['IN_PLAY', 'UPCOMING']);
	say(race('1', ELEVEN, { inPlay: true, status: 'SUSPENDED' }));
	await expect.poll(() => statusOf('1')).toBe('SUSPENDED');
	expect(shown().map(({ start }) => start)).toEqual([HALF_PAST, HALF_PAST]);
});

it('moves the start of a match by its first market that is not decided', async () => {
	const toss = (more = {}, at = TEN) => market({ id: '1', name: 'To Win the Toss', type: 'TO_WIN_THE_TOSS', at, more });
	begin(toss());
	await expect.poll(() => statusOf('1')).toBe('OPEN');
	say(market({ id: '2', at: HALF_PAST }));
	await expect.poll(() => statusOf('2')).toBe('OPEN');
	expect(shown()).toMatchObject([{ start: TEN }]);
	say(toss({}, HALF_PAST));
	await expect.poll(shown).toMatchObject([{ start: HALF_PAST }]);
	say(toss(WON, HALF_PAST));
	await expect.poll(() => statusOf('1')).toBe('SETTLED');
	say(market({ id: '2', at: ELEVEN }));
	await expect.poll(shown).toMatchObject([{ start: ELEVEN, status: 'UPCOMING' }]);
});

it('leaves an abandoned match alone after a restart, with the markets that the stream adds', async () => {
	begin(market({ id: '1' }));
	await expect.poll(() => statusOf('1')).toBe('OPEN');
	const [fixture] = ours();
	expect(await feed.abandon(fixture?.id ?? 0)).toBe(true);
	await restart(
		market({ id: '1', more: WON }),
		market({ id: '2', name: 'Completed Match', type: 'COMPLETED_MATCH', more: { inPlay: true } }),
		market({ id: '3', name: 'Goals', type: 'OVER_UNDER_25' }),
		market({ id: '9', of: `${event} elsewhere` }),
	);
	// A market of another match is listed after those before it have been looked at.
	const listedOf = (other: string) => server.running.fixtures.all().some(({ sourceRef }) => sourceRef === other);
	await expect.poll(() => listedOf(`${event} elsewhere`)).toBe(true);
	const goalsInPlay = market({ id: '3', name: 'Goals', type: 'OVER_UNDER_25', more: { inPlay: true } });
	say(goalsInPlay, market({ id: '8', of: `${event} later` }));
	await expect.poll(() => listedOf(`${event} later`)).toBe(true);
	await feed.stop();
	expect(shown()).toContainEqual({ status: 'ABANDONED', start: TEN, markets: ['Match Odds'] });
	expect([statusOf('1'), statusOf('2'), statusOf('3')]).toEqual(['VOIDED', undefined, undefined]);
});

it('completes an abandonment that a kill interrupted, without the stream', async () => {
	begin(market({ id: '1' }), market({ id: '2', name: 'Goals', type: 'OVER_UNDER_25' }));
	await expect.poll(() => [statusOf('1'), statusOf('2')]).toEqual(['OPEN', 'OPEN']);
	const [fixture] = ours();
	// What the first statement of an abandonment leaves behind.
	await new MirroredFixtures({ ...server.running, log: pino({ level: 'silent' }) }).noteAbandoned(fixture as Fixture);
	await restart();
	await expect.poll(() => ours().map(({ status }) => status)).toEqual(['ABANDONED']);
	expect([statusOf('1'), statusOf('2')]).toEqual(['VOIDED', 'VOIDED']);
	await expectSound(server.database.db);
});

it('gives a market that comes after the end of its match a fixture of its own, and lists none that is closed by then', async () => {
	begin(market({ id: '1', name: 'To Win the Toss', type: 'TO_WIN_THE_TOSS' }));
	await expect.poll(() => statusOf('1')).toBe('OPEN');
	say(market({ id: '1', name: 'To Win the Toss', type: 'TO_WIN_THE_TOSS', more: WON }));
	await expect.poll(() => ours().map(({ status }) => status)).toEqual(['FINISHED']);
	const goals = { id: '3', name: 'Goals', type: 'OVER_UNDER_25', at: HALF_PAST };
	say(market({ id: '4', name: 'Tied Match', type: 'TIED_MATCH', more: WON }));
	say(market({ id: '2', at: HALF_PAST }), market(goals));
	await expect.poll(() => [statusOf('2'), statusOf('3')]).toEqual(['OPEN', 'OPEN']);
	const both = ours()[1] as Fixture;
	const names = () => shown().map(({ status, markets }) => [status, markets.toSorted()]);
	const expected = [
		['FINISHED', ['To Win the Toss']],
		['UPCOMING', ['Goals', 'Match Odds']],
	];
	expect(names()).toEqual(expected);
	await restart(
		market({ id: '1', name: 'To Win the Toss', type: 'TO_WIN_THE_TOSS', more: WON }),
		market({ id: '2', at: HALF_PAST }),
		market(goals),
	);
	await expect.poll(() => [statusOf('2'), statusOf('3')]).toEqual(['OPEN', 'OPEN']);
	expect([names(), ours()[1]?.id]).toEqual([expected, both.id]);
});

it('keeps two markets of one event and one name apart', async () => {
	begin(market({ id: '1' }), market({ id: '2' }));
	await expect.poll(() => [statusOf('1'), statusOf('2')]).toEqual(['OPEN', 'OPEN']);
	expect(shown().map(({ markets }) => markets.length)).toEqual([2]);
});
