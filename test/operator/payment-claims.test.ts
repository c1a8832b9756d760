/** Claims on payments: while a member holds one, no other member decides about it, by any way. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleChanges } from '#server/operators/changes.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { freshRequestId } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ChangeStream, ConsoleClient } from './console-client.ts';

const BY = { actor: 'test', address: null };
const VISIT = { address: '127.0.0.1', userAgent: 'a test' };
const GONE: ReadonlySet<string> = new Set(['NOT_LOGGED_IN', 'LOGIN_EXPIRED']);

interface Shown {
	state: string;
	claim: { holder: string; since: string; until: string } | null;
}

interface Member {
	name: string;
	staffId: number;
	client: ConsoleClient;
}

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

let members = 0;

async function member(role = 'owner'): Promise<Member> {
	const about = { name: `member ${++members}`, passwordHash: 'none', roles: [role], brands: null };
	const { staffId, name } = await server.running.staff.directory.add(about, BY);
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, VISIT, true));
	return { name, staffId, client };
}

/** A pending withdrawal: it can be frozen and released as often as one likes. */
async function withdrawal(amount = 500): Promise<{ kind: string; id: string }> {
	const { token } = await signUp(server);
	const details = { method: 'UPI', upiId: 'ravi@okbank' };
	const asked = { amount, details, clientRequestId: freshRequestId() };
	const { body } = await server.raw('createWithdrawal', asked, token);
	const { id } = body.result as { id: string };
	return { kind: 'WITHDRAWAL', id: id.replace('WITHDRAWAL-', '') };
}

const shownTo = ({ client }: Member, payment: object) => client.result<Shown>('payment-show', payment);
const decide = (payment: object, event: string) => ({ ...payment, event, reason: 'looked at' });
/** Time passes until the claim is over. */
const lapse = async ({ kind, id }: { kind: string; id: string }) =>
	await server.database.db.query('update payment_claim set until = 0 where kind = $1 and id = $2', [kind, Number(id)]);

describe('a claim', () => {
	it('lets its holder alone decide, in the console and on the command line, and ends with the decision', async () => {
		const [asha, bala] = [await member(), await member()];
		const payment = await withdrawal();
		await asha.client.result('payment-claim', payment);
		const { claim } = await shownTo(bala, payment);
		expect(claim?.holder).toBe(asha.name);
		const refused = await bala.client.call('payment-decide', decide(payment, 'freeze'));
		expect(refused.body.error).toMatchObject({
			code: 'CLAIMED_BY_OTHER',
			message: `${asha.name} has claimed this.`,
			details: { holder: asha.name, since: claim?.since },
		});
		const by = (name: string) =>
			server.send('/operator/api/payment-decide', {
				method: 'POST',
				body: JSON.stringify(decide(payment, 'freeze')),
				headers: { ...server.operatorHeaders, 'X-Operator': name },
			});
		expect((await by(bala.name)).code).toBe('CLAIMED_BY_OTHER');
		expect(await bala.client.code('payment-claim', payment)).toBe('CLAIMED_BY_OTHER');
		expect(await bala.client.code('payment-release', payment)).toBe('CLAIMED_BY_OTHER');
		// One person writes a name in several ways.
		expect((await by(asha.name.toUpperCase())).code).toBe(null);
		expect(await shownTo(bala, payment)).toMatchObject({ state: 'FROZEN', claim: null });
		expect(await bala.client.code('payment-decide', decide(payment, 'release'))).toBe('');
	});

	it('ends when its holder proposes what needs two persons, so that the second one decides', async () => {
		const [asha, bala] = [await member(), await member()];
		await server.operator('brand-set', { host: 'localhost', field: 'funds.secondApprovalAbove', value: '14000' });
		const payment = await withdrawal(15_000);
		await asha.client.result('payment-claim', payment);
		await asha.client.result('payment-decide', decide(payment, 'approve'));
		expect(await shownTo(bala, payment)).toMatchObject({ state: 'REQUESTED', claim: null, proposedBy: asha.name });
		await bala.client.result('payment-claim', payment);
		expect(await asha.client.code('payment-decide', decide(payment, 'reject'))).toBe('CLAIMED_BY_OTHER');
		expect(await bala.client.result('payment-decide', decide(payment, 'approve'))).toMatchObject({
			state: 'APPROVED',
			isProposed: false,
		});
	});

	it('is prolonged by its holder, who is shown since the first time, and taken over with a reason by permission', async () => {
		const [asha, bala, clerk] = [await member(), await member('payments approver'), await member('payments')];
		const payment = await withdrawal();
		await asha.client.result('payment-claim', payment);
		const first = (await shownTo(asha, payment)).claim;
		await asha.client.result('payment-claim', payment);
		const second = (await shownTo(asha, payment)).claim;
		expect(second?.since).toBe(first?.since);
		expect(Date.parse(second?.until ?? '')).toBeGreaterThan(Date.parse(first?.until ?? ''));
		const asked = { ...payment, reason: 'asha is at lunch' };
		expect(await clerk.client.code('payment-take-over', asked)).toBe('FORBIDDEN');
		expect(await bala.client.code('payment-take-over', { ...asked, reason: '' })).toBe('VALIDATION_FAILED');
		await bala.client.result('payment-take-over', asked);
		expect((await shownTo(asha, payment)).claim?.holder).toBe(bala.name);
		expect(await asha.client.code('payment-decide', decide(payment, 'freeze'))).toBe('CLAIMED_BY_OTHER');
		const rows = await asha.client.result<object[]>('journal', { act: 'payment-take-over' });
		expect(rows).toContainEqual(
			expect.objectContaining({ actor: bala.name, outcome: 'done', details: expect.objectContaining(asked) }),
		);
	});

	it('is not had on what waits for nobody', async () => {
		const asha = await member();
		const payment = await withdrawal();
		await asha.client.result('payment-decide', decide(payment, 'reject'));
		expect(await asha.client.code('payment-claim', payment)).toBe('WRONG_STATE');
		expect(await asha.client.code('payment-claim', { ...payment, id: '999999' })).toBe('NOT_FOUND');
	});

	it('tells the screens of others when it begins, and when it ends', async () => {
		const [asha, bala] = [await member(), await member()];
		const payment = await withdrawal();
		const stream = await bala.client.changes();
		for (const act of ['payment-claim', 'payment-release'] as const) {
			stream.messages.length = 0;
			await asha.client.result(act, payment);
			await stream.until(({ queues }) => queues);
		}
		stream.close();
	});

	it('that ends by itself is told when its time is up', async () => {
		const changes = new ConsoleChanges();
		const http = createServer((_, response) => changes.open(response, () => true)).listen(0);
		await once(http, 'listening');
		const { port } = http.address() as AddressInfo;
		const [incoming] = (await once(get({ port }), 'response')) as [IncomingMessage];
		const stream = new ChangeStream(incoming);
		const endsAtMs = Date.now() + 300;
		changes.queuesChangeAt(endsAtMs);
		await stream.until(({ queues }) => queues);
		expect(Date.now()).toBeGreaterThanOrEqual(endsAtMs);
		changes.close();
		http.close();
	});
});

/** What the model knows of a payment. */
interface Model {
	holder: string | null;
	isFrozen: boolean;
	removed: string | null;
}

interface Act {
	what: 'claim' | 'release' | 'take-over' | 'freeze' | 'unfreeze' | 'remove' | 'lapse';
	by: string;
}

/** Where an act may lead from a state, given its answer; none if the answer cannot have come there. */
function after(model: Model, { what, by }: Act, code: string): Model[] {
	const { holder, isFrozen, removed } = model;
	if (what === 'lapse') return [{ ...model, holder: null }];
	if (what === 'remove') return [{ ...model, removed: by, holder: holder === by ? null : holder }];
	if (removed === by) {
		if (GONE.has(code)) return [model];
		// The act was under way when the member was removed: it decides nothing, and holds nothing.
		if (what === 'claim' || what === 'take-over') return code === 'WRONG_STATE' ? [model] : [];
		if (what === 'freeze' || what === 'unfreeze') return code === 'FORBIDDEN' ? [model] : [];
	}
	if (what === 'take-over') return code === '' ? [{ ...model, holder: by }] : [];
	if (holder !== null && holder !== by) return code === 'CLAIMED_BY_OTHER' ? [model] : [];
	if (what === 'claim') return code === '' ? [{ ...model, holder: by }] : [];
	if (what === 'release') return code === '' ? [{ ...model, holder: null }] : [];
	if (isFrozen === (what === 'freeze')) return code === 'WRONG_STATE' ? [model] : [];
	return code === '' ? [{ ...model, isFrozen: !isFrozen, holder: null }] : [];
}

/** Every state that some order of the acts explains. */
function explained(model: Model, acts: readonly { act: Act; code: string }[]): Model[] {
	if (acts.length === 0) return [model];
	return acts.flatMap(({ act, code }, at) =>
		after(model, act, code).flatMap((next) => explained(next, acts.toSpliced(at, 1))),
	);
}

const KINDS = ['claim', 'claim', 'release', 'take-over', 'freeze', 'unfreeze', 'freeze', 'unfreeze', 'lapse'] as const;
const ROUNDS = 25;
const AT_ONCE = 4;

describe('parallel acts of several members on one payment', () => {
	onSeeds(
		[1, 2, 3, 4],
		'are as if one came after the other, with members removed and time passing (seed %i)',
		async (seed) => {
			const random = new SeededNumbers(seed);
			const watcher = await member();
			const desk = [await member(), await member(), await member()];
			const payment = await withdrawal();
			const perform = async ({ what, by }: Act): Promise<string> => {
				if (what === 'lapse') return await lapse(payment).then(() => '');
				const { client, staffId } = desk.find(({ name }) => name === by) as Member;
				if (what === 'remove') return await watcher.client.code('staff-remove', { staffId: String(staffId) });
				if (what === 'freeze') return await client.code('payment-decide', decide(payment, 'freeze'));
				if (what === 'unfreeze') return await client.code('payment-decide', decide(payment, 'release'));
				return await client.code(`payment-${what}`, what === 'take-over' ? { ...payment, reason: 'a test' } : payment);
			};
			let model: Model = { holder: null, isFrozen: false, removed: null };
			for (let round = 0; round < ROUNDS; round++) {
				const acts = Array.from(
					{ length: AT_ONCE },
					(): Act => ({ what: random.from(KINDS), by: random.from(desk).name }),
				);
				if (random.chance(20)) acts[0] = { what: 'remove', by: random.from(desk).name };
				const told = await Promise.all(acts.map(async (act) => ({ act, code: await perform(act) })));
				const { claim, state } = await shownTo(watcher, payment);
				const seen = { holder: claim?.holder ?? null, isFrozen: state === 'FROZEN' };
				const orders = explained(model, told);
				const isExplained = orders.some(({ holder, isFrozen }) => holder === seen.holder && isFrozen === seen.isFrozen);
				expect(isExplained, JSON.stringify({ round, model, told, seen })).toBe(true);
				const { what, by } = acts[0] as Act;
				if (what === 'remove') desk[desk.findIndex(({ name }) => name === by)] = await member();
				model = { ...seen, removed: null };
			}
		},
	);
});
