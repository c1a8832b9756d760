/** Limits of markets that members set in other currencies than rupees: by rules, and by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { CURRENCY_TERMS, homeLimitOf, limitIn } from '#values/currencies.ts';
import { CURRENCIES, type Currency } from '#values/currency-codes.ts';
import { commonCurrency, HOME_POOLS, POOLS, poolOf, stepOf } from '#values/pools.ts';
import { expectSound } from '../support/audit.ts';
import { BrandDoor } from '../support/brand-door.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

type Rules = ResultOf<'limit-rules'>;

/** Of each currency: a liability that one match makes, and what is allowed from there on. */
const CASES = [
	['EUR', { host: 'euro.test', pool: 'PLAY-EUR', from: 10, stake: 5, exposure: 40, home: 500 }],
	['JPY', { host: 'yen.test', pool: 'PLAY-JPY', from: 2_000, stake: 700, exposure: 9_000, home: 350 }],
] as const;

let server: TestServer;
const doors = new Map<string, BrandDoor>();
let grants = 890_000_000;
beforeAll(async () => {
	const pools = [...HOME_POOLS, ...POOLS.filter((pool) => /-(EUR|JPY)$/.test(pool))];
	server = await TestServer.start(undefined, { pools });
	for (const [currency, { host }] of CASES) {
		await server.act('brand-add', { host, currency });
		doors.set(host, new BrandDoor(server, host));
	}
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

const doorOf = (host: string): BrandDoor => doors.get(host) as BrandDoor;

async function rich(host: string): Promise<Player> {
	const player = await doorOf(host).player();
	const { userName } = server.running.players.user(player.userId);
	await server.act('add-money', { userName, host, amount: 100_000, grantId: ++grants });
	return player;
}

const place = async (host: string, match: TestMatch, { token }: Player, side: 'BACK' | 'LAY', stake: number) =>
	(await doorOf(host).raw('placeBetV2', betOn(match, { side, price: 2, stake }), token)).code;

const limitsOf = async (host: string, { marketId }: TestMatch, { token }: Player) =>
	(await doorOf(host).raw('getUserLimits', { marketId }, token)).body.result;

const look = () => server.running.limitWatch.look(true);

describe.each(CASES)('in %s', (currency, { host, pool, from, stake, exposure, home }) => {
	const steps = [{ from, maxStake: stake, maxExposure: exposure }];
	const about = { pool, watches: 'PLAYER' } as const;
	/** The least difference of two stakes. */
	const step = CURRENCY_TERMS[currency].stakeStep / 100;

	it.each([
		['of its players', { brand: host }],
		['of all players', {}],
	])('a rule %s counts liability, stake and exposure, and is shown so', async (_whose, brand) => {
		await server.act('limit-rule-set', { ...about, ...brand, steps });
		const match = await openTestMatch(server);
		const [one, other] = [await rich(host), await rich(host)];
		for (const [player, side] of [[one, 'LAY'] as const, [other, 'BACK'] as const])
			expect(await place(host, match, player, side, from)).toBeNull();
		await look();
		expect(await limitsOf(host, match, one)).toMatchObject({ maxStake: stake, maxExposure: exposure });
		expect(await place(host, match, one, 'LAY', stake + step)).toBe('STAKE_TOO_LARGE');
		expect(await place(host, match, one, 'LAY', stake)).toBeNull();
		const { rules, tightened } = await server.act<Rules>('limit-rules', {});
		expect(rules).toMatchObject([{ pool, currency, steps }]);
		const isOfBrand = 'brand' in brand;
		expect(tightened.find(({ marketId }) => marketId === match.marketId)).toMatchObject(
			isOfBrand
				? { brand: host, currency, now: { maxStake: stake, maxExposure: exposure } }
				: { brand: null, currency: 'INR', now: { maxStake: home } },
		);
		await server.act('limit-rule-set', { ...about, ...brand, steps: [] });
	});

	it('a member sets the limits of a market', async () => {
		const match = await openTestMatch(server);
		const player = await rich(host);
		const { marketId } = match;
		const limits = { minStake: stake, maxStake: 3 * stake, maxProfit: 4 * stake };
		await server.act('change-terms', { marketId, currency, ...limits, maxExposure: exposure });
		expect(await limitsOf(host, match, player)).toMatchObject({ maxStake: 3 * stake, maxExposure: exposure });
		expect(await place(host, match, player, 'BACK', 3 * stake)).toBeNull();
		expect(await place(host, match, player, 'BACK', 3 * stake + step)).toBe('STAKE_TOO_LARGE');
		expect(await place(host, match, player, 'BACK', stake - step)).toBe('STAKE_TOO_SMALL');
		const { terms } = await server.act<ResultOf<'market-risk'>>('market-risk', { marketId });
		expect(terms).toMatchObject({ currency: 'INR', minStake: home, maxStake: 3 * home });
	});

	it('a member opens a market with limits', async () => {
		const { eventId } = await openTestMatch(server);
		const about = { eventId, name: 'By hand', type: 'MATCH_ODDS', runners: ['India', 'Nepal'] };
		const { marketId } = await server.act<{ marketId: string }>('open-market', {
			...about,
			currency,
			minStake: stake,
			maxStake: 3 * stake,
		});
		const { terms } = await server.act<ResultOf<'market-risk'>>('market-risk', { marketId });
		expect(terms).toMatchObject({ currency: 'INR', minStake: home, maxStake: 3 * home });
	});
});

describe('a rule is refused', () => {
	it.each([
		['with parts of a yen', { pool: 'PLAY-JPY', steps: [{ from: 100, maxStake: 50.5 }] }],
		[
			'for players who have another currency',
			{ pool: 'PLAY-JPY', brand: 'euro.test', steps: [{ from: 100, maxStake: 50 }] },
		],
	])('%s', async (_why, input) => {
		expect((await server.operator('limit-rule-set', { watches: 'HOUSE', ...input })).code).toBe('VALIDATION_FAILED');
	});
});

it('limits of a market in parts of a yen are refused', async () => {
	const { eventId, marketId } = await openTestMatch(server);
	const refused = async (call: 'change-terms' | 'open-market', asked: object) =>
		expect((await server.operator(call, { ...asked, currency: 'JPY', maxStake: 1_000.5 })).code).toBe(
			'VALIDATION_FAILED',
		);
	await refused('change-terms', { marketId });
	await refused('open-market', { eventId, name: 'By hand', type: 'MATCH_ODDS', runners: ['India', 'Nepal'] });
});

it('a limit in whole coins is the same there and back, in every currency', () => {
	for (const currency of CURRENCIES) {
		const step = stepOf(poolOf('PLAY', currency));
		for (const coins of [0, 1, 2, 3, 7, 99, 100, 12_345, 10_000_000])
			expect([currency, limitIn(currency, homeLimitOf(currency, coins * step))]).toEqual([currency, coins * step]);
	}
});

it('pools of one currency have that one, and others the home currency', () => {
	const common = (...pools: Parameters<typeof commonCurrency>[0]): Currency => commonCurrency(pools);
	expect([common('DEMO-EUR', 'REAL-EUR'), common('PLAY', 'REAL-EUR'), common()]).toEqual(['EUR', 'INR', 'INR']);
});

it('a rule of an earlier release, which allowed rupees in every pool, allows as much after the upgrade', async () => {
	const upgrade = readFileSync(join(import.meta.dirname, '../../db/migrations/0200-limit-rule-currencies.sql'), 'utf8');
	const client = await server.database.db.connect();
	try {
		await client.query('begin');
		for (const pool of ['PLAY', 'PLAY-EUR', 'PLAY-JPY'])
			await client.query(
				`insert into limit_rule (sport, market_type, brand, pool, watches, relax_percent, steps)
				 values ('tennis', '', '', $1, 'HOUSE', 80, $2)`,
				[
					pool,
					JSON.stringify([
						{ from: 900, maxStake: 25_050, maxExposure: null },
						{ from: 901, maxStake: 7, maxExposure: 1_000_049 },
					]),
				],
			);
		await client.query(upgrade);
		const { rows } = await client.query(`select pool, steps from limit_rule where sport = 'tennis' order by pool`);
		const steps = (...allowed: [maxStake: number, maxExposure: number | null][]) =>
			allowed.map(([maxStake, maxExposure], at) => ({ from: 900 + at, maxStake, maxExposure }));
		expect(rows).toEqual([
			{ pool: 'PLAY', steps: steps([25_050, null], [7, 1_000_049]) },
			{ pool: 'PLAY-EUR', steps: steps([250, null], [1, 10_000]) },
			{ pool: 'PLAY-JPY', steps: steps([50_100, null], [100, 2_000_000]) },
		]);
	} finally {
		await client.query('rollback');
		client.release();
	}
});
