/** Traders at one market: prices and limits by hand, and suspensions that no act of another trader undoes unseen. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { ConsoleClient } from './console-client.ts';

type Standing = ResultOf<'resume'>;
type EventMarkets = ResultOf<'event-markets'>;
type Risk = ResultOf<'market-risk'>;

const PASSWORD = 'Correct-horse-9';
const EVENS = 100;

let server: TestServer;
let asha: ConsoleClient;
let bela: ConsoleClient;
let player: Player;
beforeAll(async () => {
	server = await sharedServer();
	asha = await trader('asha');
	bela = await trader('bela');
	player = await server.demoPlayer();
});

async function trader(name: string): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	const by = { actor: 'test', address: null };
	await server.running.staff.directory.add({ name, passwordHash, roles: ['trader'], brands: null }, by);
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const at = (line: number, rate = EVENS) => ({ line, rate });
let fancies = 0;

async function openFancy(): Promise<{ match: TestMatch; fancy: Standing }> {
	const match = await openTestMatch(server);
	const about = { name: `Runs in over ${++fancies}`, type: 'OVER_RUNS', from: 0, to: 20 };
	return { match, fancy: await asha.result<Standing>('open-fancy', { eventId: match.eventId, ...about }) };
}

const bet = (marketId: string, side: 'BACK' | 'LAY', line: number, price = 2) =>
	server.call(
		'placeBetV2',
		{ marketId, runnerId: String(line), side, price, stake: 100, clientRequestId: freshRequestId() },
		player.token,
	);

describe('a fancy that a trader prices', () => {
	it('takes bets at the trader’s lines and rates, and at those of before no more', async () => {
		const { match, fancy } = await openFancy();
		const { marketId } = fancy;
		const first = { marketId, seenVersion: fancy.version, no: at(7), yes: at(8, 90) };
		await asha.result('price-fancy', first);
		const { markets } = await bela.result<EventMarkets>('event-markets', { eventId: match.eventId });
		expect(markets.find((one) => one.marketId === marketId)?.fancy).toEqual({ no: at(7), yes: at(8, 90) });
		expect((await bet(marketId, 'BACK', 8, 1.9)).body.result).toMatchObject({ matchedStake: 100 });
		expect((await bet(marketId, 'LAY', 7)).body.result).toMatchObject({ matchedStake: 100 });
		await bela.result('price-fancy', { ...first, no: at(9), yes: null });
		expect((await bet(marketId, 'BACK', 8, 1.9)).body.result?.matchedStake ?? 0).toBe(0);
		expect((await bet(marketId, 'LAY', 9)).body.result).toMatchObject({ matchedStake: 100 });
	});

	it.each([
		['a line that it does not have', { no: at(7), yes: at(21) }],
		['prices that win on every number', { no: at(9), yes: at(8) }],
		['one line at rates that win both ways', { no: at(8, 90), yes: at(8, 110) }],
	])('is refused %s', async (_, prices) => {
		const { fancy } = await openFancy();
		const { marketId, version: seenVersion } = fancy;
		expect(await asha.code('price-fancy', { marketId, seenVersion, ...prices })).toBe('VALIDATION_FAILED');
	});

	it('is not one that a feed prices', async () => {
		const { marketId } = await openTestMatch(server);
		const prices = { no: at(7), yes: at(8) };
		expect(await asha.code('price-fancy', { marketId, seenVersion: 1, ...prices })).toBe('WRONG_MARKET_STATE');
	});
});

describe('a bookmaker market that a trader prices', () => {
	let opened = 0;
	const open = async () => {
		const match = await openTestMatch(server);
		const about = { eventId: match.eventId, name: `Bookmaker ${++opened}`, runners: ['India', 'Nepal', 'The Draw'] };
		const market = await asha.result<Standing>('open-bookmaker', about);
		const price = (runner: string, back: number | null, lay: number | null, seenVersion = market.version) =>
			asha.code('price-bookmaker', { marketId: market.marketId, seenVersion, runner, back, lay });
		const rates = async () => {
			const { markets } = await bela.result<EventMarkets>('event-markets', { eventId: match.eventId });
			return markets.find((one) => one.marketId === market.marketId)?.rates?.map(({ back, lay }) => [back, lay]);
		};
		return { market, price, rates };
	};
	const betAt = (marketId: string, side: 'BACK' | 'LAY', runnerId: string, rate: number) =>
		bet(marketId, side, Number(runnerId), 1 + rate / 100);

	it('takes bets on the runners that have rates, at those rates, and is settled by their result', async () => {
		const { market, price, rates } = await open();
		const { marketId } = market;
		// Both traders price at once; neither loses the other's runner.
		const [one, other] = await Promise.all([price('India', 42, 44), price('Nepal', 230, 250)]);
		expect([one, other, await rates()]).toEqual([
			'',
			'',
			[
				[42, 44],
				[230, 250],
				[null, null],
			],
		]);
		expect((await betAt(marketId, 'BACK', '1', 42)).body.result).toMatchObject({ matchedStake: 100 });
		expect((await betAt(marketId, 'LAY', '2', 250)).body.result).toMatchObject({ matchedStake: 100 });
		expect((await betAt(marketId, 'BACK', '3', 300)).code).toBe('RUNNER_SUSPENDED');
		await asha.result('suspend', { marketId });
		await server.act('settle', { marketId, winners: ['India'] });
		const { rows } = await server.database.db.query(
			'select net, commission from player_settlement where market_id = $1 order by net',
			[Number(marketId)],
		);
		// The house, and the player.
		expect(rows).toEqual([-14_200, 14_200].map((net) => ({ net, commission: 0 })));
	});

	it('opens after a suspension with the runner that is priced alone', async () => {
		const { market, price, rates } = await open();
		await price('India', 42, 44);
		await price('Nepal', 230, 250);
		const { version } = await asha.result<Standing>('suspend', { marketId: market.marketId });
		expect(await price('India', 10, 12)).toBe('WRONG_MARKET_STATE');
		expect(await price('India', 10, 12, version)).toBe('');
		expect(await rates()).toEqual([
			[10, 12],
			[null, null],
			[null, null],
		]);
	});

	it('keeps a runner closed that another trader suspended, until that runner itself is priced or resumed', async () => {
		const { market, price, rates } = await open();
		const { marketId } = market;
		await price('India', 42, 44);
		await price('Nepal', 230, 250);
		const { version } = await asha.result<Standing>('suspend-runner', { marketId, runner: 'India' });
		expect(await price('Nepal', 220, 240)).toBe('WRONG_MARKET_STATE');
		expect(await price('Nepal', 220, 240, version)).toBe('');
		expect(await rates()).toEqual([
			[null, null],
			[220, 240],
			[null, null],
		]);
		expect((await betAt(marketId, 'BACK', '1', 42)).code).toBe('RUNNER_SUSPENDED');
		expect((await betAt(marketId, 'BACK', '2', 220)).body.result).toMatchObject({ matchedStake: 100 });
		expect(await price('India', 50, 55, version)).toBe('');
		expect((await betAt(marketId, 'BACK', '1', 50)).body.result).toMatchObject({ matchedStake: 100 });
	});

	it.each([
		['a runner whose layers win against its backers', [['India', 44, 44]]],
		[
			'rates that pay more than is staked on all runners',
			[
				['India', 300, null],
				['Nepal', 300, null],
				['The Draw', 300, null],
			],
		],
		[
			'rates that take less than they risk on two runners',
			[
				['India', 90, 95],
				['Nepal', 80, 85],
			],
		],
	] as const)('is refused %s', async (_, prices) => {
		const { price } = await open();
		const codes: string[] = [];
		for (const [runner, back, lay] of prices) codes.push(await price(runner, back, lay));
		expect(codes.at(-1)).toBe('VALIDATION_FAILED');
		expect(codes.slice(0, -1).join('')).toBe('');
	});
});

describe('delay and limits of a market', () => {
	it('hold for the next bets, and are shown to players and stored', async () => {
		const match = await openTestMatch(server);
		const { marketId } = match;
		await asha.result('change-terms', { marketId, minStake: 50, maxStake: 80, betDelaySeconds: 7 });
		expect((await server.call('placeBetV2', betOn(match, { stake: 100 }), player.token)).code).toBe('STAKE_TOO_LARGE');
		expect((await server.call('placeBetV2', betOn(match, { stake: 20 }), player.token)).code).toBe('STAKE_TOO_SMALL');
		expect((await server.call('placeBetV2', betOn(match, { stake: 60 }), player.token)).code).toBeNull();
		const limits = { minStake: 50, maxStake: 80, betDelaySeconds: 7 };
		expect(await server.result('getUserLimits', { marketId }, player.token)).toMatchObject(limits);
		const { terms } = await bela.result<Risk>('market-risk', { marketId });
		expect(terms).toMatchObject(limits);
		const { rows } = await server.database.db.query(
			`select min_stake, max_stake, terms ->> 'betDelayMs' as delay from market_state where market_id = $1`,
			[Number(marketId)],
		);
		expect(rows).toEqual([{ min_stake: 5_000, max_stake: 8_000, delay: '7000' }]);
	});

	it('are refused where the smallest stake is above the largest', async () => {
		const { marketId } = await openTestMatch(server);
		expect(await asha.code('change-terms', { marketId, minStake: 100, maxStake: 50 })).toBe('VALIDATION_FAILED');
	});
});

describe('a suspension', () => {
	const journalOf = async (marketId: string) => {
		const { rows } = await server.database.db.query(
			`select actor, before ->> 'status' as before, after ->> 'status' as after, outcome from journal
			 where act = 'suspend' and subject = $1`,
			[`market ${marketId}`],
		);
		return rows;
	};
	const ENTRY = { actor: 'asha', before: 'OPEN', after: 'SUSPENDED', outcome: 'done' };

	it('holds before its note is durable, and is answered after', async () => {
		const match = await openTestMatch(server);
		const { marketId } = match;
		const locking = await server.database.db.connect();
		try {
			await locking.query('begin; lock table act_under_way in exclusive mode');
			let isAnswered = false;
			const answer = asha.code('suspend', { marketId }).finally(() => {
				isAnswered = true;
			});
			await expect.poll(() => server.running.exchange.market(Number(marketId))?.status).toBe('SUSPENDED');
			expect((await server.call('placeBetV2', betOn(match), player.token)).code).toBe('MARKET_SUSPENDED');
			expect([isAnswered, await journalOf(marketId)]).toEqual([false, []]);
			await locking.query('rollback');
			expect(await answer).toBe('');
		} finally {
			locking.release();
		}
		expect(await journalOf(marketId)).toEqual([ENTRY]);
	});

	it('has its row of the journal, though the database refused its note', async () => {
		const { marketId } = await openTestMatch(server);
		const { db } = server.database;
		await db.query(`alter table act_under_way add constraint no_note check (act <> 'suspend') not valid`);
		expect(await asha.code('suspend', { marketId })).toBe('');
		await db.query('alter table act_under_way drop constraint no_note');
		expect(await journalOf(marketId)).toEqual([ENTRY]);
	});
});

describe('two traders at one market', () => {
	it('a resumption that was decided before a suspension is refused, though the market was suspended already', async () => {
		const { marketId } = await openTestMatch(server);
		const { version: seenVersion } = await asha.result<Standing>('suspend', { marketId });
		await bela.result('suspend', { marketId });
		expect(await asha.code('resume', { marketId, seenVersion })).toBe('WRONG_MARKET_STATE');
		const { status, version } = await asha.result<Risk>('market-risk', { marketId });
		expect(status).toBe('SUSPENDED');
		expect(await asha.result('resume', { marketId, seenVersion: version })).toMatchObject({ status: 'OPEN' });
	});

	it('a runner is not resumed by a trader who has not seen that the other suspended it again', async () => {
		const { marketId } = await openTestMatch(server);
		const on = { marketId, runner: 'India' };
		const { version: seenVersion } = await asha.result<Standing>('suspend-runner', on);
		const { version } = await bela.result<Standing>('suspend-runner', on);
		expect(await asha.code('resume-runner', { ...on, seenVersion })).toBe('WRONG_MARKET_STATE');
		const statuses = ({ runners }: Standing) => runners.map(({ status }) => status);
		expect(statuses(await asha.result<Risk>('market-risk', { marketId }))[0]).toBe('SUSPENDED');
		expect(statuses(await asha.result<Standing>('resume-runner', { ...on, seenVersion: version }))[0]).toBe('ACTIVE');
	});

	/** Each acts on what it saw last, which may be old; the other acts at the same time. */
	onSeeds([1, 2, 3], 'lose no suspension, and see one and the same state at the end (seed %i)', async (seed) => {
		const random = new SeededNumbers(seed);
		const { match, fancy } = await openFancy();
		const { marketId } = fancy;
		const traders = [asha, bela].map((client) => ({ client, seen: fancy }));
		/** Acknowledged suspensions and what opened the market, in the order of their answers. */
		const opened: { seenVersion: number; version: number }[] = [];
		const suspended: number[] = [];
		const act = async (one: { client: ConsoleClient; seen: Standing }) => {
			const kind = random.below(100);
			const { client } = one;
			const seenVersion = one.seen.version;
			if (kind < 30) one.seen = await client.result<Risk>('market-risk', { marketId });
			else if (kind < 50) suspended.push((await client.result<Standing>('suspend', { marketId })).version);
			else if (kind < 60) await client.result('panic', { eventId: match.eventId });
			else if (kind < 65) await client.result('change-terms', { marketId, maxStake: 1_000 + random.below(1_000) });
			else {
				const line = 3 + random.below(10);
				const prices = { no: at(line), yes: at(line + 1) };
				const name = kind < 80 ? 'resume' : 'price-fancy';
				const { body } = await client.call(name, { marketId, seenVersion, ...(name === 'resume' ? {} : prices) });
				if (body.success) opened.push({ seenVersion, version: (body.result as Standing).version });
				else expect(body.error?.code).toBe('WRONG_MARKET_STATE');
			}
		};
		const play = async (one: { client: ConsoleClient; seen: Standing }) => {
			for (let turn = 0; turn < 25; turn++) await act(one);
		};
		await Promise.all(traders.map(play));
		expect(opened.length).toBeGreaterThan(0);
		// Versions rise with suspensions alone, so one that opened the market had seen every suspension before it.
		const { status, version, books } = await asha.result<Risk>('market-risk', { marketId });
		const last = Math.max(...opened.map(({ seenVersion }) => seenVersion));
		if (status === 'OPEN') expect(last).toBe(version);
		else expect(last).toBeLessThanOrEqual(version);
		expect(version).toBeGreaterThanOrEqual(Math.max(...suspended));
		expect(await bela.result('market-risk', { marketId })).toMatchObject({ status, version, books });
		// The prices of one trader stand whole: one line for NO, and the next for YES.
		const { markets } = await bela.result<EventMarkets>('event-markets', { eventId: match.eventId });
		const { no, yes } = markets.find((one) => one.marketId === marketId)?.fancy ?? {};
		if (no) expect(yes?.line).toBe(no.line + 1);
		// A suspension that was acknowledged holds, whatever is decided on what was seen before it.
		const stale = version;
		await asha.result('suspend', { marketId });
		const prices = { no: at(5), yes: at(6) };
		const codes = await Promise.all([
			bela.code('resume', { marketId, seenVersion: stale }),
			bela.code('price-fancy', { marketId, seenVersion: stale, ...prices }),
		]);
		expect(codes).toEqual(['WRONG_MARKET_STATE', 'WRONG_MARKET_STATE']);
		expect(server.running.exchange.market(Number(marketId))?.status).toBe('SUSPENDED');
	});
});
