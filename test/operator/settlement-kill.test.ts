/**
 * kill -9 of the real server between proposal and confirmation, and while a confirmed act is applied: it is done whole or
 * not at all, its proposal can be confirmed again, and its row of the journal is written by the next start. A settlement that
 * was begun is ended by it, too. `npm run settlement` settles 100,000 bets, shows that the act is seen under way, and prints
 * times and memory.
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProposalView } from '#server/operators/proposal-rows.ts';
import { nameKey } from '#values/name-key.ts';
import { DAY_MS } from '#values/time.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { ConsoleClient } from './console-client.ts';

const IS_LONG = process.env['SETTLEMENT'] === 'long';
/** More than one command settles. */
const BETS = IS_LONG ? 100_000 : 1_200;
/** Below the most open bets of a player. */
const BETS_OF_A_PLAYER = 1_000;
const UNDECIDED: ReadonlySet<string> = new Set(['OUTCOME_UNKNOWN', 'DEADLINE_PASSED', 'OVERLOADED']);
const IN_PARALLEL = IS_LONG ? 64 : 16;
const LIMIT_MS = IS_LONG ? 3_600_000 : 900_000;
const QUIET = ['--rate-limit-factor', '1000', '--log-level', 'error'];
/** Operators open the markets; to simulate sports would cost each start three times as much. */
const OPTIONS = ['--no-feeds', ...QUIET];
const WITH_FEEDS = ['--sim-speed', '1', ...QUIET];
const EVENT_ID = 1;

let server: ServerProcess;
beforeAll(async () => {
	server = await ServerProcess.create({ environment: { PROPOSED_RESULTS: 'simulated' } });
	await server.database.db.query(
		`insert into fixture (id, sport_id, title, competition, starts_at, status, source, source_ref, has_tv)
		 values ($1, 3, 'Reds v Blues', 'Cup', $2, 'UPCOMING', 'test', 'settlements', false)`,
		[EVENT_ID, Date.now() + DAY_MS],
	);
	await server.start(OPTIONS);
});
afterAll(() => server.dispose());

/** What the long form prints, in milliseconds and MiB. */
const figures: Record<string, number> = {};

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
	const from = performance.now();
	const result = await work();
	figures[what] = Math.round(performance.now() - from);
	figures[`${what}, memory`] = Math.round(server.residentBytes / 2 ** 20);
	return result;
}

const passwords = new Map<string, string>();

/** A member who is logged in; added at first. */
async function member(name: string): Promise<ConsoleClient> {
	if (!passwords.has(name)) {
		const { initialPassword } = await server.operator<{ initialPassword: string }>('staff-add', {
			name,
			roles: ['owner'],
		});
		passwords.set(name, initialPassword);
	}
	const client = new ConsoleClient(server.url, 'console.localhost');
	await client.result('log-in', { name, password: passwords.get(name) });
	return client;
}

/** A market with N bets, each matched by one of another player; neither of them ever risks much. */
async function matchedMarket(bets: number): Promise<string> {
	const { marketId, runners } = await server.operator<{ marketId: string; runners: { id: string }[] }>('open-market', {
		eventId: String(EVENT_ID),
		name: `Of the operator ${randomUUID()}`,
		type: 'MATCH_ODDS',
		runners: ['Asha', 'Bela'],
	});
	/** Asked again with the same id while a busy machine leaves the outcome open. */
	const bet = async (token: string, side: 'BACK' | 'LAY'): Promise<void> => {
		const runnerId = runners[0]?.id ?? '';
		const asked = { marketId, runnerId, side, price: 2, stake: 10, clientRequestId: randomUUID() };
		for (;;) {
			const { code } = await server.answer('placeBetV2', asked, token);
			if (code === null) return;
			if (!UNDECIDED.has(code)) throw new Error(code);
		}
	};
	const pair = async (pairs: number) => {
		const [one, other] = await Promise.all([server.call('loginAsDemoUser', {}), server.call('loginAsDemoUser', {})]);
		for (let turn = 0; turn < pairs; turn++) {
			const isEven = turn % 2 === 0;
			await bet(one.accessToken, isEven ? 'BACK' : 'LAY');
			await bet(other.accessToken, isEven ? 'LAY' : 'BACK');
		}
	};
	const perPair = Math.min(BETS_OF_A_PLAYER, Math.ceil(bets / 2 / IN_PARALLEL));
	const pairs = Math.ceil(bets / 2 / perPair);
	let begun = 0;
	const worker = async () => {
		while (begun++ < pairs) await pair(perPair);
	};
	await Promise.all(Array.from({ length: IN_PARALLEL }, worker));
	return marketId;
}

/** Proposes and confirms, kills the server when the proposal is being applied, and confirms again. */
async function confirmedThroughAKill(act: string, input: object): Promise<ProposalView> {
	const asked = { act, input, reason: 'the umpire said so' };
	const maker = await member('maker');
	const { proposalId } = await timed(`${act} proposed`, () => maker.result<ProposalView>('propose', asked));
	const checker = await member('checker');
	const stateOf = async (client: ConsoleClient) =>
		(await client.result<ProposalView[]>('proposals', { open: false })).find((one) => one.proposalId === proposalId);
	const answer = checker.code('confirm', { proposalId }).catch(() => 'the line broke');
	const watch = await member('checker');
	let seen = await stateOf(watch);
	while (seen?.state === 'OPEN') seen = await stateOf(watch);
	// A small one may be over before it is looked at.
	if (IS_LONG) expect(seen).toMatchObject({ state: 'APPLYING', progress: { phase: expect.any(String) } });
	await server.kill();
	await answer;
	await timed(`start after the kill of ${act}`, () => server.start(OPTIONS));
	const again = await member('checker');
	const state = (await stateOf(again))?.state;
	expect(['OPEN', 'APPLIED']).toContain(state);
	if (state === 'OPEN') expect(await timed(`${act} confirmed`, () => again.code('confirm', { proposalId }))).toBe('');
	return (await stateOf(again)) as ProposalView;
}

/** Gives a member another name, which no act does: by SQL, while the server is down. */
const rename = async (from: string, to: string) =>
	await server.database.db.query('update staff set name = $2, name_key = $3 where name = $1', [from, to, nameKey(to)]);

/** What each wallet's lines of a preview come to, and what its settlement moved. */
async function movedBy(marketId: string): Promise<Map<string, number>> {
	const { rows } = await server.database.db.query<{ who: string; moved: number }>(
		'select wallet_id::text as who, (net - commission)::int as moved from player_settlement where market_id = $1',
		[Number(marketId)],
	);
	return new Map(rows.map(({ who, moved }) => [who, moved]));
}
function shownBy({ preview }: ProposalView): Map<string, number> {
	const sums = new Map<string, number>();
	for (const { what, who, amount } of preview.lines) {
		if (!['wins', 'loses', 'pays commission'].includes(what)) continue;
		sums.set(who, (sums.get(who) ?? 0) + Math.round(amount * 100));
	}
	return sums;
}

it('a proposal stands through a kill, is not confirmed by its proposer under another name, and is applied once as shown', {
	timeout: LIMIT_MS,
}, async () => {
	const [proposer, second, third] = ['proposer', 'second', 'third'].map(
		(name) => `${name} ${randomUUID().slice(0, 8)}`,
	);
	const maker = await member(proposer ?? '');
	const [stays, moves] = [await matchedMarket(12), await matchedMarket(12)];
	const proposed: ProposalView[] = [];
	for (const marketId of [stays, moves]) {
		await maker.result('suspend', { marketId });
		const asked = { act: 'settle', input: { marketId, winners: ['Asha'] }, reason: 'the umpire said so' };
		proposed.push(await maker.result<ProposalView>('propose', asked));
	}
	const [first, late] = proposed as [ProposalView, ProposalView];
	await server.kill();
	const renamed = `renamed ${randomUUID().slice(0, 8)}`;
	await rename(proposer ?? '', renamed);
	passwords.set(renamed, passwords.get(proposer ?? '') ?? '');
	try {
		await server.start(OPTIONS);
		const checkers = [await member(second ?? ''), await member(third ?? '')] as const;
		const listed = await checkers[0].result<ProposalView[]>('proposals', { open: true });
		for (const { proposalId, preview, reason } of proposed) {
			const standing = listed.find((one) => one.proposalId === proposalId);
			expect(standing).toMatchObject({ state: 'OPEN', preview, reason, proposedBy: renamed, mayConfirm: true });
		}
		for (const session of [await member(renamed), await member(renamed)])
			for (const { proposalId } of proposed) expect(await session.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect((await movedBy(stays)).size).toBe(0);

		// The other market moves on before it is confirmed.
		await checkers[0].result('resume', { marketId: moves });
		await checkers[1].result('suspend', { marketId: moves });
		expect(await checkers[0].code('confirm', { proposalId: late.proposalId })).toBe('WRONG_STATE');
		expect((await movedBy(moves)).size).toBe(0);

		const { proposalId } = first;
		const codes = await Promise.all(
			[...checkers, ...checkers].map((checker) => checker.code('confirm', { proposalId })),
		);
		expect(codes.sort()).toEqual(['', 'WRONG_STATE', 'WRONG_STATE', 'WRONG_STATE']);
		const moved = await movedBy(stays);
		expect(moved).toEqual(shownBy(first));
		expect(moved.size).toBeGreaterThan(0);
	} finally {
		await rename(renamed, proposer ?? '');
	}
});

it('results of feeds that wait live through a kill, each once, and one member confirms them', {
	timeout: LIMIT_MS,
}, async () => {
	const ofFeed = async (client: ConsoleClient) =>
		(await client.result<ProposalView[]>('proposals', {})).filter(({ isOfFeed }) => isOfFeed);
	await server.start(WITH_FEEDS);
	const before = await ofFeed(await member('maker'));
	expect(before.length).toBeGreaterThan(0);
	await server.kill();
	await server.start(WITH_FEEDS);
	const checker = await member('checker');
	const after = new Map((await ofFeed(checker)).map((proposal) => [proposal.proposalId, proposal]));
	for (const { proposalId, preview } of before) expect(after.get(proposalId)).toMatchObject({ state: 'OPEN', preview });
	const subjects = [...after.values()].map(({ subject }) => subject);
	expect(new Set(subjects).size).toBe(subjects.length);
	const [{ proposalId, input } = { proposalId: '', input: {} }] = before;
	expect(await checker.code('confirm', { proposalId })).toBe('');
	const { marketId } = input as { marketId: string };
	const { status } = await checker.result<{ status: string }>('market-risk', { marketId });
	expect(['SETTLED', 'VOIDED']).toContain(status);
});

it('a claim on a payment lives through a kill, and others are refused after it', {
	timeout: LIMIT_MS,
}, async () => {
	const { userName } = await server.operator<{ userName: string }>('create-player', {
		userName: `player${randomUUID().slice(0, 6)}`,
		password: 'Passw0rd-1',
		host: 'localhost',
	});
	const asked = { userName, host: 'localhost', amount: 5, reasonCode: 'TEST', reason: 'a test' };
	const payment = await server.operator<{ kind: string; id: string }>('adjust', asked);
	const { kind, id } = payment;
	await (await member('maker')).result('payment-claim', { kind, id });
	await server.kill();
	await server.start(OPTIONS);
	const approve = { kind, id, event: 'approve' };
	expect(await (await member('checker')).code('payment-decide', approve)).toBe('CLAIMED_BY_OTHER');
	expect(await (await member('maker')).code('payment-decide', approve)).toBe('');
});

it(`a kill leaves a settlement of ${BETS} bets, and the voiding of matches by their time, done whole or to be confirmed again`, async () => {
	const begunAtMs = Date.now();
	const marketId = await timed('bets placed', () => matchedMarket(BETS));
	const middleMs = (begunAtMs + Date.now()) / 2;
	const maker = await member('maker');
	const statusOf = async () => (await maker.result<{ status: string }>('market-risk', { marketId })).status;
	await maker.result('suspend', { marketId });
	const winner = { marketId, winners: ['Asha'] };
	expect(await confirmedThroughAKill('settle', winner)).toMatchObject({ state: 'APPLIED' });
	maker.cookies = (await member('maker')).cookies;
	// What the kill interrupted walks on after the start.
	await expect.poll(statusOf, { timeout: LIMIT_MS / 10 }).toBe('SETTLED');
	const half = { marketId, from: new Date(begunAtMs).toISOString(), to: new Date(middleMs).toISOString() };
	expect(await confirmedThroughAKill('void-bets', half)).toMatchObject({ state: 'APPLIED' });
	maker.cookies = (await member('maker')).cookies;
	expect(await statusOf()).toBe('SETTLED');
	const rows = await maker.result<{ act: string; outcome: string }[]>('journal', { act: 'settle' });
	expect(rows.length).toBeGreaterThan(0);
	expect(rows.filter(({ outcome }) => outcome !== 'done' && outcome !== 'INTERRUPTED')).toEqual([]);
	const failed = await timed('audit', () => server.failedAuditChecks());
	if (IS_LONG) process.stdout.write(`${JSON.stringify({ bets: BETS, ...figures })}\n`);
	expect(failed).toEqual([]);
});
