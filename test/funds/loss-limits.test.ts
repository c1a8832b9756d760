/**
 * A loss limit where everything that can lose comes at once: bets, rounds, bets on Crash, and markets that are settled,
 * on two accounts of one person. At every posting the person has lost or risks no more than the limit.
 */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import { CALLS, type CallName, type Calls } from '#contract/registry.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { adjust } from '../support/adjustment.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { bearer, type Player, TestServer } from '../support/server.ts';
import { leaveShort } from '../support/short-position.ts';
import { signUp, signUpElsewhere } from '../support/sign-up.ts';

const LIMIT = 2_000;
const BURSTS = 10;
const ACTS_AT_ONCE = 12;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: 20 });
});
afterAll(() => server.dispose());

interface Account extends Player {
	/** Of its brand. */
	url: string;
}

async function ask(name: CallName, input: object, { url, token }: Account): Promise<string | null> {
	const headers = { 'Content-Type': 'application/json', ...bearer(token) };
	const body = JSON.stringify({ ...input, clientRequestId: freshRequestId() });
	return (await server.send(`/${CALLS[name].path}`, { method: 'POST', body, headers }, url)).code;
}

async function beginSeeds({ url, token }: Account): Promise<void> {
	const headers = { 'Content-Type': 'application/json', ...bearer(token) };
	const { body } = await server.send<ResultOf<Calls['getSeeds']>>(`/${CALLS.getSeeds.path}`, { headers }, url);
	const beginning = { clientSeed: 'a-seed-of-mine', commitment: body.result?.next.commitment };
	const begun = { method: 'POST', body: JSON.stringify(beginning), headers };
	expect((await server.send(`/${CALLS.rotateSeeds.path}`, begun, url)).code).toBeNull();
}

/** One act that may lose money. @returns its kind and its refusal */
async function act(numbers: SeededNumbers, accounts: readonly Account[], match: TestMatch): Promise<string> {
	const account = numbers.from(accounts);
	const stake = 50 + 10 * numbers.below(60);
	const kind = numbers.from(['bet', 'round', 'crash'] as const);
	const code =
		kind === 'bet'
			? await ask('placeBetV2', betOn(match, { stake, price: 2 }), account)
			: kind === 'round'
				? await ask('playRound', { game: 'dice', bets: [{ stake, bet: 'under-5000' }] }, account)
				: await ask('placeCrashBet', { slot: 1 + numbers.below(2), stake, autoCents: 150 }, account);
	return `${kind} ${code ?? 'accepted'}`;
}

/** The person's cash after each posting, in the ledger's order, less what was given. */
async function lossesOf(accounts: readonly Account[]): Promise<number[]> {
	const { rows } = await server.database.db.query<{ id: number; kind: string; cash: number; amount: number }>(
		`select wallet_id as id, kind, cash_after as cash, amount from posting where wallet_id = any($1) order by batch, line`,
		[accounts.map(({ userId }) => userId)],
	);
	const cash = new Map<number, number>();
	let given = 0;
	return rows.map((row) => {
		if (row.kind === 'COINS') given += row.amount;
		cash.set(row.id, row.cash);
		return (given - [...cash.values()].reduce((sum, each) => sum + each, 0)) / 100;
	});
}

onSeeds(
	[1, 2, 3],
	'is never passed by bets, rounds, Crash and settlements at one instant, walk %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const own = await signUp(server);
		const elsewhere = await signUpElsewhere(server, own.mobile);
		const accounts = [{ ...own, url: server.url }, elsewhere];
		await Promise.all(accounts.map(beginSeeds));
		await server.result('setLimits', { lossDay: LIMIT }, own.token);
		const opponent = { ...(await signUp(server)), url: server.url };
		const outcomes = new Set<string>();
		let settling = await openTestMatch(server);
		for (let burst = 0; burst < BURSTS; burst++) {
			const match = await openTestMatch(server);
			await ask('placeBetV2', betOn(match, { stake: LIMIT, price: 2, side: 'LAY' }), opponent);
			const acts = Array.from({ length: ACTS_AT_ONCE }, () => act(numbers, accounts, match));
			const [ended] = await Promise.all([Promise.all(acts), settling.settle(1)]);
			for (const outcome of ended) outcomes.add(outcome);
			settling = match;
		}
		expect(Math.max(...(await lossesOf(accounts)))).toBeLessThanOrEqual(LIMIT);
		expect([...outcomes]).toEqual(expect.arrayContaining(['bet accepted', 'bet LOSS_LIMIT', 'round LOSS_LIMIT']));
	},
	'thorough',
);

it('of the brand judges the first bets of a player, which arrive at once: none is refused for what is not read yet', async () => {
	const limit = (value: number | null) =>
		server.act('brand-set', { host: 'localhost', field: 'playerProtection.lossLimitDay', value: String(value) });
	await limit(LIMIT);
	onTestFinished(async () => void (await limit(null)));
	const player = { ...(await server.playPlayer()), url: server.url };
	const match = await openTestMatch(server);
	const bets = Array.from({ length: 3 }, () => ask('placeBetV2', betOn(match, { stake: LIMIT / 2, price: 2 }), player));
	expect((await Promise.all(bets)).sort()).toEqual([null, null, 'LOSS_LIMIT'].sort());
});

it('counts what open bets may lose beyond what is held for them', async () => {
	const player = { ...(await signUp(server)), url: server.url };
	await server.result('setLimits', { lossDay: 22_000 }, player.token);
	const { other } = await leaveShort(server, player);
	await adjust(server, player, 5_000);
	// The bets that lack money may lose 10,000.
	expect(await ask('placeBetV2', betOn(other, { stake: 12_100 }), player)).toBe('LOSS_LIMIT');
	expect(await ask('placeBetV2', betOn(other, { stake: 12_000 }), player)).toBeNull();
});
