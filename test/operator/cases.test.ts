/** Cases in the console: raised by real matches, worked on by members, decided by two of them, and exported. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { casesCheck } from '#server/process/health/work-checks.ts';
import { DAY_MS } from '#values/time.ts';
import { arrangeLosses, newPair, type Pair } from '../support/arranged-matches.ts';
import { expectSound } from '../support/audit.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type CaseView = OperatorResult<(typeof OPERATOR_CALLS)['case-queue']>[number];
type CaseFile = OperatorResult<(typeof OPERATOR_CALLS)['case-show']>;

let server: TestServer;
let asha: ConsoleClient;
let bala: ConsoleClient;

async function member(name: string, role = 'compliance', brands: string[] | null = null): Promise<ConsoleClient> {
	const about = { name, passwordHash: 'none', roles: [role], brands };
	const { directory, sessions } = server.running.staff;
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await sessions.begin(staffId, { address: '127.0.0.1', userAgent: '' }, true));
	return client;
}

beforeAll(async () => {
	server = await TestServer.start();
	[asha, bala] = [await member('asha'), await member('bala')];
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const look = () => server.running.caseSweep.look();
const ofPlayer = async ({ one }: Pair, by = asha) =>
	(await by.result<CaseView[]>('case-queue', { playerId: String(one.userId) }))[0] ?? expect.unreachable();
const shown = (caseId: string, by = asha) => by.result<CaseFile>('case-show', { caseId });

async function raised(markets = 3): Promise<{ pair: Pair; caseId: string }> {
	const pair = await newPair(server);
	await arrangeLosses(server, pair, markets);
	await look();
	return { pair, caseId: (await ofPlayer(pair)).caseId };
}

const decision = (caseId: string, seen: number, outcome = 'REPORTED') => ({
	act: 'case-decide',
	input: { caseId, seen, outcome, reason: 'chips were dumped' },
	reason: 'chips were dumped',
});
const proposed = async (caseId: string, seen: number, by = asha) =>
	(await by.result<{ proposalId: string }>('propose', decision(caseId, seen))).proposalId;

describe('a case', () => {
	it('is raised once by real matches, with a deadline of the brand and evidence that can be opened', async () => {
		const { pair, caseId } = await raised();
		expect(await look()).toMatchObject({ opened: 0, extended: 0, reopened: 0 });
		const { evidence, entries, players, ...about } = await shown(caseId);
		expect(about).toMatchObject({ rule: 'OFF_MARKET_PAIR', state: 'OPEN', owner: null, facts: 3, isOverdue: false });
		expect(Date.parse(about.dueAt ?? '') - Date.parse(about.openedAt)).toBe(14 * DAY_MS);
		expect(players.map(({ playerId }) => Number(playerId))).toEqual([pair.one.userId, pair.other.userId]);
		expect(entries).toMatchObject([{ number: 1, author: null, kind: 'OPENED' }]);
		expect(evidence).toHaveLength(3);
		for (const { reference, amount, words } of evidence) {
			expect([amount, words]).toEqual([
				400,
				`Matched at 3, between trades of others at 2 and 2, and lost to player ${pair.other.userId}.`,
			]);
			const opened = await asha.result<{ found: { player: { playerId: string } }[] }>('reference-find', {
				reference: `${reference.kind} ${reference.id}`,
			});
			expect(opened.found[0]?.player.playerId).toBe(String(pair.one.userId));
		}
	});

	it('has an owner and notes, is decided by two members, and is opened again by new facts alone', async () => {
		const { pair, caseId } = await raised();
		await asha.result('case-assign', { caseId, to: 'asha' });
		await asha.result('case-note', { caseId, note: '<b>They share a house.</b>' });
		expect(await ofPlayer(pair, bala)).toMatchObject({ owner: 'asha' });
		const proposalId = await proposed(caseId, 2);
		expect(await asha.code('confirm', { proposalId })).toBe('SAME_PERSON');
		await bala.result('confirm', { proposalId });
		const decided = await shown(caseId);
		expect(decided).toMatchObject({ state: 'DECIDED', outcome: 'REPORTED', dueAt: null });
		expect(decided.entries.map(({ kind, author }) => [kind, author])).toEqual([
			['OPENED', null],
			['NOTE', 'asha'],
			['DECIDED', 'bala'],
		]);
		expect(decided.decisions).toMatchObject([{ state: 'APPLIED', proposedBy: 'asha', decidedBy: 'bala' }]);
		expect(await asha.code('case-assign', { caseId, to: 'bala' })).toBe('WRONG_STATE');
		await arrangeLosses(server, pair, 2);
		await look();
		expect(await shown(caseId)).toMatchObject({ state: 'DECIDED', facts: 3 });
		await arrangeLosses(server, pair, 1);
		await look();
		expect(await shown(caseId)).toMatchObject({ state: 'OPEN', outcome: null, owner: 'asha', facts: 6 });
		const counted = await asha.result<OperatorResult<(typeof OPERATOR_CALLS)['case-rules']>>('case-rules', {});
		expect(counted.lastLookAt).not.toBeNull();
		expect(counted.rules.find(({ rule }) => rule === 'OFF_MARKET_PAIR')).toMatchObject({ open: 2, reported: 0 });
	});

	it('is not decided as it was proposed once another note or fact has been added', async () => {
		const { caseId } = await raised();
		const proposalId = await proposed(caseId, 1);
		await bala.result('case-note', { caseId, note: 'Wait for the bank.' });
		expect(await bala.code('confirm', { proposalId })).toBe('WRONG_STATE');
		expect(await asha.code('propose', decision(caseId, 1))).toBe('WRONG_STATE');
		const [one, other] = [await proposed(caseId, 2), await proposed(caseId, 2, bala)];
		const codes = await Promise.all([
			bala.code('confirm', { proposalId: one }),
			asha.code('confirm', { proposalId: other }),
		]);
		expect(codes.sort()).toEqual(['', 'WRONG_STATE']);
	});

	it('is exported as a file whose digest the journal keeps', async () => {
		const { caseId } = await raised();
		const { file, sha256 } = await asha.result<{ file: string; sha256: string }>('case-export', { caseId });
		expect(sha256).toBe(createHash('sha256').update(file).digest('hex'));
		expect(JSON.parse(file)).toMatchObject({ caseId, exportedBy: 'asha', evidence: [{}, {}, {}] });
		const { rows } = await server.database.db.query(
			`select details ->> 'sha256' as sha256 from journal where act = 'CASE_EXPORTED' and subject = $1`,
			[`case ${caseId}`],
		);
		expect(rows).toEqual([{ sha256 }]);
	});

	it('is open to members of all its brands, to no role without the permission, and to no member who is in it', async () => {
		const { pair, caseId } = await raised();
		const elsewhere = await member('esha', 'compliance', ['royal.localhost']);
		expect(await elsewhere.code('case-show', { caseId })).toBe('FORBIDDEN');
		expect(await elsewhere.code('propose', decision(caseId, 1))).toBe('FORBIDDEN');
		expect(await elsewhere.result('case-queue', {})).toEqual([]);
		expect(await (await member('chitra', 'support')).code('case-queue', {})).toBe('FORBIDDEN');
		expect(await (await member('omar', 'auditor')).code('case-note', { caseId, note: 'x' })).toBe('FORBIDDEN');
		await server.act('staff-player-link', { name: 'bala', playerId: String(pair.other.userId) });
		expect(await bala.code('case-note', { caseId, note: 'It is nothing.' })).toBe('SAME_PERSON');
		const proposalId = await proposed(caseId, 1);
		expect(await bala.code('confirm', { proposalId })).toBe('SAME_PERSON');
	});

	it('past its deadline is an alarm', async () => {
		const { caseId } = await raised();
		const { db } = server.database;
		expect((await casesCheck(db, Date.now())).state).toBe('ok');
		expect((await casesCheck(db, Date.now() + 15 * DAY_MS)).words).toMatch(/past their deadline, one for 1 days/);
		expect((await shown(caseId)).isOverdue).toBe(false);
	});
});

it('a rule that looks after a restart finds the cases of before', async () => {
	const { caseId } = await raised();
	const { database } = server;
	const before = await shown(caseId);
	await server.stop();
	server = await TestServer.start(database);
	expect(await look()).toMatchObject({ opened: 0, extended: 0, reopened: 0 });
	asha = await member('ashok');
	expect(await shown(caseId)).toEqual(before);
});
