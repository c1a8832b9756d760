/** Proposals whose confirmation a kill, or a database that refused a row, interrupted: what they made, and what is left of them. */
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Proposal } from '#contract/operators/proposals.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { Config } from '#server/process/config.ts';
import { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { DAY_MS } from '#values/time.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer, testConfig } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type ProposalView = v.InferOutput<typeof Proposal>;
const PASSWORD = 'Correct-horse-9';
/** Members confirm the results of the feed. */
const PROPOSED: Partial<Config> = { feeds: { ...testConfig('').feeds, proposedResults: ['test'] } };

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start(undefined, PROPOSED);
	for (const name of ['maker', 'checker']) {
		const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['owner'], brands: null };
		await server.running.staff.directory.add(about, { actor: 'test', address: null });
	}
	[maker, checker] = [await loggedIn('maker'), await loggedIn('checker')];
});
afterAll(() => server.dispose());

async function loggedIn(name: string): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const propose = (act: string, input: object) =>
	maker.result<ProposalView>('propose', { act, input, reason: 'as agreed' });

/** What a kill leaves between acts of proposals, or before them, and the proposals' marks; and the next start. */
async function dieBeforeTheMarks(proposed: readonly ProposalView[]): Promise<void> {
	const { database } = server;
	await server.stop();
	await database.db.query("update proposal set state = 'APPLYING', outcome = null where proposal_id = any ($1)", [
		proposed.map(({ proposalId }) => Number(proposalId)),
	]);
	server = await TestServer.start(database, PROPOSED);
	[maker, checker] = [await loggedIn('maker'), await loggedIn('checker')];
}

/** The state of proposals, as a member sees them. */
async function statesOf(proposed: readonly ProposalView[]): Promise<string[]> {
	const listed = await checker.result<ProposalView[]>('proposals', { open: false });
	return proposed.map(({ proposalId }) => listed.find((one) => one.proposalId === proposalId)?.state ?? '');
}

/** What two persons add, and how each is taken away again. */
async function added() {
	const host = 'royal.localhost';
	const at = new Date(Date.now() + DAY_MS).toISOString();
	const campaign = { id: 'added', title: 'Added', kind: 'FREE_COINS', amount: 10 };
	const asked = {
		'webhook-add': { host, url: 'http://127.0.0.1:9/hook', events: ['player.closed', 'finding.raised'] },
		'brand-schedule-guarded': { host, at, changes: [{ field: 'dailyCoins', value: '9' }] },
		'campaign-draw-up': { host, campaign },
	};
	const proposed = await Promise.all(Object.entries(asked).map(([act, input]) => propose(act, input)));
	const inPlace = async () => ({
		endpoints: (await checker.result<{ endpointId: string }[]>('webhook-list', { host })).map(
			({ endpointId }) => endpointId,
		),
		waiting: (await checker.result<{ scheduleId: string; state: string }[]>('brand-schedules', { host })).flatMap(
			({ scheduleId, state }) => (state === 'WAITING' ? [scheduleId] : []),
		),
		campaigns: (server.running.brands.byHost(host)?.setting.campaigns ?? []).map(({ id }) => id),
	});
	const takeAway = async () => {
		const { endpoints, waiting, campaigns } = await inPlace();
		for (const endpointId of endpoints) await maker.result('webhook-remove', { host, endpointId });
		for (const scheduleId of waiting) await maker.result('brand-schedule-withdraw', { host, scheduleId });
		for (const id of campaigns) await maker.result('campaign-stop', { host, id });
	};
	return { proposed, inPlace, takeAway };
}

const NOTHING_IN_PLACE = { endpoints: [], waiting: [], campaigns: [] };

describe('what two persons add', () => {
	it('is added once, and stays away once it is taken away, where the process died before its proposal was noted as applied', async () => {
		const { proposed, inPlace, takeAway } = await added();
		for (const { proposalId } of proposed) await checker.result('confirm', { proposalId });
		const before = await inPlace();
		await dieBeforeTheMarks(proposed);
		expect(await statesOf(proposed)).toEqual(proposed.map(() => 'APPLIED'));
		expect(await inPlace()).toEqual(before);
		await takeAway();
		for (const { proposalId } of proposed) expect(await checker.code('confirm', { proposalId })).toBe('WRONG_STATE');
		expect(await inPlace()).toEqual(NOTHING_IN_PLACE);
		await expectSound(server.database.db);
	});

	it('stays away once it is taken away, where the database refused the end of the act', async () => {
		const { proposed, inPlace, takeAway } = await added();
		const { db } = server.database;
		for (const { act, proposalId } of proposed) {
			await db.query(`alter table journal add constraint no_more check (act <> '${act}') not valid`);
			expect(await checker.code('confirm', { proposalId })).toBe('INTERNAL');
			await db.query('alter table journal drop constraint no_more');
		}
		expect(await statesOf(proposed)).toEqual(proposed.map(() => 'APPLIED'));
		await takeAway();
		for (const { proposalId } of proposed) expect(await checker.code('confirm', { proposalId })).toBe('WRONG_STATE');
		expect(await inPlace()).toEqual(NOTHING_IN_PLACE);
	});

	it('is noted as applied by the next confirmation, where the database refused to note it', async () => {
		const { proposed, inPlace, takeAway } = await added();
		const { db } = server.database;
		await db.query(`alter table proposal add constraint no_more check (state <> 'APPLIED') not valid`);
		for (const { proposalId } of proposed) expect(await checker.code('confirm', { proposalId })).toBe('INTERNAL');
		await db.query('alter table proposal drop constraint no_more');
		expect(await statesOf(proposed)).toEqual(proposed.map(() => 'OPEN'));
		const before = await inPlace();
		for (const { proposalId } of proposed)
			expect(await checker.result('confirm', { proposalId })).toMatchObject({ state: 'APPLIED' });
		expect(await inPlace()).toEqual(before);
		await takeAway();
	});
});

it('what a feed proposed makes way for the feed’s next result, where the database refused to note it as applied', async () => {
	const match = await openTestMatch(server);
	for (const side of ['BACK', 'LAY'] as const)
		await server.result('placeBetV2', betOn(match, { side }), (await server.demoPlayer()).token);
	await match.market.settle({ winners: [0] });
	const said = () => checker.result<ProposalView[]>('proposals', { marketId: match.marketId, open: false });
	const [{ proposalId } = { proposalId: '' }] = await said();
	const { db } = server.database;
	await db.query(`alter table proposal add constraint no_more check (state <> 'APPLIED') not valid`);
	expect(await checker.code('confirm', { proposalId })).toBe('INTERNAL');
	await db.query('alter table proposal drop constraint no_more');
	const { exchange, fixtures, resultProposals } = server.running;
	const { fixture, listing } = match.market;
	await new FixtureMarket({ exchange, fixtures, resultProposals }, fixture, listing).settle({ winners: [1] });
	expect((await said()).map(({ act, state }) => [act, state])).toEqual([
		['resettle', 'OPEN'],
		['settle', 'APPLIED'],
	]);
});

it('what two persons decide about staff, accounts and runners is noted as applied by the next start', async () => {
	const { directory } = server.running.staff;
	const add = async (name: string) => {
		const about = { name, passwordHash: 'none', roles: ['auditor'], brands: null };
		return String((await directory.add(about, { actor: 'test', address: null })).staffId);
	};
	const [staffId, forgetful] = [await add('moved'), await add('forgetful')];
	const secret = server.running.staff.keys.seal(Buffer.from('a second factor'), 'staff totp');
	await directory.enrol(Number(forgetful), secret, 0, { actor: 'test', address: null });
	const player = await signUp(server);
	const other = await signUp(server, { mobile: player.mobile });
	const [playerId, otherId] = [String(player.userId), String(other.userId)];
	await server.act('staff-player-link', { name: 'moved', playerId });
	const [runs, left] = [await openTestMatch(server), await openTestMatch(server)];
	for (const { marketId } of [runs, left]) await server.act('suspend', { marketId });
	await server.act('remove-runner', { marketId: left.marketId, runner: 'Nepal', reduction: 0 });
	const asked = {
		'staff-add': { name: 'newcomer', roles: ['auditor'], brands: ['royal.localhost'] },
		'staff-roles': { staffId, roles: ['trader'], brands: ['royal.localhost'] },
		'staff-role': { name: 'night shift', permissions: ['today.read'] },
		'staff-factor-reset': { staffId: forgetful },
		'staff-player-unlink': { staffId, playerId },
		'fact-refute': { playerId, otherId, kind: 'mobile', reason: 'a number with a new owner' },
		'remove-runner': { marketId: runs.marketId, runner: 'Nepal', reduction: 0 },
		'return-runner': { marketId: left.marketId, runner: 'Nepal' },
	};
	const proposed = await Promise.all(Object.entries(asked).map(([act, input]) => propose(act, input)));
	await dieBeforeTheMarks(proposed);
	expect(await statesOf(proposed)).toEqual(proposed.map(() => 'OPEN'));
	for (const { proposalId } of proposed) await checker.result('confirm', { proposalId });
	await dieBeforeTheMarks(proposed);
	expect(await statesOf(proposed)).toEqual(proposed.map(() => 'APPLIED'));
});

describe('what two persons change, where the process died before the proposal was noted as applied,', () => {
	const host = 'dune.localhost';
	const setting = () => {
		const found = server.running.brands.byHost(host)?.setting;
		if (!found) throw new Error(`there is no brand ${host}`);
		return found;
	};
	const proposeSet = (field: string, value: string) => propose('brand-set-guarded', { host, field, value });
	const proposeChange = (changes: object[]) =>
		propose('brand-change-guarded', { host, seen: setting().version, changes });
	const made = async (asked: Promise<ProposalView>) => {
		const proposal = await asked;
		await checker.result('confirm', { proposalId: proposal.proposalId });
		return proposal;
	};

	it('is applied from the next start on, and not made again', async () => {
		const set = await made(proposeSet('signUpCoins', '31'));
		const changes = [
			{ field: 'dailyCoins', value: '32' },
			{ field: 'funds.minDeposit', value: '133' },
		];
		const changed = await made(proposeChange(changes));
		const before = setting();
		expect(before).toMatchObject({ signUpCoins: 31, dailyCoins: 32, funds: { minDeposit: 133 } });
		await dieBeforeTheMarks([set, changed]);
		expect(await statesOf([set, changed])).toEqual(['APPLIED', 'APPLIED']);
		for (const { proposalId } of [set, changed])
			expect(await checker.code('confirm', { proposalId })).toBe('WRONG_STATE');
		expect(setting()).toEqual(before);
	});

	it('stays as later acts leave it, and what was not made yet is made if it still is what the proposal shows', async () => {
		const set = (field: string, value: string) => server.act('brand-set', { host, field, value });
		await set('signUpCoins', '0');
		await set('funds.minDeposit', '100');
		const changed = await made(proposeChange([{ field: 'funds.minDeposit', value: '144' }]));
		const raised = await made(proposeSet('signUpCoins', '41'));
		const same = await proposeSet('dailyCoins', '42');
		const overtaken = await proposeChange([{ field: 'funds.minDeposit', value: '155' }]);
		const unmade = await proposeSet('betsPerSecond', '43');
		await dieBeforeTheMarks([changed, raised, same, overtaken, unmade]);
		expect(await statesOf([changed, raised, same, overtaken, unmade])).toEqual([
			'APPLIED',
			'APPLIED',
			'OPEN',
			'OPEN',
			'OPEN',
		]);
		await set('dailyCoins', '42');
		await set('funds.minDeposit', '100');
		await set('signUpCoins', '0');
		const { version } = setting();
		for (const { proposalId } of [changed, raised])
			expect(await checker.code('confirm', { proposalId })).toBe('WRONG_STATE');
		expect(await checker.result('confirm', { proposalId: same.proposalId })).toMatchObject({ state: 'APPLIED' });
		expect(await checker.code('confirm', { proposalId: overtaken.proposalId })).toBe('WRONG_STATE');
		expect(setting()).toMatchObject({ version, signUpCoins: 0, dailyCoins: 42, funds: { minDeposit: 100 } });
		expect(await checker.result('confirm', { proposalId: unmade.proposalId })).toMatchObject({ state: 'APPLIED' });
		expect(setting()).toMatchObject({ version: version + 1, betsPerSecond: 43 });
	});
});
