/** Play that stops early: the rule of every kind of market, a fixture in the real exchange, and a server that was killed. */
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { MARKET_TYPE_NAMES, marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketShape } from '#engine/market-types/market-type.ts';
import { readProgress } from '#server/world/feeds/feed-progress.ts';
import { abandonUnknown } from '#server/world/feeds/simulated/abandon-unknown.ts';
import { PlayedFixture, type SimulationParts } from '#server/world/feeds/simulated/played-fixture.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { abandoned } from '#sports/play.ts';
import type { PlayResult } from '#values/play-result.ts';
import { feedParts } from '../support/feed-parts.ts';
import { freshRequestId } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const LINES = [10, 11, 12];
/** 2.5 goals; lines 10.5 to 12.5. */
const SHAPE: Record<string, Partial<MarketShape>> = {
	OVER_UNDER: { handicapQuarters: 10 },
	PLACE: { places: 2 },
	LINE: { lineRange: { min: 1050, max: 1250, interval: 100 } },
};

function resultOf(name: string, result: PlayResult): readonly string[] | null {
	const type = marketType(name);
	const runners = name === 'OVER_UNDER' || name === 'COMPLETED_MATCH' || name === 'ODD_EVEN' ? 2 : 3;
	const lines = type.model === 'FANCY' && name !== 'ODD_EVEN' ? { lines: LINES } : {};
	return type.resultOf({ unfinished: true, ...result }, { runners, ...lines, ...SHAPE[name] });
}
const isVoid = (results: readonly string[] | null) => results?.every((result) => result === 'VOID') ?? false;

describe('the rule of each market type when play stops early', () => {
	it.each(MARKET_TYPE_NAMES.filter((name) => name !== 'COMPLETED_MATCH'))('%s is void', (name) => {
		expect(isVoid(resultOf(name, {}))).toBe(true);
	});

	it('an abandoned match is a No to the completed match; one that never began is void', () => {
		expect(resultOf('COMPLETED_MATCH', {})).toEqual(['LOSE', 'WIN']);
		expect(isVoid(resultOf('COMPLETED_MATCH', { unplayed: true }))).toBe(true);
	});

	it.each(['BATSMAN_RUNS', 'FALL_OF_WICKET', 'BOUNDARIES', 'POINTS'])(
		'%s stands when every line was reached, and is void when one is open',
		(name) => {
			expect(resultOf(name, { value: 12 })).toEqual(['WIN', 'WIN', 'WIN']);
			expect(isVoid(resultOf(name, { value: 11 }))).toBe(true);
		},
	);

	it.each(['SESSION_RUNS', 'OVER_RUNS', 'TRADE', 'ODD_EVEN'])('%s is void whatever was reached', (name) => {
		expect(isVoid(resultOf(name, { value: 12 }))).toBe(true);
	});

	it('what is above every line stays above', () => {
		expect(resultOf('LINE', { value: 13 })).toEqual(['WIN', 'WIN', 'WIN']);
		expect(isVoid(resultOf('LINE', { value: 12 }))).toBe(true);
	});

	it('goals above a line stay above it', () => {
		expect(resultOf('OVER_UNDER', { value: 3 })).toEqual(['WIN', 'LOSE']);
		expect(isVoid(resultOf('OVER_UNDER', { value: 2 }))).toBe(true);
	});
});

/** No other file plays these matches. */
const SEED = 11;

describe('a simulated match', () => {
	let server: TestServer;
	let parts: SimulationParts;
	beforeAll(async () => {
		server = await sharedServer();
		parts = await feedParts(server);
	});

	const cricket = SIMULATED_SPORTS.find(({ key }) => key === 'cricket');
	if (!cricket) throw new Error('There is no cricket.');
	const matchOf = (number: number) => new PlayedFixture(parts, cricket, SEED, number, Date.now());
	const statusesOf = ({ fixtureId }: PlayedFixture) =>
		new Map(
			server.running.fixtures
				.markets(fixtureId)
				.map(({ id, name }) => [name, server.running.exchange.market(id)?.status ?? '']),
		);

	it('that is abandoned keeps decided markets, voids the rest, and returns the stakes', async () => {
		const match = matchOf(0);
		await match.open();
		// The toss, the first over and some of the second: the toss and the first over are decided. No side bats before the toss.
		const overs = () => Number((match.play.state().score as { innings: { overs: string }[] }).innings[0]?.overs ?? 0);
		while (overs() < 1.2) await match.step();
		const player = await server.demoPlayer();
		const { markets } = await server.result('getMarketsByEventId', { eventId: String(match.fixtureId) }, player.token);
		const odds = markets.find(({ name }) => name === 'Match Odds');
		const price = (await server.result('getUserOdds', { marketId: odds?.id ?? '' }, player.token)).runners[0]?.back[0]
			?.price;
		const asked = { marketId: odds?.id ?? '', runnerId: '1', side: 'BACK' as const, price: price ?? 0, stake: 100 };
		const { body } = await server.call('placeBetV2', { ...asked, clientRequestId: freshRequestId() }, player.token);
		expect(body.result?.status).toBe('MATCHED');

		const decided = match.play.state().markets.flatMap(({ name, result }) => (result ? [name] : []));
		expect(decided).toContain('To Win the Toss');
		expect(decided).toContain(`Runs in over 1 · ${match.play.title.split(' v ')[0]}`);
		await match.abandon();
		expect(await match.run(new AbortController().signal, () => {})).toBe(true);
		expect(match.status).toBe('ABANDONED');
		const statuses = statusesOf(match);
		const settled = [...statuses].filter(([, status]) => status === 'SETTLED').map(([name]) => name);
		expect(settled.sort()).toEqual([...decided, 'Completed Match'].sort());
		expect([...statuses.values()].filter((status) => status !== 'SETTLED' && status !== 'VOIDED')).toEqual([]);
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBe(20_000);
		expect(server.running.fixtures.score(match.fixtureId)).toMatchObject({ state: 'FINISHED', note: 'Abandoned' });
	});

	it('that another version left is ended with its bets void, and the log says so; one that this version plays goes on', async () => {
		const [left, known] = [matchOf(7), matchOf(8)];
		await left.open();
		await known.open();
		const player = await server.demoPlayer();
		const { markets } = await server.result('getMarketsByEventId', { eventId: String(left.fixtureId) }, player.token);
		const marketId = markets.find(({ name }) => name === 'Match Odds')?.id ?? '';
		const { runners } = await server.result('getUserOdds', { marketId }, player.token);
		const asked = {
			marketId,
			runnerId: '1',
			side: 'BACK' as const,
			price: runners[0]?.back[0]?.price ?? 0,
			stake: 100,
		};
		const { body } = await server.call('placeBetV2', { ...asked, clientRequestId: freshRequestId() }, player.token);
		expect(body.result?.status).toBe('MATCHED');
		// One that rests is void, too; one in a fixture that goes on stays.
		const resting = { ...asked, price: 1000, stake: 50 };
		const elsewhere = await server.result('getMarketsByEventId', { eventId: String(known.fixtureId) }, player.token);
		const kept = elsewhere.markets.find(({ name }) => name === 'Match Odds')?.id ?? '';
		for (const bet of [resting, { ...resting, marketId: kept }])
			await server.result('placeBetV2', { ...bet, clientRequestId: freshRequestId() }, player.token);
		const fixture = server.running.fixtures.fixture(left.fixtureId);
		if (fixture) fixture.sourceRef = fixture.sourceRef.replace(/^cricket-\d+/, 'cricket-0');
		const lines: string[] = [];
		const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
		await abandonUnknown({ ...parts, log });
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([
			{ eventId: left.fixtureId, title: left.play.title, bets: 2 },
		]);
		expect([left.status, known.status]).toEqual(['ABANDONED', 'UPCOMING']);
		const { openBets, balance } = await server.result('getUserOpenBets', {}, player.token);
		expect(openBets.map(({ marketId: id }) => id)).toEqual([kept]);
		expect(balance).toBe(19_950);
	});

	it('whose abandonment was interrupted by a kill is abandoned by the next server', async () => {
		const match = matchOf(1);
		await match.open();
		for (let step = 0; step < 6; step++) await match.step();
		await match.abandon();
		// Nothing has been carried out yet; only the written acts remain.
		const { sourceRef } = server.running.fixtures.fixture(match.fixtureId) ?? { sourceRef: '' };
		expect(await readProgress(parts.db, 'simulated', sourceRef)).toEqual({ steps: 6, abandoned: true });
		const again = matchOf(1);
		await again.open();
		expect(again.isEnded).toBe(true);
		await again.run(new AbortController().signal, () => {});
		expect(again.status).toBe('ABANDONED');
		expect([...statusesOf(again).values()].filter((status) => status === 'OPEN')).toEqual([]);
	});

	it('that is abandoned before the first ball voids every market, the completed match included', () => {
		const before = abandoned(cricket.begin(5, 2).state());
		for (const { type, result, ...shape } of before.markets) {
			const results = marketType(type).resultOf(result ?? {}, { ...shape, runners: shape.runners.length });
			expect([type, isVoid(results)]).toEqual([type, true]);
		}
	});
});
