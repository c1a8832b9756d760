/** A live stream against a stand-in that speaks its protocol over TLS: names, books, life and loss of its markets. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLiveStream } from '#server/world/feeds/betfair/live-stream.ts';
import { keptSession } from '#server/world/feeds/betfair/session.ts';
import type { MarketChange, StreamDefinition } from '#server/world/feeds/betfair/stream-market.ts';
import type { FeedParts } from '#server/world/feeds/feed.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { Outage } from '../support/outage.ts';
import { TestServer } from '../support/server.ts';
import { APP_KEY, CERTIFICATE, StandInStream } from './stand-in/stream-server.ts';

const LEASE_MS = 1_000;

let server: TestServer;
let stream: StandInStream;
let feed: { stop(): Promise<void> };
let count = 0;
let marketId = '';

beforeAll(async () => {
	server = await TestServer.start();
	await openMarketMakers(server.running.exchange);
});
afterAll(() => server.dispose());
beforeEach(async () => {
	stream = await StandInStream.start();
	marketId = `1.${++count}`;
	stream.catalogue.set(marketId, {
		marketId,
		marketName: 'Match Odds',
		marketStartTime: '2030-01-01T10:00:00.000Z',
		eventType: { id: '1' },
		competition: { name: 'Cup' },
		event: { id: `e${count}`, name: 'Reds v Blues' },
		runners: [
			{ selectionId: 11, runnerName: 'Reds' },
			{ selectionId: 12, runnerName: 'Blues' },
		],
	});
	stream.answer = () => ({ ct: 'SUB_IMAGE', initialClk: 'first', clk: '1', mc: [image()] });
});
afterEach(async () => {
	await feed.stop();
	await stream.stop();
});

function follow(changes: Partial<FeedParts> = {}, password = 'right'): void {
	const session = keptSession({ url: `${stream.httpUrl}/login`, appKey: APP_KEY, userName: 'us', password }, Date.now);
	feed = startLiveStream({
		...server.running,
		log: pino({ level: 'silent' }),
		stream: { host: 'localhost', port: stream.port, tls: { ca: CERTIFICATE }, marketFilter: { eventTypeIds: ['1'] } },
		catalogue: { url: stream.httpUrl },
		appKey: APP_KEY,
		session,
		...changes,
	});
}

const runner = (id: number, more: object = {}) => ({ id, status: 'ACTIVE', sortPriority: id - 10, ...more });
const definition = (changes: Partial<StreamDefinition> = {}): StreamDefinition => ({
	status: 'OPEN',
	inPlay: false,
	betDelay: changes.inPlay === true ? 5 : 0,
	numberOfWinners: 1,
	marketTime: '2030-01-01T10:00:00.000Z',
	marketType: 'MATCH_ODDS',
	runners: [runner(11), runner(12)],
	...changes,
});
const image = (changes: Partial<StreamDefinition> = {}): MarketChange => ({
	id: marketId,
	img: true,
	marketDefinition: definition(changes),
	rc: [
		{ id: 11, atb: [[2, 500]], atl: [[2.04, 400]] },
		{ id: 12, atb: [[1.95, 300]], atl: [[2, 200]] },
	],
});
const change = (mc: Partial<MarketChange>, clk = '2') =>
	stream.say({ op: 'mcm', pt: 2, clk, mc: [{ id: marketId, ...mc }] });

const ourFixture = () => server.running.fixtures.all().find(({ sourceRef }) => sourceRef === `e${count}`);

/** Our market of it: its status, and the best prices a backer of the first runner can take. */
function ours() {
	const { fixtures, exchange } = server.running;
	const fixture = ourFixture();
	const listing = fixture ? fixtures.markets(fixture.id)[0] : undefined;
	if (!listing) return null;
	const market = exchange.market(listing.id);
	return {
		status: market?.status,
		inPlay: market?.inPlay,
		back: exchange.book(listing.id, 'PLAY')?.runners[0]?.back.map(({ price }) => price),
	};
}

it('lists a market by its names, and quotes the stream’s book', async () => {
	follow();
	await expect.poll(ours).toEqual({ status: 'OPEN', inPlay: false, back: [200] });
	const fixture = ourFixture();
	expect(fixture).toMatchObject({ sportId: 1, title: 'Reds v Blues', competition: 'Cup' });
	const names = server.running.fixtures.markets(fixture?.id ?? 0)[0]?.runners.map(({ name }) => name);
	expect(names).toEqual(['Reds', 'Blues']);
	change({
		rc: [
			{
				id: 11,
				atb: [
					[2, 0],
					[1.98, 300],
				],
			},
		],
	});
	await expect.poll(() => ours()?.back).toEqual([198]);
	expect(stream.asked.map(({ op }) => op)).toEqual(['authentication', 'marketSubscription']);
	expect(stream.asked[1]).toMatchObject({ marketFilter: { eventTypeIds: ['1'] }, heartbeatMs: 5000 });
});

it('joins the segments of a message before it reads a book', async () => {
	stream.answer = () => ({ ct: 'SUB_IMAGE', segmentType: 'SEG_START', initialClk: 'first', clk: '1', mc: [image()] });
	follow();
	await stream.next('marketSubscription');
	expect(ours()).toBeNull();
	stream.say({
		op: 'mcm',
		pt: 1,
		segmentType: 'SEG_END',
		clk: '1',
		mc: [{ id: marketId, rc: [{ id: 11, atb: [[2.02, 50]] }] }],
	});
	await expect.poll(() => ours()?.back).toEqual([202, 200]);
});

it('resumes from the last whole message when the connection breaks within one, and applies each part once', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const part = (size: number) => [{ id: marketId, rc: [{ id: 11, atb: [[1.99, size]] }] }];
	change({ rc: [{ id: 11, atb: [[1.98, 70]] }] }, '2');
	await expect.poll(() => ours()?.back).toEqual([200, 198]);
	stream.say({ op: 'mcm', pt: 3, clk: '3', segmentType: 'SEG_START', mc: part(50) });
	stream.say({ op: 'mcm', pt: 3, clk: '3', ct: 'HEARTBEAT' });
	const again = stream.next('marketSubscription');
	stream.answer = () => ({ ct: 'RESUB_DELTA', clk: '4', mc: [{ id: marketId, rc: [{ id: 11, atb: [[1.97, 60]] }] }] });
	stream.hangUp();
	expect(await again).toMatchObject({ initialClk: 'first', clk: '2' });
	// The part that was lost is no part of the answer either: it comes again.
	await expect.poll(ours).toMatchObject({ status: 'OPEN', back: [200, 198, 197] });
	const third = stream.next('marketSubscription');
	stream.hangUp();
	expect(await third).toMatchObject({ initialClk: 'first', clk: '4' });
});

it('asks for the image again when the connection breaks within it', async () => {
	stream.answer = () => ({ ct: 'SUB_IMAGE', segmentType: 'SEG_START', initialClk: 'first', clk: '1', mc: [image()] });
	follow();
	await stream.next('marketSubscription');
	const again = stream.next('marketSubscription');
	stream.answer = () => ({ ct: 'SUB_IMAGE', initialClk: 'second', clk: '1', mc: [image()] });
	stream.hangUp();
	expect(await again).not.toHaveProperty('clk');
	await expect.poll(() => ours()?.status).toBe('OPEN');
});

it('delays bets in-play as the stream says by then, and keeps a longer delay of an operator', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const { id = 0 } = server.running.fixtures.markets(ourFixture()?.id ?? 0)[0] ?? {};
	const delayMs = () => server.running.exchange.market(id)?.betDelayMs;
	expect(delayMs()).toBe(0);
	change({ marketDefinition: definition({ inPlay: true }) });
	await expect.poll(ours).toMatchObject({ status: 'OPEN', inPlay: true });
	expect(delayMs()).toBe(5_000);
	change({ marketDefinition: definition({ inPlay: true, betDelay: 3 }) }, '3');
	await expect.poll(delayMs).toBe(3_000);
	await server.act('change-terms', { marketId: String(id), currency: 'INR', betDelaySeconds: 8 });
	change({ marketDefinition: definition({ inPlay: true, betDelay: 4, status: 'SUSPENDED' }) }, '4');
	await expect.poll(() => ours()?.status).toBe('SUSPENDED');
	expect(delayMs()).toBe(8_000);
});

it('follows the market in-play, through suspension, to its result', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	change({ marketDefinition: definition({ inPlay: true, status: 'SUSPENDED' }) });
	await expect.poll(ours).toMatchObject({ status: 'SUSPENDED', inPlay: true });
	change({ marketDefinition: definition({ inPlay: true }) }, '3');
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const runners = [runner(11, { status: 'LOSER' }), runner(12, { status: 'WINNER' })];
	change({ marketDefinition: definition({ inPlay: true, status: 'CLOSED', runners }) }, '4');
	await expect.poll(() => ours()?.status).toBe('SETTLED');
	await expect.poll(() => ourFixture()?.status).toBe('FINISHED');
});

it('proposes the result where a member confirms it, ends the fixture, and corrects what waits', async () => {
	follow({ resultProposals: { ...server.running.resultProposals, covers: () => true } });
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const proposed = async () => {
		const { rows } = await server.database.db.query<{ result: string; outcome: string | null }>(
			`select preview -> 'summary' ->> 1 as result, outcome from proposal where subject = $1 order by proposal_id`,
			[`market ${server.running.fixtures.markets(ourFixture()?.id ?? 0)[0]?.id}`],
		);
		return rows.map(({ result, outcome }) => [result, outcome]);
	};
	const close = (winner: number, clk: string) => {
		const runners = [11, 12].map((id) => runner(id, { status: id === winner ? 'WINNER' : 'LOSER' }));
		change({ marketDefinition: definition({ inPlay: true, status: 'CLOSED', runners }) }, clk);
	};
	close(11, '2');
	await expect.poll(() => ourFixture()?.status).toBe('FINISHED');
	expect([ours()?.status, await proposed()]).toEqual(['CLOSED', [['Reds: win', null]]]);
	close(11, '3');
	close(12, '4');
	await expect.poll(proposed).toEqual([
		['Reds: win', 'REPLACED'],
		['Blues: win', null],
	]);
	expect([ours()?.status, ourFixture()?.status]).toEqual(['CLOSED', 'FINISHED']);
});

it('keeps what the stream says against a result that was paid, and proposes the other one', async () => {
	follow({ resultProposals: server.running.resultProposals });
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const ourId = server.running.fixtures.markets(ourFixture()?.id ?? 0)[0]?.id;
	const said = async () => {
		const { rows } = await server.database.db.query<{ words: string }>(
			'select words from feed_finding where market_id = $1 order by finding_id',
			[ourId],
		);
		return rows.map(({ words }) => words);
	};
	const close = (winner: number, clk: string) => {
		const runners = [11, 12].map((id) => runner(id, { status: id === winner ? 'WINNER' : 'LOSER' }));
		change({ marketDefinition: definition({ inPlay: true, status: 'CLOSED', runners }) }, clk);
	};
	close(11, '2');
	await expect.poll(() => ourFixture()?.status).toBe('FINISHED');
	const takenBack = 'The feed takes its result back, by which the market was paid.';
	change({ marketDefinition: definition({ inPlay: true }) }, '3');
	await expect.poll(said).toEqual([takenBack]);
	close(12, '4');
	await expect.poll(said).toEqual([takenBack, 'The feed gives another result than the one that was paid.']);
	const waiting = async () => {
		const { rows } = await server.database.db.query<{ act: string; results: string[] }>(
			`select act, input -> 'results' as results from proposal where subject = $1 and state = 'OPEN'`,
			[`market ${ourId}`],
		);
		return rows;
	};
	await expect.poll(waiting).toEqual([{ act: 'resettle', results: ['LOSE', 'WIN'] }]);
	expect(ours()?.status).toBe('SETTLED');
});

it('keeps that the stream takes back a result that it gave before the server was started again', async () => {
	/** Follows afresh, as a process does that knows the database alone. */
	const restart = async (state: Partial<StreamDefinition>) => {
		await feed.stop();
		await server.stop();
		server = await TestServer.start(server.database);
		stream.answer = () => ({ ct: 'SUB_IMAGE', initialClk: 'first', clk: '1', mc: [image(state)] });
		follow({ resultProposals: server.running.resultProposals });
	};
	const said = async () => {
		const { rows } = await server.database.db.query<{ words: string }>(
			`select words from feed_finding join market_listing on id = market_id
			 where listing -> 'runners' -> 0 ->> 'id' = $1 order by finding_id`,
			[`${marketId}-11`],
		);
		return rows.map(({ words }) => words);
	};
	follow({ resultProposals: server.running.resultProposals });
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const runners = [11, 12].map((id) => runner(id, { status: id === 11 ? 'WINNER' : 'LOSER' }));
	change({ marketDefinition: definition({ inPlay: true, status: 'CLOSED', runners }) }, '2');
	await expect.poll(() => ourFixture()?.status).toBe('FINISHED');
	await restart({ inPlay: true });
	await expect.poll(said).toEqual(['The feed takes its result back, by which the market was paid.']);
});

it('settles an over/under market by the side that won', async () => {
	stream.catalogue.set(marketId, {
		...stream.catalogue.get(marketId),
		marketName: 'Over/Under 2.5 Goals',
		runners: [
			{ selectionId: 11, runnerName: 'Under 2.5 Goals' },
			{ selectionId: 12, runnerName: 'Over 2.5 Goals' },
		],
	});
	stream.answer = () => ({
		ct: 'SUB_IMAGE',
		initialClk: 'first',
		clk: '1',
		mc: [image({ marketType: 'OVER_UNDER_25' })],
	});
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const runners = [runner(11, { status: 'LOSER' }), runner(12, { status: 'WINNER' })];
	change({ marketDefinition: definition({ marketType: 'OVER_UNDER_25', status: 'CLOSED', runners }) });
	await expect.poll(() => ourFixture()?.status).toBe('FINISHED');
	const [listing] = server.running.fixtures.markets(ourFixture()?.id ?? 0);
	expect(listing?.runners[0]?.name).toBe('Over 2.5 Goals');
	expect(server.running.exchange.market(listing?.id ?? 0)?.results).toEqual(['WIN', 'LOSE']);
});

it('is closed by a complete definition, not by one that lacks runners', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const removed = runner(13, { status: 'REMOVED' });
	change({ marketDefinition: definition({ status: 'CLOSED', runners: [removed] }) });
	await expect.poll(() => ours()?.status).toBe('SUSPENDED');
	const runners = [runner(11, { status: 'WINNER' }), runner(12, { status: 'LOSER' }), removed];
	change({ marketDefinition: definition({ status: 'CLOSED', runners }) }, '3');
	await expect.poll(() => ours()?.status).toBe('SETTLED');
});

it('requests an image after a message without a market', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const again = stream.next('marketSubscription');
	stream.say({ op: 'mcm', pt: 3, clk: '9', mc: [{ rc: [] }] });
	expect(await again).not.toHaveProperty('clk');
	await expect.poll(() => ours()?.status).toBe('OPEN');
});

it('suspends everything when the connection breaks, and resumes from its clock when it is back', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	change({ rc: [{ id: 11, atl: [[2.06, 100]] }] }, '7');
	stream.answer = ({ clk, initialClk }) =>
		clk === '7' && initialClk === 'first'
			? { ct: 'RESUB_DELTA', clk: '8', mc: [{ id: marketId, rc: [{ id: 11, atb: [[1.99, 80]] }] }] }
			: { ct: 'SUB_IMAGE', initialClk: 'other', clk: '1', mc: [] };
	await expect.poll(() => stream.asked.length).toBe(2);
	stream.hangUp();
	await expect.poll(() => ours()?.status).toBe('SUSPENDED');
	await expect.poll(ours).toMatchObject({ status: 'OPEN', back: [200, 199] });
});

it('stays suspended after an image that no longer names the market', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	const [other, event] = [`${marketId}1`, `other${count}`];
	const about = stream.catalogue.get(marketId) ?? {};
	stream.catalogue.set(other, { ...about, marketId: other, event: { id: event, name: 'Greens v Golds' } });
	stream.answer = () => ({ ct: 'SUB_IMAGE', initialClk: 'new', clk: '1', mc: [{ ...image(), id: other }] });
	stream.hangUp();
	await expect.poll(() => server.running.fixtures.all().some(({ sourceRef }) => sourceRef === event)).toBe(true);
	expect(ours()?.status).toBe('SUSPENDED');
});

it('starts afresh when the stream does not know the clock, and survives invalid messages', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	stream.say({ op: 'mcm', pt: 3, clk: '9', unheardOf: { of: 1 }, mc: [{ id: marketId, alsoNew: true }] });
	const again = stream.next('marketSubscription');
	stream.sayText('{"op":"mcm","mc":[{"id":');
	expect(await again).toMatchObject({ initialClk: 'first', clk: '9' });
	const anew = stream.next('marketSubscription');
	stream.say({ op: 'status', statusCode: 'FAILURE', errorCode: 'INVALID_CLOCK', connectionClosed: true });
	expect(await anew).not.toHaveProperty('clk');
	await expect.poll(() => ours()?.status).toBe('OPEN');
});

it('ignores markets that the catalogue does not know or whose type is not supported', async () => {
	stream.catalogue.clear();
	follow();
	await stream.next('marketSubscription');
	change({ marketDefinition: definition({ marketType: 'SOMETHING_NEW' }) });
	await feed.stop();
	expect(ours()).toBeNull();
});

it('is suspended when the stream is silent for longer than its lease, and resumes with the next heartbeat', async () => {
	follow({ leaseMs: LEASE_MS });
	await expect.poll(() => ours()?.status).toBe('OPEN');
	await expect.poll(() => ours()?.status).toBe('SUSPENDED');
	stream.say({ op: 'mcm', pt: 3, clk: '2', ct: 'HEARTBEAT' });
	await expect.poll(ours).toMatchObject({ status: 'OPEN', back: [200] });
});

it('catches up with the stream after the exchange was away', async () => {
	const outage = new Outage();
	follow({ exchange: outage.around(server.running.exchange) });
	await expect.poll(() => ours()?.status).toBe('OPEN');
	outage.begin();
	change({ rc: [{ id: 11, atl: [[2.02, 100]] }] });
	await expect.poll(() => outage.refused).toBeGreaterThan(0);
	change({ rc: [{ id: 11, atb: [[1.99, 100]] }] }, '3');
	outage.end();
	await expect.poll(ours).toMatchObject({ status: 'OPEN', back: [200, 199] });
});

it('logs in again when its session has ended', async () => {
	follow();
	await expect.poll(() => ours()?.status).toBe('OPEN');
	stream.token = 'session-2';
	stream.hangUp();
	await expect.poll(() => stream.logIns).toBe(2);
	await expect.poll(() => ours()?.status).toBe('OPEN');
});

it('is refused with a wrong password, and retries', async () => {
	follow({}, 'wrong');
	await expect.poll(() => stream.logIns).toBeGreaterThanOrEqual(2);
	expect(stream.asked).toEqual([]);
	expect(ours()).toBeNull();
});
