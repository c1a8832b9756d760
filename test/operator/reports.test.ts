/** Reports, the casino's figures and campaigns: what staff reads is what players won and lost. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorInput, OperatorResult } from '#contract/operators/operator-call.ts';
import type { ConsoleCallName, OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { GameWallet } from '#server/money/casino/game-wallet.ts';
import { BONUS } from '#server/money/funds/machines/bonus.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { csvOf } from '#values/csv.ts';
import { DAY_MS } from '#values/time.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type InputOf<Name extends ConsoleCallName> = OperatorInput<(typeof OPERATOR_CALLS)[Name]>;
type ResultOf<Name extends ConsoleCallName> = OperatorResult<(typeof OPERATOR_CALLS)[Name]>;

const PASSWORD = 'Correct-horse-9';
/** India's calendar. */
const TODAY = dayName(dayOf(Date.now(), HOME_ZONE));
const TOMORROW = dayName(dayOf(Date.now(), HOME_ZONE) + 1);

let server: TestServer;
let owner: ConsoleClient;
let ofRoyal: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	owner = await member('owner of all', null);
	ofRoyal = await member('of royal', ['royal.localhost']);
});
afterAll(() => server.dispose());

/** A player of play money who can play rounds of the house. */
async function gambler(): Promise<Player> {
	const player = await signUp(server);
	await server.beginSeeds(player);
	return player;
}

async function member(name: string, brands: string[] | null): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	const { directory } = server.running.staff;
	await directory.add({ name, passwordHash, roles: ['owner'], brands }, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const asked = <Name extends ConsoleCallName>(name: Name, input: InputOf<Name>, by = owner) =>
	by.result<ResultOf<Name>>(name, input as object);
const profit = (by: InputOf<'report-profit'>['by'], client = owner) =>
	asked('report-profit', { from: TODAY, to: TOMORROW, by }, client);

describe('a report of profit', () => {
	it('has what players won and paid, by brand, sport, market and day, and nothing of other brands', async () => {
		const match = await openTestMatch(server, { title: 'Asha v Bela' });
		const [backer, layer] = [await signUp(server), await signUp(server)];
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
		await match.settle(0);
		// 200 won and 200 lost; 2 % of the winnings. The backer risked 100, the layer 200.
		const figures = {
			pool: 'PLAY',
			players: 2,
			results: 2,
			turnover: 300,
			playersWon: 0,
			commission: 4,
			ggr: 4,
			bonuses: 0,
			house: 4,
		};
		expect(await profit('brand')).toMatchObject([{ group: 'localhost', ...figures }]);
		expect(await profit('sport')).toMatchObject([{ group: 'cricket', ...figures }]);
		expect(await profit('market')).toMatchObject([{ group: 'Asha v Bela · Match Odds', ...figures }]);
		expect(await profit('day')).toMatchObject([figures]);
		expect(await profit('brand', ofRoyal)).toEqual([]);
		const accounts = await asked('trial-balance', { pool: 'PLAY' });
		expect(accounts.find(({ account }) => account === 'commission')?.balance).toBe(4);
		expect(Math.round(accounts.reduce((sum, { balance }) => sum + balance, 0) * 100)).toBe(0);
	});

	it('covers no more than 92 days', async () => {
		const until = (to: string) => owner.code('report-profit', { from: '2025-01-01', to, by: 'day' });
		expect([await until('2025-04-02'), await until('2025-04-03')]).toEqual(['', 'VALIDATION_FAILED']);
	});
});

describe('the books day by day', () => {
	const ACCOUNTS = ['cash', 'exposure', 'gateway', 'bank', 'commission', 'mint'] as const;
	/** The day on the wall clocks of India, as the runtime's own calendar has it. */
	const INDIA = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' });

	/** Postings of a pool that has no others, from the first to the sixth of March; many lie just before or at midnight. */
	async function postings(numbers: SeededNumbers) {
		const rows = Array.from({ length: 400 }, (_, line) => {
			const midnight = Date.parse(`2026-03-0${2 + numbers.below(5)}T00:00:00+05:30`);
			const at = midnight + numbers.from([0, 0, -1, 1, -numbers.below(DAY_MS)]);
			const debit = numbers.from(ACCOUNTS);
			const credit = numbers.from(ACCOUNTS.filter((account) => account !== debit));
			return { line, at, debit, credit, amount: 1 + numbers.below(100_000) };
		});
		const of = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
		await server.database.db.query(
			`insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
			   wallet_id, cash_after, market_id)
			 select 0, line, at, 'TEST', line, 0, 'REAL', debit, 0, credit, 0, amount, 0, 0, 0
			 from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::bigint[]) as row (line, at, debit, credit, amount)`,
			[of('line'), of('at'), of('debit'), of('credit'), of('amount')],
		);
		return rows;
	}

	onSeeds([1, 2], 'are what the postings say, and come to zero each midnight, seed %i', async (seed) => {
		await server.database.db.query(`delete from posting where pool = 'REAL'`);
		const rows = await postings(new SeededNumbers(seed));
		const days = ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
		const entries = await asked('day-books', { pool: 'REAL', from: '2026-03-03', to: '2026-03-06' });
		const minor = (major: number) => Math.round(major * 100);
		const sumOf = (account: string, side: 'debit' | 'credit', isIn: (day: string) => boolean) =>
			rows
				.filter((row) => row[side] === account && isIn(INDIA.format(row.at)))
				.reduce((sum, { amount }) => sum + amount, 0);
		for (const day of days) {
			for (const account of ACCOUNTS) {
				const before = (date: string) => date < day;
				const opening = sumOf(account, 'credit', before) - sumOf(account, 'debit', before);
				const [debits, credits] = [
					sumOf(account, 'debit', (of) => of === day),
					sumOf(account, 'credit', (of) => of === day),
				];
				const entry = entries.find((one) => one.day === day && one.account === account);
				const { opening: has = 0, debits: took = 0, credits: gave = 0, closing = 0 } = entry ?? {};
				expect([day, account, minor(has), minor(took), minor(gave), minor(closing)]).toEqual([
					day,
					account,
					opening,
					debits,
					credits,
					opening + credits - debits,
				]);
			}
			const ofDay = entries.filter((entry) => entry.day === day);
			const total = (name: 'opening' | 'debits' | 'credits' | 'closing') =>
				ofDay.reduce((sum, entry) => sum + minor(entry[name]), 0);
			expect([total('opening'), total('closing'), total('debits') - total('credits')]).toEqual([0, 0, 0]);
		}
		expect(new Set(entries.map(({ day }) => day))).toEqual(new Set(days));
	});

	it('close as the trial balance of the same day does', async () => {
		const day = TODAY;
		const closings = (await asked('day-books', { pool: 'PLAY', from: day, to: day })).filter(
			({ closing }) => closing !== 0,
		);
		const balances = await asked('trial-balance', { pool: 'PLAY', day });
		expect(closings.map(({ account, closing }) => ({ account, balance: closing }))).toEqual(balances);
	});

	it('lead to each account’s postings, from the balance before to the balance after', async () => {
		const balances = await asked('trial-balance', { pool: 'PLAY', day: TODAY });
		expect(balances.length).toBeGreaterThan(2);
		for (const { account, balance } of balances) {
			const ofDay = { pool: 'PLAY', account, from: TODAY, opening: true } as const;
			const { opening, credits, debits } = await asked('postings', ofDay);
			expect([account, (opening ?? Number.NaN) + credits - debits]).toEqual([account, expect.closeTo(balance, 6)]);
			// The next day begins with it.
			expect((await asked('postings', { ...ofDay, from: TOMORROW })).opening).toBe(balance);
			expect((await asked('postings', { ...ofDay, opening: false })).opening).toBeNull();
			// What is a part of the account has no balance, nor do staff of one brand learn that of all.
			expect((await asked('postings', { ...ofDay, brand: 'localhost' })).opening).toBeNull();
			expect((await asked('postings', ofDay, ofRoyal)).opening).toBeNull();
		}
	});

	it('cover no more than 92 days, and no day of another brand’s staff', async () => {
		const period = { pool: 'PLAY', from: '2025-01-01', to: '2025-04-03' } as const;
		expect(await owner.code('day-books', period)).toBe('VALIDATION_FAILED');
		expect(await owner.code('day-books', { ...period, to: '2025-04-02' })).toBe('');
		expect(await ofRoyal.code('day-books', { ...period, from: period.to })).toBe('FORBIDDEN');
	});
});

describe('the casino', () => {
	it('shows what its games took and paid, beside the exact return and how far luck goes', async () => {
		const player = await gambler();
		let [staked, paid] = [0, 0];
		for (let turn = 0; turn < 12; turn++) {
			const bets = [{ bet: turn % 2 === 0 ? 'heads' : 'tails', stake: 10 }];
			const { round } = await server.result(
				'playRound',
				{ game: 'coin-flip', bets, clientRequestId: randomUUID() },
				player.token,
			);
			staked += round.stake;
			paid += round.payout;
		}
		paid = Math.round(paid * 100) / 100;
		const [game] = await asked('casino-games', {});
		expect(game).toMatchObject({
			game: 'coin-flip',
			pool: 'PLAY',
			rounds: 12,
			staked,
			paid,
			house: expect.closeTo(staked - paid),
		});
		expect(game?.measured).toBeCloseTo(paid / staked, 10);
		// Half of the time a bet pays 1.94, so its return is 0.97, and so is its deviation.
		expect(game?.exact).toBeCloseTo(0.97, 10);
		expect(game?.bound).toBeCloseTo((3.29 * 0.97) / Math.sqrt(12), 6);
		const { rows: noted } = await server.database.db.query<{ at: number }>(
			`select at from journal where act = 'games-live'`,
		);
		expect(noted).toHaveLength(1);
		expect(game?.liveSince).toBe(new Date(noted[0]?.at ?? 0).toISOString());
		expect(await asked('casino-games', {}, ofRoyal)).toEqual([]);
		const rounds = await asked('casino-rounds', { playerId: String(player.userId) });
		expect(rounds).toHaveLength(12);
		const older = await asked('casino-rounds', { before: rounds[5]?.roundId ?? null });
		expect(older).toHaveLength(6);
		expect(await asked('casino-rounds', { open: true })).toEqual([]);
		expect(await profit('game')).toMatchObject([
			{ results: 12, turnover: staked, playersWon: expect.closeTo(paid - staked), ggr: expect.closeTo(staked - paid) },
		]);
	});
});

describe('the same figures elsewhere', () => {
	type Sums = Pick<ResultOf<'report-profit'>[number], 'turnover' | 'playersWon' | 'commission' | 'ggr'>;
	const NAMES = ['turnover', 'playersWon', 'commission', 'ggr'] as const;
	/** Minor units of play money. */
	const sumsOf = (rows: readonly (Sums & { pool: string })[]) =>
		NAMES.map((name) =>
			rows.filter(({ pool }) => pool === 'PLAY').reduce((sum, row) => sum + Math.round(row[name] * 100), 0),
		);
	const plus = (one: readonly number[], other: readonly number[]) => one.map((sum, at) => sum + (other[at] ?? 0));

	const done = async (act: string, input: object) => {
		const { body } = await server.operator(act, input);
		expect(body.error).toBeNull();
	};

	/** Bets of four players at random, rounds between them, and a result, a void, or a result after a reopening. */
	async function evening(numbers: SeededNumbers): Promise<void> {
		const players = await Promise.all(Array.from({ length: 4 }, () => signUp(server)));
		for (const player of players) await server.beginSeeds(player);
		for (let market = 0; market < 3; market++) {
			const match = await openTestMatch(server, { title: `Random ${market}` });
			for (let bet = 0; bet < 14; bet++) {
				const player = numbers.from(players);
				const changes = {
					side: numbers.from(['BACK', 'LAY']),
					price: numbers.from([1.5, 2, 3]),
					stake: numbers.from([100, 150, 333]),
					runnerId: numbers.from(match.runnerIds),
				};
				await server.call('placeBetV2', betOn(match, changes), player.token);
				if (!numbers.chance(30)) continue;
				const bets = [{ bet: 'heads', stake: 10 + numbers.below(40) }];
				await server.result('playRound', { game: 'coin-flip', bets, clientRequestId: randomUUID() }, player.token);
			}
			if (market === 1) await done('void', { marketId: match.marketId });
			else await match.settle(numbers.below(2));
			if (market === 2) {
				await done('reopen', { marketId: match.marketId });
				await done('settle', { marketId: match.marketId, winners: [numbers.from(['India', 'Nepal'])] });
			}
		}
	}

	onSeeds(
		[1, 2],
		'are the same in every grouping, on Today, in bets and rounds, and in the books, seed %i',
		async (seed) => {
			await evening(new SeededNumbers(seed));
			const byBrand = await profit('brand');
			const sums = sumsOf(byBrand);
			for (const by of ['day', 'hour', 'sport'] as const) expect([by, sumsOf(await profit(by))]).toEqual([by, sums]);
			expect(plus(sumsOf(await profit('market')), sumsOf(await profit('game')))).toEqual(sums);
			const today = await asked('today', {});
			expect(sumsOf(today.brands)).toEqual(sums);
			expect(sumsOf(today.hours)).toEqual(sums);
			expect(today.hours.map(({ hour }) => hour)).toEqual((await profit('hour')).map(({ group }) => group));
			// Each market is the only one of its event, so what is at risk in it is the worse of its two results.
			const risked = await server.database.db.query<{ minor: number }>(
				`select (select sum(ceil(greatest(0, -first, -second) / 100)) from (
				     select sum(case runner when 0 then pays else -stakes end) as first,
				       sum(case runner when 1 then pays else -stakes end) as second
				     from (select *, case side when 0 then 1 else -1 end * (matched_value - matched * 100) as pays,
				       case side when 0 then 1 else -1 end * matched * 100 as stakes
				       from bet where result in ('WON', 'LOST') and pool = 'PLAY') as decided group by market_id, wallet_id
				   ) as position)
				   + (select sum((data ->> 'stake')::bigint) from workflow where kind = 'CASINO') as minor`,
			);
			expect(sums[0]).toBe(Number(risked.rows[0]?.minor));
			// Players bet against each other alone, so that the house has commission, what rounds took, and what rounding left.
			const books = (await asked('day-books', { pool: 'PLAY', from: TODAY, to: TOMORROW })).filter(
				({ day, account }) => day === TODAY && ['commission', 'casino', 'rounding'].includes(account),
			);
			const moved = books.reduce((sum, { credits, debits }) => sum + Math.round((credits - debits) * 100), 0);
			expect(sums[3]).toBe(moved);
			// Every figure that leads to postings is their sum.
			const sumOf = async (more: object) => {
				const { credits, debits } = await asked('postings', { account: 'commission', pool: 'PLAY', ...more });
				return Math.round((credits - debits) * 100);
			};
			for (const { group, pool, commission } of byBrand)
				if (pool === 'PLAY')
					expect(await sumOf({ from: TODAY, to: TOMORROW, brand: group })).toBe(Math.round(commission * 100));
			for (const { pool, hour, host, commission } of today.hours)
				if (pool === 'PLAY') expect(await sumOf({ from: hour, brand: host })).toBe(Math.round(commission * 100));
		},
	);

	it('lead to a player’s postings, page by page to the balances, and to none of another brand', {
		tags: 'thorough',
	}, async () => {
		const player = await gambler();
		const playerId = String(player.userId);
		for (let round = 0; round < 260; round++) {
			const bets = [{ bet: 'heads', stake: 10 }];
			await server.result('playRound', { game: 'coin-flip', bets, clientRequestId: randomUUID() }, player.token);
		}
		const match = await openTestMatch(server, { title: 'Held' });
		for (let bet = 0; bet < 180; bet++) await server.call('placeBetV2', betOn(match, { stake: 100 }), player.token);
		const [cash, exposure] = server.money(player);
		const balances = { cash, exposure };
		for (const [account, balance] of Object.entries(balances)) {
			const { credits, debits } = await asked('postings', { playerId, account });
			expect([account, credits - debits]).toEqual([account, expect.closeTo(balance, 6)]);
		}
		const ofMarket = await asked('postings', { marketId: match.marketId, account: 'exposure' });
		expect(ofMarket.credits - ofMarket.debits).toBeCloseTo(exposure, 6);
		const ids: string[] = [];
		let all = 0;
		for (let before: string | null = ''; before !== null; ) {
			const page: ResultOf<'postings'> = await asked('postings', { playerId, before });
			ids.push(...page.rows.map(({ id }) => id));
			({ next: before, count: all } = page);
		}
		expect(ids.length).toBeGreaterThan(500);
		expect(new Set(ids).size).toBe(all);
		expect(ids).toHaveLength(all);
		expect(await asked('postings', { playerId }, ofRoyal)).toMatchObject({ count: 0, rows: [] });
		expect(await asked('postings', { brand: 'localhost' }, ofRoyal)).toMatchObject({ count: 0, rows: [] });
		expect(await owner.code('postings', { from: '2025-01-01', to: '2025-04-03' })).toBe('VALIDATION_FAILED');
		expect(await owner.code('postings', { from: '2025-01-01', to: '2025-04-02' })).toBe('');
	});
});

describe('players at limits', () => {
	it('stand on Today from nine tenths of a limit on, the most used first, for staff of their brand', async () => {
		const [near, full, far] = [await signUp(server), await signUp(server), await signUp(server)];
		for (const [{ token }, amount] of [
			[near, 900],
			[full, 1_000],
			[far, 899],
		] as const) {
			await server.result('setLimits', { depositDay: 1_000 }, token);
			await server.result('generatePayment', { amount, clientRequestId: randomUUID() }, token);
		}
		const at = { what: 'deposit', period: 'DAY', limit: 1_000 };
		expect((await asked('today', {})).atLimits).toMatchObject([
			{ playerId: String(full.userId), ...at, used: 1_000 },
			{ playerId: String(near.userId), ...at, used: 900 },
		]);
		expect((await asked('today', {}, ofRoyal)).atLimits).toEqual([]);
	});

	it('of losses stand there, too', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		await server.result('setLimits', { lossWeek: 100 }, player.token);
		const match = await openTestMatch(server, { title: 'A lost one' });
		await server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), player.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake: 100 }), other.token);
		const ofPlayer = async () =>
			(await asked('today', {})).atLimits.filter(({ playerId }) => playerId === String(player.userId));
		expect(await ofPlayer()).toEqual([]);
		await match.settle(1);
		expect(await ofPlayer()).toMatchObject([{ what: 'loss', period: 'WEEK', limit: 100, used: 100 }]);
	});
});

describe('the lifetime of players', () => {
	const of = (by: 'player' | 'month', client = owner) =>
		asked('report-lifetime', { from: TODAY, to: TOMORROW, by }, client);

	onSeeds([1, 2], 'is what their page and the profit of all days say, seed %i', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const players = await Promise.all(Array.from({ length: 4 }, () => signUp(server)));
		for (const { token } of players.slice(1)) {
			const match = await openTestMatch(server, { title: 'Lifetimes' });
			const price = numbers.from([1.5, 2, 3]);
			const stake = numbers.from([100, 333]);
			const [backer, layer] = numbers.chance(50) ? [players[1]?.token, token] : [token, players[2]?.token];
			await server.call('placeBetV2', betOn(match, { price, stake }), backer);
			await server.call('placeBetV2', betOn(match, { side: 'LAY', price, stake: stake + 50 }), layer);
			const bets = [{ bet: 'heads', stake: 10 + numbers.below(40) }];
			await server.beginSeeds({ token });
			await server.result('playRound', { game: 'coin-flip', bets, clientRequestId: randomUUID() }, token);
			await match.settle(numbers.below(2));
			const amount = 500 + numbers.below(100);
			const order = { amount, clientRequestId: randomUUID() };
			const { orderId } = await server.result('generatePayment', order, token);
			// Both reads below find the money: the provider tells of it a moment after the order.
			const status = async () => (await server.result('checkPayment', { orderId }, token)).status;
			await expect.poll(status).toBe('SUCCESS');
		}
		const rows = await of('player');
		expect(rows.find(({ playerId }) => playerId === String(players[0]?.userId))).toMatchObject({
			active: 0,
			firstBet: null,
			days: 0,
			turnover: 0,
			ggr: 0,
		});
		for (const { userId } of players) {
			const row = rows.find(({ playerId }) => playerId === String(userId));
			const page = await asked('player', { playerId: String(userId) });
			expect((row?.deposits ?? 0) - (row?.withdrawals ?? 0)).toBeCloseTo(page.netDeposits, 6);
			expect(0 - (row?.ggr ?? 0)).toBeCloseTo(page.netPosition, 6);
		}
		const total = (list: readonly { pool: string; turnover: number; ggr: number }[], name: 'turnover' | 'ggr') =>
			list.filter(({ pool }) => pool === 'PLAY').reduce((sum, row) => sum + Math.round(row[name] * 100), 0);
		const byMonth = await of('month');
		const byBrand = await profit('brand');
		for (const name of ['turnover', 'ggr'] as const) {
			expect(total(byMonth, name)).toBe(total(rows, name));
			expect(total(byBrand, name)).toBe(total(rows, name));
		}
		expect(byMonth).toMatchObject([{ group: TODAY.slice(0, 7), brand: 'localhost', players: rows.length }]);
		expect(await of('player', ofRoyal)).toEqual([]);
	});
});

describe('what is late', () => {
	/** Moves the steps of a workflow, each with its one posting, by that many days each. Numbers rise with the opening. */
	async function moveSteps(kind: string, id: number, days: readonly number[]): Promise<void> {
		const { db } = server.database;
		for (const [step, by] of days.entries()) {
			const values = [kind, id, step, by * DAY_MS];
			await db.query('update workflow_step set at = at + $4 where kind = $1 and id = $2 and step = $3 + 1', values);
			await db.query('update posting set at = at + $4 where kind = $1 and ref = $2 and step = $3', values);
		}
		const ends = [(days[0] ?? 0) * DAY_MS, (days.at(-1) ?? 0) * DAY_MS];
		await db.query('update workflow set opened_at = opened_at + $3, at = at + $4 where kind = $1 and id = $2', [
			kind,
			id,
			...ends,
		]);
		if (kind !== 'CASINO') return;
		for (const of of ['workflow set id', 'workflow_step set id', 'posting set ref', 'money_at_risk set ref']) {
			const [, column = ''] = of.split(' set ');
			const kindIs = of.startsWith('money_at_risk') ? `what = 'lantern-cups'` : `kind = 'CASINO'`;
			await db.query(`update ${of} = -$1::bigint where ${kindIs} and ${column} = $1`, [id]);
		}
	}

	const dayAgo = (days: number) => dayName(dayOf(Date.now(), HOME_ZONE) - days);
	const PERIOD = { from: dayAgo(8), to: TODAY };

	async function figures() {
		const days = await asked('report-profit', { ...PERIOD, by: 'day' });
		const of = (from: string, to: string) => asked('report-profit', { from, to, by: 'brand' });
		const books = await asked('day-books', { pool: 'PLAY', ...PERIOD });
		const { brands } = await asked('today', {});
		return {
			ggrOf: (day: string) => days.find(({ group }) => group === day)?.ggr ?? 0,
			resultsOf: (day: string) => days.find(({ group }) => group === day)?.results ?? 0,
			turnoverOf: (day: string) => days.find(({ group }) => group === day)?.turnover ?? 0,
			ofDays: days.reduce((sum, { ggr }) => sum + ggr, 0),
			ofPeriod: (await of(PERIOD.from, PERIOD.to))[0]?.ggr ?? 0,
			bonusesOf: async (day: string) => (await of(day, day))[0]?.bonuses ?? 0,
			bonuses: (await of(TODAY, TODAY))[0]?.bonuses ?? 0,
			casino: books
				.filter(({ account }) => account === 'casino')
				.reduce((sum, { credits, debits }) => sum + credits - debits, 0),
			today: brands.find(({ host, pool }) => host === 'localhost' && pool === 'PLAY')?.ggr ?? 0,
		};
	}

	it('a round counts at its end and its correction at its own time, however long after its opening they are', async () => {
		const before = await figures();
		const { userId: walletId } = await signUp(server);
		const wallet = new GameWallet(server.running.exchange);
		const player = { walletId, pool: 'PLAY' } as const;
		const game = 'lantern-cups';
		/** Minor units. */
		const played = async (stake: number, payout: number) => {
			const opened = await wallet.bet(player, { data: { game, stake, payout: 0 }, stake }, {});
			const { id = 0 } = opened.workflows?.[0] ?? {};
			await wallet.settle(player, id, { data: { payout }, payout, atRisk: { game, round: null, amount: stake } }, {});
			return id;
		};
		const corrected = await played(10_000, 4_000);
		const correction = { data: { payout: 7_000 }, amount: 3_000, claims: [] };
		await wallet.adjust(player, { id: corrected, state: 'SETTLED' }, correction);
		await moveSteps('CASINO', corrected, [-7, -4, 0]);
		await moveSteps('CASINO', await played(5_000, 0), [-3, 0]);
		const after = await figures();
		expect(after.ggrOf(dayAgo(4)) - before.ggrOf(dayAgo(4))).toBeCloseTo(60, 6);
		expect(after.resultsOf(dayAgo(4)) - before.resultsOf(dayAgo(4))).toBe(1);
		expect(after.turnoverOf(dayAgo(4)) - before.turnoverOf(dayAgo(4))).toBeCloseTo(100, 6);
		expect(after.ggrOf(TODAY) - before.ggrOf(TODAY)).toBeCloseTo(50 - 30, 6);
		expect(after.resultsOf(TODAY) - before.resultsOf(TODAY)).toBe(1);
		expect(after.turnoverOf(TODAY) - before.turnoverOf(TODAY)).toBeCloseTo(50, 6);
		expect(after.today - before.today).toBeCloseTo(50 - 30, 6);
		expect([after.ofDays, after.ofPeriod - before.ofPeriod]).toEqual([
			expect.closeTo(after.ofPeriod, 6),
			expect.closeTo(after.casino - before.casino, 6),
		]);
	});

	it('bonuses are a cost where nothing was settled, too, those that operators give among them', async () => {
		const { userId: walletId } = await signUp(server);
		const { ledger, decisions } = server.running.funds;
		const day = dayAgo(6);
		const of = async () => (await asked('report-profit', { from: day, to: day, by: 'brand' }))[0];
		expect(await of()).toBeUndefined();
		const data = { brand: 'localhost', campaign: 'coins', title: 'Coins', amount: 500 };
		const given = { event: 'give', facts: null, amounts: { amount: 500 }, actor: 'player', data };
		const { id } = await ledger.begin(BONUS, { walletId, pool: 'PLAY' }, given);
		await moveSteps('BONUS', id, [-6]);
		expect(await of()).toMatchObject({ group: 'localhost', pool: 'PLAY', results: 0, ggr: 0, bonuses: 5, house: -5 });
		const adjusted = { playerId: String(walletId), amount: 20, reasonCode: 'BONUS', reason: 'a long wait' } as const;
		const { id: adjustment } = await asked('adjust', adjusted);
		const decision = {
			kind: 'ADJUSTMENT',
			id: Number(adjustment),
			event: 'approve',
			operator: 'bala',
			reason: '',
		} as const;
		await decisions.decide(decision);
		await expect.poll(async () => (await ledger.find('ADJUSTMENT', Number(adjustment))).state).toBe('POSTED');
		await moveSteps('ADJUSTMENT', Number(adjustment), [-6, -6, -6]);
		expect(await of()).toMatchObject({ bonuses: 25, house: -25 });
		const books = await asked('day-books', { pool: 'PLAY', from: day, to: day });
		const cost = books.filter(({ account }) => account === 'bonus_cost');
		expect(cost.reduce((sum, { credits, debits }) => sum + debits - credits, 0)).toBe(25);
	});

	it('a bonus is a cost of the day that gave it, and less one of the day that took it back', async () => {
		const before = await figures();
		const { userId: walletId } = await signUp(server);
		const { ledger } = server.running.funds;
		const data = { brand: 'localhost', campaign: 'coins', title: 'Coins', amount: 500 };
		const given = { event: 'give', facts: null, amounts: { amount: 500 }, actor: 'player', data };
		const { id } = await ledger.begin(BONUS, { walletId, pool: 'PLAY' }, given);
		await moveSteps('BONUS', id, [-4]);
		expect(await before.bonusesOf(dayAgo(4))).toBe(5);
		const step = (event: string) => ({ event, facts: null, amounts: { amount: 500 }, actor: 'asha' });
		await ledger.happen(BONUS, await ledger.find('BONUS', id), step('propose'));
		expect(await before.bonusesOf(dayAgo(4))).toBe(5);
		expect((await figures()).bonuses).toBe(before.bonuses);
		await ledger.happen(BONUS, await ledger.find('BONUS', id), step('claw-back'));
		expect(await before.bonusesOf(dayAgo(4))).toBe(5);
		expect((await figures()).bonuses).toBe(before.bonuses - 5);
	});
});

describe('a campaign', () => {
	it('is drawn up by two persons, and stopped by one', async () => {
		const host = 'royal.localhost';
		const campaign = { id: 'diwali', title: 'Diwali', kind: 'WELCOME' as const, amount: 100, budget: 1_000 };
		const before = (await asked('campaigns', { host })).map(({ id }) => id);
		expect(await owner.code('campaign-draw-up', { host, campaign })).toBe('SAME_PERSON');
		expect(await asked('campaign-dry-run', { host, campaign })).toMatchObject({ id: 'diwali', budget: 1_000 });
		const reason = 'the season begins';
		const { proposalId } = await asked('propose', { act: 'campaign-draw-up', input: { host, campaign }, reason });
		await asked('confirm', { proposalId }, ofRoyal);
		expect((await asked('campaigns', { host })).map(({ id }) => id)).toEqual([...before, 'diwali']);
		await asked('campaign-stop', { host, id: 'diwali' });
		expect((await asked('campaigns', { host })).map(({ id }) => id)).toEqual(before);
	});
});

describe('a file for a spreadsheet', () => {
	it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1'])('has no formula from a player’s text: %j', (text) => {
		const [, line = ''] = csvOf(['Name'], [[text]]).split(/\r\n/);
		expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
	});

	it('quotes commas, quotes and lines, and keeps figures', () => {
		expect(csvOf(['A', 'B'], [['a,"b"\n', -1.5]])).toBe('A,B\r\n"a,""b""\n",-1.5');
	});
});
