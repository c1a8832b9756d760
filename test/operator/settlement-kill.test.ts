/**
 * kill -9 of the real server while a confirmed act is applied: it is done whole or not at all, its proposal can be
 * confirmed again, and its row of the journal is written by the next start. `npm run settlement` settles 100,000 bets,
 * shows that the act is seen under way, and prints times and memory.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProposalView } from '#server/operator/proposals.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { ConsoleClient } from './console-client.ts';

const IS_LONG = process.env['SETTLEMENT'] === 'long';
const BETS = IS_LONG ? 100_000 : 400;
/** Below the most open bets of a player. */
const BETS_OF_A_PLAYER = 1_000;
const UNDECIDED: ReadonlySet<string> = new Set(['OUTCOME_UNKNOWN', 'DEADLINE_PASSED', 'OVERLOADED']);
const IN_PARALLEL = IS_LONG ? 64 : 16;
const LIMIT_MS = IS_LONG ? 3_600_000 : 900_000;
const OPTIONS = ['--sim-speed', '1', '--rate-limit-factor', '1000', '--log-level', 'error'];

let server: ServerProcess;
beforeAll(async () => {
	server = await ServerProcess.create();
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

/** A market with so many bets, each matched by one of another player; neither of them ever risks much. */
async function matchedMarket(): Promise<string> {
	const listed = await server.operator<{ eventId: string }[]>('markets', {});
	const { eventId = '' } = listed.at(-1) ?? {};
	const { marketId, runners } = await server.operator<{ marketId: string; runners: { id: string }[] }>('open-market', {
		eventId,
		name: 'Of the operator',
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
	const perPair = Math.min(BETS_OF_A_PLAYER, BETS / 2 / IN_PARALLEL);
	const pairs = Math.ceil(BETS / 2 / perPair);
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

it(
	`a kill leaves a settlement of ${BETS} bets, and the voiding of matches by their time, done whole or to be confirmed again`,
	async () => {
		const begunAtMs = Date.now();
		const marketId = await timed('bets placed', matchedMarket);
		const middleMs = (begunAtMs + Date.now()) / 2;
		const maker = await member('maker');
		const statusOf = async () => (await maker.result<{ status: string }>('market-risk', { marketId })).status;
		await maker.result('suspend', { marketId });
		const winner = { marketId, winners: ['Asha'] };
		expect(await confirmedThroughAKill('settle', winner)).toMatchObject({ state: 'APPLIED' });
		maker.cookies = (await member('maker')).cookies;
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
	},
	LIMIT_MS,
);
