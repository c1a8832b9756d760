/**
 * Every call of the operators, by every built-in role, for the member's own brand and another, and without a session
 * that opens anything. Calls, inputs and what is allowed come from the contract, so a new call is tried unasked.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { About, OperatorCall } from '#contract/operators/operator-call.ts';
import { CONSOLE_CALLS, type ConsoleCallName, KEY_CALLS } from '#contract/operators/registry.ts';
import { CALLS as PLAYER_CALLS } from '#contract/registry.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { DataOf } from '#server/exchange/order/workflow-data.ts';
import { newSecret } from '#server/people/factors/one-time-codes.ts';
import { aboutFactor } from '#server/people/staff/staff-access.ts';
import type { StaffSession } from '#server/people/staff/staff-sessions.ts';
import { type Permission, STAFF_ROLES } from '#values/staff-permissions.ts';
import { DAY_MS } from '#values/time.ts';
import { TestServer } from '../support/server.ts';
import { validInput } from '../support/valid-input.ts';
import { type ConsoleAnswer, ConsoleClient } from './console-client.ts';

const BY = { actor: 'test', address: null };
const COOKIE = 'console-session';
const VISIT = { address: '127.0.0.1', userAgent: 'a test' };
const OWN = 'royal.localhost';
const OTHER = 'dune.localhost';
/** Stands in every answer about a player of a brand. */
const NAMES: Record<string, string> = { [OWN]: 'playerofroyal', [OTHER]: 'playerofdune' };
const LONG_AGO_MS = Date.now() - DAY_MS;
/** Refusals of the door. A call that answers anything else was allowed. */
const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'LOGIN_EXPIRED', 'SECOND_FACTOR_REQUIRED']);
const ALLOWED = 'allowed';

const CALLS = Object.entries(CONSOLE_CALLS) as [ConsoleCallName, OperatorCall][];
const ROLES = Object.keys(STAFF_ROLES);
const entriesOf = ({ input }: OperatorCall): object => input.entries;
/** Calls that ask for the permission of the act that they carry, and those that decide about a proposal. */
const carries = (call: OperatorCall): boolean => 'act' in entriesOf(call) && 'input' in entriesOf(call);
const decides = (call: OperatorCall): boolean => 'proposalId' in entriesOf(call);
const PROPOSABLE = CALLS.filter(([, { confirm }]) => confirm !== null);

let server: TestServer;
/** Of each brand: a player, and a workflow of each kind that a call names. */
const players: Record<string, string> = {};
const workflows: Record<string, Record<string, string>> = {};
/** A proposal of each act, about a brand where it is about one. */
const proposals: Record<string, Record<string, string>> = {};
/** Of each brand: a case about its player. */
const cases: Record<string, string> = {};
let proposer: number;

beforeAll(async () => {
	server = await TestServer.start();
	proposer = await addMember('owner', null);
	for (const host of [OWN, OTHER]) {
		const created = { userName: NAMES[host], password: 'Passw0rd-1', host };
		const { body } = await server.operator<{ playerId: string }>('create-player', created);
		players[host] = body.result?.playerId ?? '';
		workflows[host] = {};
		for (const [, call] of CALLS) if (call.about === 'workflow') await addWorkflow(kindOf(call), host);
		cases[host] = await addCase(host);
		proposals[host] = {};
		for (const [name] of PROPOSABLE) proposals[host][name] = await addProposal(name, host);
	}
});
afterAll(() => server.dispose());

/** The kind that a call fixes, or the one that its schema takes. */
function kindOf(call: OperatorCall): TransferKind {
	const { kind } = entriesOf(call) as { kind: { wrapped?: { literal?: string } } };
	return (kind.wrapped?.literal ?? 'ADJUSTMENT') as TransferKind;
}

/** What workflows of the kinds that calls are about know. */
const KNOWN: { [Kind in TransferKind]?: DataOf<Kind> } = {
	ADJUSTMENT: { amount: 100, isCredit: true, reasonCode: 'TEST', requestedBy: 'test' },
	CASINO: { game: 'crash', round: 1, slot: 1, stake: 100, terms: { autoCents: null }, payout: 0, outcome: null },
};

async function addWorkflow(kind: TransferKind, host: string): Promise<void> {
	const ofBrand = workflows[host] ?? {};
	const { exchange } = server.running;
	const walletId = Number(players[host]);
	const step = {
		workflow: kind,
		from: null,
		to: 'ENDED',
		isOpen: false,
		actor: 'test',
		data: KNOWN[kind] ?? {},
		moves: [],
	} as const;
	const pool = server.running.brands.byHost(host)?.setting.pool ?? 'PLAY';
	const { workflows: [made] = [] } = await exchange.submit({ kind: 'transfer', walletId, pool, steps: [step] });
	ofBrand[kind] ??= String(made?.id);
}

async function addCase(host: string): Promise<string> {
	const { rows } = await server.database.db.query<{ id: string }>(
		`with made as (
		   insert into compliance_case (rule, subject, state, opened_at, due_at, changed_at, entries)
		   values ('STRUCTURING', $1, 'OPEN', 0, 0, 0, 0) returning case_id
		 ), about as (insert into compliance_case_player select case_id, $2 from made)
		 select case_id::text as id from made`,
		[host, players[host]],
	);
	return rows[0]?.id ?? '';
}

/** One that another member has proposed long ago; confirming it is refused, because nothing is as it was. */
async function addProposal(act: ConsoleCallName, host: string): Promise<string> {
	const { rows } = await server.database.db.query<{ id: string }>(
		`insert into proposal (act, input, subject, reason, preview, basis, proposed_by, proposed_at, state)
		 values ($1, $2, 'nothing', 'a test', '{"summary": [], "lines": [], "total": 0, "sums": []}', 'gone', $3, 0, 'OPEN')
		 returning proposal_id::text as id`,
		[act, inputFor(act, host), proposer],
	);
	return rows[0]?.id ?? '';
}

/** What a call names, in a brand. */
function namedIn(host: string, call: OperatorCall): object {
	if (call.about === 'brand') return { host };
	if (call.about === 'player') return { playerId: players[host] };
	if (call.about === 'case') return { caseId: cases[host] };
	if (call.about !== 'workflow') return {};
	const kind = kindOf(call);
	return { kind, id: workflows[host]?.[kind] };
}

const inputFor = (name: ConsoleCallName, host: string): object => {
	const call: OperatorCall = CONSOLE_CALLS[name];
	const valid = validInput(call.input, name) as object;
	// The other player that a call names belongs to the same brand.
	const other = 'otherId' in valid ? { otherId: players[host] } : {};
	return { ...valid, ...namedIn(host, call), ...other };
};

interface Tried {
	name: ConsoleCallName;
	input: object;
	/** The call's own, and that of the act it carries or decides about. */
	permissions: readonly Permission[];
	about: About;
	/** Whether another member has to confirm it. */
	needsTwo: boolean;
}

/** Each call with its input in a brand; one that carries or decides about an act, with each of those acts. */
function triedIn(host: string): Tried[] {
	return CALLS.flatMap(([name, call]): Tried[] => {
		const { permission, about, confirm } = call;
		if (!carries(call) && !decides(call))
			return [{ name, input: inputFor(name, host), permissions: [permission], about, needsTwo: confirm !== null }];
		return PROPOSABLE.map(([act, one]) => {
			const carried = { ...(validInput(call.input, name) as object), act, input: inputFor(act, host) };
			const input = carries(call) ? carried : { proposalId: proposals[host]?.[act] };
			const needed = carries(call) ? one.permission : (one.confirm as Permission);
			return { name, input, permissions: [permission, needed], about: one.about, needsTwo: false };
		});
	});
}

/** What the contract declares for a member of a role. */
function declared({ permissions, about, needsTwo }: Tried, role: string, isOfOtherBrand: boolean | null): string {
	const may = STAFF_ROLES[role] ?? [];
	const isOutside = isOfOtherBrand !== null && (about === 'platform' || (isOfOtherBrand && about !== 'own-brands'));
	if (isOutside || !permissions.every((one) => may.includes(one))) return 'FORBIDDEN';
	return needsTwo ? 'SAME_PERSON' : ALLOWED;
}

let members = 0;

async function addMember(role: string, brands: string[] | null): Promise<number> {
	const about = { name: `member ${++members}`, passwordHash: 'none', roles: [role], brands };
	return (await server.running.staff.directory.add(about, BY)).staffId;
}

/** A session as a log-in leaves it. */
async function sessionOf(staffId: number, hasFactor = true): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	client.cookies.set(COOKIE, await server.running.staff.sessions.begin(staffId, VISIT, hasFactor));
	return client;
}

/** What the door said to a call; a fault, and an answer that shows the other brand, are named. */
function said({ needsTwo }: Tried, { status, body }: ConsoleAnswer, brands: string[] | null): string {
	const code = body.error?.code ?? ALLOWED;
	// A call that one member may make can still find that what it was given needs two.
	if (DENIED.has(code) || (needsTwo && code === 'SAME_PERSON')) return code;
	if (status === 500) return 'a fault';
	const answer = JSON.stringify(body.result);
	const hides = brands === null || ![OTHER, NAMES[OTHER] ?? ''].some((name) => answer.includes(name));
	return hides ? ALLOWED : 'shows another brand';
}

const line = ({ name, input }: Tried, outcome: string): string => `${name} ${JSON.stringify(input)}: ${outcome}`;

it('no host of players answers an operator’s call, and the console’s host none of the players’ and none of the key’s', async () => {
	const owner = await sessionOf(await addMember('owner', null));
	const outside = new ConsoleClient(server.url, 'localhost');
	outside.cookies = owner.cookies;
	const asked = CALLS.map(async ([name]) => [name, (await outside.call(name, inputFor(name, OWN))).status]);
	expect(await Promise.all(asked)).toEqual(CALLS.map(([name]) => [name, 404]));
	const paths = Object.values(PLAYER_CALLS).map(({ path }) => path);
	const ofKey = Object.keys(KEY_CALLS).map((name) => `api/${name}`);
	const statuses = [...paths, ...ofKey].map(async (path) => [path, (await owner.send(`/${path}`, {})).status]);
	expect(await Promise.all(statuses)).toEqual([...paths, ...ofKey].map((path) => [path, 404]));
});

const MAIN_ROLES: ReadonlySet<string> = new Set(['owner', 'trader', 'compliance']);

describe.each(ROLES)('a member of the role %s', (role) => {
	async function expectDeclared(brands: string[] | null, host: string): Promise<void> {
		const client = await sessionOf(await addMember(role, brands));
		const tried = triedIn(host);
		const answers = await Promise.all(tried.map(({ name, input }) => client.call(name, input)));
		const isOfOtherBrand = brands === null ? null : host === OTHER;
		expect(tried.map((one, at) => line(one, said(one, answers[at] as ConsoleAnswer, brands)))).toEqual(
			tried.map((one) => line(one, declared(one, role, isOfOtherBrand))),
		);
	}

	// What a role may is the same in all brands and in one. That a brand ends there, the role with all permissions shows.
	const tags = role === 'owner' ? [] : ['thorough'];

	// Who may what is data of the contract: the roles that may most, and one that looks.
	it(
		'of all brands makes the calls that the contract declares, and no others',
		{
			tags: MAIN_ROLES.has(role) ? [] : ['thorough'],
		},
		() => expectDeclared(null, OWN),
	);

	it.each([
		['about that brand', OWN],
		['about another one', OTHER],
	])('of a brand, %s, makes the calls that the contract declares, and no others', { tags }, (_, host) =>
		expectDeclared([OWN], host),
	);

	// The door looks at the session before it looks at the role: one role shows it, `npm run test:all` asks all of them.
	it('makes no call without the second factor, nor with a session that has expired or was revoked', {
		tags,
	}, async () => {
		const { directory, keys, sessions } = server.running.staff;
		const staffId = await addMember(role, null);
		const codesOf = async (clientFor: () => Promise<ConsoleClient>) =>
			await Promise.all(CALLS.map(async ([name]) => await (await clientFor()).code(name, inputFor(name, OWN))));
		const every = (code: string) => CALLS.map(() => code);

		const revoked = await sessionOf(staffId);
		const owner = await sessionOf(await addMember('owner', null));
		await owner.result('staff-session-end', { sessionId: sessions.of(staffId)[0]?.sessionId });
		expect(await codesOf(async () => revoked)).toEqual(every('LOGIN_EXPIRED'));

		// Each request has a session of its own, because the first that finds one expired ends it.
		const ages: Partial<StaffSession>[] = [{ lastUsedAtMs: LONG_AGO_MS }, { createdAtMs: LONG_AGO_MS }];
		let begun = 0;
		const expired = async () => {
			const client = await sessionOf(staffId);
			for (const session of sessions.of(staffId)) Object.assign(session, ages[begun++ % ages.length]);
			return client;
		};
		expect(await codesOf(expired)).toEqual(every('LOGIN_EXPIRED'));

		await directory.enrol(staffId, keys.seal(newSecret(), aboutFactor(staffId)), 0, BY);
		const unproven = await sessionOf(staffId, false);
		expect(await codesOf(async () => unproven)).toEqual(every('SECOND_FACTOR_REQUIRED'));
		expect(await new ConsoleClient(server.url).code('events', {})).toBe('NOT_LOGGED_IN');
	});
});

it('a member who is a player changes nothing of an account of that person, alone or as one of two', async () => {
	const staffId = await addMember('owner', null);
	const { staff, funds } = server.running;
	const { staffAccounts } = funds;
	const member = { staffId, name: staff.directory.nameOf(staffId) };
	await staffAccounts.link(Number(players[OWN]), member, BY);
	const client = await sessionOf(staffId);
	const ABOUT_PLAYERS: ReadonlySet<About> = new Set(['player', 'workflow', 'case']);
	const changing = CALLS.filter(([, { about, looks }]) => ABOUT_PLAYERS.has(about) && !looks);
	const tried = changing.flatMap(([name, { confirm }]): [string, ConsoleCallName, object][] => {
		const input = inputFor(name, OWN);
		if (confirm === null) return [[name, name, input]];
		const proposed = { act: name, input, reason: 'a test' };
		return [
			[`propose ${name}`, 'propose', proposed],
			[`confirm ${name}`, 'confirm', { proposalId: proposals[OWN]?.[name] }],
		];
	});
	const factOfOther = { ...inputFor('fact-refute', OTHER), otherId: players[OWN] };
	tried.push([
		'propose fact-refute of another',
		'propose',
		{ act: 'fact-refute', input: factOfOther, reason: 'a test' },
	]);
	const codes = await Promise.all(
		tried.map(async ([words, name, input]) => [words, (await client.call(name, input)).body.error?.code]),
	);
	expect(codes).toEqual(tried.map(([words]) => [words, 'SAME_PERSON']));
	expect(tried.length).toBeGreaterThan(20);
	await staffAccounts.unlink(Number(players[OWN]), member, BY);
});
