/** A result that is taken back, or is another one days later: the day of the first settlement stays as it was closed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashPassword } from '#server/people/players/passwords.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';

let server: TestServer;
let owner: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	const passwordHash = await hashPassword(PASSWORD);
	const by = { actor: 'test', address: null };
	await server.running.staff.directory.add({ name: 'owner', passwordHash, roles: ['owner'], brands: null }, by);
	owner = new ConsoleClient(server.url);
	await owner.result('log-in', { name: 'owner', password: PASSWORD });
});
afterAll(() => server.dispose());

const dayAgo = (days: number) => dayName(dayOf(Date.now(), HOME_ZONE) - days);
const DAYS = { from: dayAgo(8), to: dayAgo(0) };

/** A market in which one player backed and another one laid 100 at 3. */
async function betMarket() {
	const match = await openTestMatch(server);
	const [backer, layer] = [await signUp(server), await signUp(server)];
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
	return match;
}

/** As if what the market's results moved within the last hour had been that number of days ago. */
async function earlier(marketId: string, days: number): Promise<void> {
	const values = [Number(marketId), Date.now() - HOUR_MS, days * DAY_MS];
	for (const rows of [
		`posting set at = at - $3 where kind in ('MARKET_SETTLED', 'COMMISSION', 'MARKET_REOPENED') and ref`,
		'player_settlement set at = at - $3 where market_id',
		`money_at_risk set at = at - $3 where what = 'market' and ref`,
	])
		await server.database.db.query(`update ${rows} = $1 and at >= $2`, values);
}

interface Sums {
	results: number;
	turnover: number;
	playersWon: number;
	commission: number;
	ggr: number;
}
const rupees = ({ results, turnover, playersWon, commission, ggr }: Sums) => ({
	results,
	turnover,
	playersWon,
	commission,
	ggr,
});
const NOTHING = { results: 0, turnover: 0, playersWon: 0, commission: 0, ggr: 0 };

/** The figures of a day alone, of the day among the others, and the books' commission of that day. */
async function ofDay(days: number): Promise<Sums> {
	const day = dayAgo(days);
	const [alone] = await owner.result<Sums[]>('report-profit', { from: day, to: day, by: 'brand' });
	const all = await owner.result<(Sums & { group: string })[]>('report-profit', { ...DAYS, by: 'day' });
	const among = all.find(({ group }) => group === day);
	expect(rupees(among ?? NOTHING)).toEqual(rupees(alone ?? NOTHING));
	const books = await server.act<{ account: string; debits: number; credits: number }[]>('day-books', {
		pool: 'PLAY',
		from: day,
		to: day,
	});
	const { credits = 0, debits = 0 } = books.find(({ account }) => account === 'commission') ?? {};
	expect(credits - debits).toBeCloseTo(alone?.commission ?? 0, 6);
	return rupees(alone ?? NOTHING);
}

/** What 200 and 100 won at 2 % come to. */
const FIRST = { results: 2, turnover: 300, playersWon: 0, commission: 4, ggr: 4 };
const OTHER = { results: 0, turnover: 0, playersWon: 0, commission: 2, ggr: 2 };
const TAKEN_BACK = { results: 0, turnover: 0, playersWon: 0, commission: -4, ggr: -4 };

it('is a correction of the day that took it back and of the day that settled it otherwise', async () => {
	const match = await betMarket();
	const { marketId } = match;
	await match.settle(0);
	await earlier(marketId, 6);
	expect(await ofDay(6)).toEqual(FIRST);
	await server.act('reopen', { marketId });
	await earlier(marketId, 3);
	// What the market was decided by is at risk no more, until it is settled again.
	expect([await ofDay(6), await ofDay(3)]).toEqual([{ ...FIRST, turnover: 0 }, TAKEN_BACK]);
	await server.act('settle', { marketId, winners: ['Nepal'] });
	expect([await ofDay(6), await ofDay(3), await ofDay(0)]).toEqual([FIRST, TAKEN_BACK, OTHER]);
	const { brands } = await owner.result<{ brands: (Sums & { host: string })[] }>('today', {});
	expect(brands.find(({ host }) => host === 'localhost')).toMatchObject(OTHER);
	const lives = await owner.result<{ ggr: number; turnover: number }[]>('report-lifetime', { ...DAYS, by: 'month' });
	expect(lives.reduce((sum, { ggr }) => sum + ggr, 0)).toBe(2);
	expect(lives.reduce((sum, { turnover }) => sum + turnover, 0)).toBe(300);
	const [byMarket] = await owner.result<Sums[]>('report-profit', { ...DAYS, by: 'market' });
	expect(rupees(byMarket ?? NOTHING)).toEqual({ ...FIRST, commission: 2, ggr: 2 });
});

it('and takes back what was paid when the market is void later, or on the day itself', async () => {
	const [late, same] = [await betMarket(), await betMarket()];
	for (const match of [late, same]) await match.settle(0);
	await earlier(late.marketId, 5);
	const before = await ofDay(0);
	for (const { marketId } of [late, same]) {
		await server.act('reopen', { marketId });
		await server.act('void', { marketId });
	}
	const ofLate = { ...FIRST, turnover: 0 };
	expect(await ofDay(5)).toEqual(ofLate);
	// That of today has nothing left but its two results.
	expect(await ofDay(0)).toMatchObject({ results: before.results, ggr: before.ggr - 4 - 4 });
});
