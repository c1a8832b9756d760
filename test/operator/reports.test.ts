/** Reports, the casino's figures and campaigns: what staff reads is what players won and lost. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorInput, OperatorResult } from '#contract/operators/operator-call.ts';
import type { OPERATOR_CALLS, OperatorCallName } from '#contract/operators/registry.ts';
import { hashPassword } from '#server/players/passwords.ts';
import { csvOf } from '#values/csv.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type InputOf<Name extends OperatorCallName> = OperatorInput<(typeof OPERATOR_CALLS)[Name]>;
type ResultOf<Name extends OperatorCallName> = OperatorResult<(typeof OPERATOR_CALLS)[Name]>;

const PASSWORD = 'Correct-horse-9';
/** India's calendar. */
const TODAY = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
const TOMORROW = new Date(Date.now() + 19_800_000 + 86_400_000).toISOString().slice(0, 10);

let server: TestServer;
let owner: ConsoleClient;
let ofRoyal: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	owner = await member('owner of all', null);
	ofRoyal = await member('of royal', ['royal.localhost']);
});
afterAll(() => server.dispose());

async function member(name: string, brands: string[] | null): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	const { directory } = server.running.staff;
	await directory.add({ name, passwordHash, roles: ['owner'], brands }, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const asked = <Name extends OperatorCallName>(name: Name, input: InputOf<Name>, by = owner) =>
	by.result<ResultOf<Name>>(name, input as object);
const profit = (by: InputOf<'report-profit'>['by'], client = owner) =>
	asked('report-profit', { from: TODAY, to: TOMORROW, by }, client);

describe('a report of profit', () => {
	it('has what players won and paid, by brand, sport, market and day, and nothing of other brands', async () => {
		const match = await openTestMatch(server, { title: 'Asha v Bela' });
		const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
		await match.settle(0);
		// 200 won and 200 lost; 2 % of the winnings.
		const figures = { pool: 'DEMO', players: 2, results: 2, playersWon: 0, commission: 4, bonuses: 0, house: 4 };
		expect(await profit('brand')).toMatchObject([{ group: 'localhost', ...figures }]);
		expect(await profit('sport')).toMatchObject([{ group: 'cricket', ...figures }]);
		expect(await profit('market')).toMatchObject([{ group: 'Asha v Bela · Match Odds', ...figures }]);
		expect(await profit('day')).toMatchObject([figures]);
		expect(await profit('brand', ofRoyal)).toEqual([]);
		const accounts = await asked('trial-balance', { pool: 'DEMO' });
		expect(accounts.find(({ account }) => account === 'commission')?.balance).toBe(4);
		expect(Math.round(accounts.reduce((sum, { balance }) => sum + balance, 0) * 100)).toBe(0);
	});

	it('covers no more than 92 days', async () => {
		const input = { from: '2025-01-01', to: '2026-01-01', by: 'day' };
		expect(await owner.code('report-profit', input)).toBe('VALIDATION_FAILED');
	});
});

describe('the casino', () => {
	it('shows what its games took and paid, beside the exact return and how far luck goes', async () => {
		const player = await server.demoPlayer();
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
			pool: 'DEMO',
			rounds: 12,
			staked,
			paid,
			house: expect.closeTo(staked - paid),
		});
		expect(game?.measured).toBeCloseTo(paid / staked, 10);
		// Half of the time a bet pays 1.94, so its return is 0.97, and so is its deviation.
		expect(game?.exact).toBeCloseTo(0.97, 10);
		expect(game?.bound).toBeCloseTo((3.29 * 0.97) / Math.sqrt(12), 6);
		expect(await asked('casino-games', {}, ofRoyal)).toEqual([]);
		const rounds = await asked('casino-rounds', { playerId: String(player.userId) });
		expect(rounds).toHaveLength(12);
		const older = await asked('casino-rounds', { before: rounds[5]?.roundId ?? null });
		expect(older).toHaveLength(6);
		expect(await asked('casino-rounds', { open: true })).toEqual([]);
		expect(await profit('game')).toMatchObject([
			{ results: 12, staked, playersWon: expect.closeTo(paid - staked), house: expect.closeTo(staked - paid) },
		]);
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
