/** Players' messages and complaints: what a player writes and reads, what the staff answer, and what never happens twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ticketsCheck } from '#server/process/health/work-checks.ts';
import { LONGEST_MESSAGE, MOST_MESSAGES_A_DAY, MOST_OPEN_TICKETS } from '#values/tickets.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
/** Of support, twice; and one who may only read. */
let asha: ConsoleClient;
let bala: ConsoleClient;
let reader: ConsoleClient;

async function staff(name: string, role: string, brands: string[] | null = null): Promise<ConsoleClient> {
	const about = { name, passwordHash: 'none', roles: [role], brands };
	const { staffId } = await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	const visit = { address: '127.0.0.1', userAgent: 'a test' };
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, visit, true));
	return client;
}

beforeAll(async () => {
	server = await TestServer.start();
	asha = await staff('asha', 'support');
	bala = await staff('bala', 'support');
	reader = await staff('ravi', 'auditor');
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

type Kind = 'MESSAGE' | 'COMPLAINT';
const written = (kind: Kind = 'MESSAGE', text = 'Where is my money?') => ({
	kind,
	topic: 'A question',
	text,
	clientRequestId: freshRequestId(),
});
const opened = async ({ token }: Player, kind?: Kind) => await server.result('openTicket', written(kind), token);
const shown = ({ token }: Player, ticketId: string) => server.result('getTicket', { ticketId }, token);
const unread = async ({ token }: Player) => (await server.result('getInbox', {}, token)).unread;
const on = ({ userId }: Player, ticketId: string) => ({ playerId: String(userId), ticketId });
const answer = (player: Player, ticketId: string, seen: number, text = 'It is on its way.', closes = false) => ({
	...on(player, ticketId),
	seen,
	text,
	closes,
	clientRequestId: freshRequestId(),
});
const queued = async (by = asha) =>
	await by.result<{ ticketId: string; dueAt: string | null; isOverdue: boolean }[]>('ticket-queue', {});

describe('a message', () => {
	it('openTicket: success, it is answered in the console, read in the inbox, answered back and closed', async () => {
		const player = await signUp(server);
		const { id, dueAt, openedAt, messages } = await opened(player);
		expect(Date.parse(dueAt ?? '') - Date.parse(openedAt)).toBe(DAY_MS);
		expect(messages).toMatchObject([{ number: 1, isOwn: true, text: 'Where is my money?' }]);
		expect(await unread(player)).toBe(0);
		expect(await queued()).toMatchObject([{ ticketId: id, state: 'WAITING', who: player.userName, messages: 1 }]);
		await asha.result('ticket-answer', answer(player, id, 1));
		expect(await unread(player)).toBe(1);
		const answered = await shown(player, id);
		expect(answered).toMatchObject({ state: 'ANSWERED', dueAt: null, unread: 1 });
		expect(answered.messages[1]).toMatchObject({ isOwn: false, text: 'It is on its way.' });
		const again = { ticketId: id, text: 'It is not here yet.', clientRequestId: freshRequestId() };
		expect(await server.result('writeTicket', again, player.token)).toMatchObject({ state: 'WAITING', unread: 1 });
		await server.result('readTicket', { ticketId: id, messages: 3 }, player.token);
		await asha.result('ticket-answer', answer(player, id, 3, 'Now it is.', true));
		expect(await shown(player, id)).toMatchObject({ state: 'CLOSED', dueAt: null, unread: 1 });
		expect(await queued()).toEqual([]);
		expect(await asha.result('ticket-queue', { closed: true })).toMatchObject([{ ticketId: id, messages: 4 }]);
	});

	it('readTicket: success, the count falls to what is unread and never rises by reading less', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		await asha.result('ticket-answer', answer(player, id, 1));
		await asha.result('ticket-answer', answer(player, id, 2, 'And one thing more.'));
		const read = (messages: number) => server.result('readTicket', { ticketId: id, messages }, player.token);
		expect(await unread(player)).toBe(2);
		expect([await read(2), await read(1), await read(99), await read(0)]).toEqual([
			{ unread: 1 },
			{ unread: 1 },
			{ unread: 0 },
			{ unread: 0 },
		]);
		expect((await asha.result<{ read: number }>('ticket-show', on(player, id))).read).toBe(3);
	});

	it('getInbox: success, a page of the player’s own, those changed last first', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const [first, second] = [await opened(player), await opened(player, 'COMPLAINT')];
		await opened(other);
		await asha.result('ticket-answer', answer(player, first.id, 1));
		const inbox = await server.result('getInbox', {}, player.token);
		expect([inbox.totalCount, inbox.unread, inbox.items.map(({ id }) => id)]).toEqual([2, 1, [first.id, second.id]]);
		const page = await server.result('getInbox', { maxResultCount: '1', skipCount: '1' }, player.token);
		expect(page.items.map(({ id }) => id)).toEqual([second.id]);
	});

	it('getTicket: success, any text comes back as it was written, and openTicket: refusal of control characters', async () => {
		const player = await signUp(server);
		const text = `<img src=x onerror=alert(1)> "'&\n{{1+1}} \u202eabc ₹ नमस्ते`;
		const { id } = await server.result('openTicket', written('MESSAGE', text), player.token);
		expect((await shown(player, id)).messages[0]?.text).toBe(text);
		for (const bad of ['', '   ', 'a\u0007b', 'x'.repeat(LONGEST_MESSAGE + 1)])
			expect((await server.call('openTicket', written('MESSAGE', bad), player.token)).code).toBe('VALIDATION_FAILED');
	});

	it('is about the player’s own bet, and UNKNOWN_REFERENCE about another’s', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const match = await openTestMatch(server);
		const { betId } = await server.result('placeBetV2', betOn(match), player.token);
		const about = { kind: 'bet', id: betId } as const;
		expect(await server.result('openTicket', { ...written(), about }, player.token)).toMatchObject({ about });
		expect((await server.call('openTicket', { ...written(), about }, other.token)).code).toBe('UNKNOWN_REFERENCE');
		const deposit = { kind: 'deposit', id: betId } as const;
		expect((await server.call('openTicket', { ...written(), about: deposit }, player.token)).code).toBe(
			'UNKNOWN_REFERENCE',
		);
	});

	it('of the staff reaches the inbox, is due for nobody, and waits for the staff once the player answers', async () => {
		const player = await signUp(server);
		const message = {
			playerId: String(player.userId),
			topic: 'Your documents',
			text: 'Please send a sharper picture.',
		};
		const asked = { ...message, clientRequestId: freshRequestId() };
		const { ticketId } = await asha.result<{ ticketId: string }>('ticket-open', asked);
		expect(await asha.result('ticket-open', asked)).toMatchObject({ ticketId });
		expect(await asha.code('ticket-open', { ...asked, text: 'Another' })).toBe('REQUEST_ID_REUSED');
		expect(await shown(player, ticketId)).toMatchObject({ state: 'ANSWERED', dueAt: null, unread: 1 });
		const reply = { ticketId, text: 'Here it is.', clientRequestId: freshRequestId() };
		expect((await server.result('writeTicket', reply, player.token)).state).toBe('WAITING');
	});
});

describe('a request', () => {
	it('writeTicket: success, a request that is repeated, also in parallel, makes one ticket and one message', async () => {
		const player = await signUp(server);
		const asked = written();
		const answers = await Promise.all(
			Array.from({ length: 4 }, () => server.result('openTicket', asked, player.token)),
		);
		expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
		const id = answers[0]?.id ?? '';
		const reply = { ticketId: id, text: 'Hello?', clientRequestId: freshRequestId() };
		await Promise.all(Array.from({ length: 4 }, () => server.result('writeTicket', reply, player.token)));
		expect((await shown(player, id)).messages).toHaveLength(2);
		expect((await server.call('openTicket', { ...asked, text: 'Other' }, player.token)).code).toBe('REQUEST_ID_REUSED');
	});

	it('writeTicket: refusal in a closed ticket, and of what is another’s', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const { id } = await opened(player);
		const write = { ticketId: id, text: 'Hello?', clientRequestId: freshRequestId() };
		expect((await server.call('writeTicket', write, other.token)).code).toBe('NOT_FOUND');
		await asha.result('ticket-close', { ...on(player, id), seen: 1, reason: 'spam' });
		expect((await server.call('writeTicket', write, player.token)).code).toBe('TICKET_CLOSED');
	});

	it.each([
		['getTicket: refusal of another’s', 'getTicket', {}],
		['readTicket: refusal of another’s', 'readTicket', { messages: 1 }],
	] as const)('%s', async (_, name, fields) => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const { id } = await opened(player);
		expect((await server.raw(name, { ticketId: id, ...fields }, other.token)).code).toBe('NOT_FOUND');
	});

	it('openTicket: refusal beyond the open ones, in parallel as well, until one is closed', async () => {
		const player = await signUp(server);
		const codes = await Promise.all(
			Array.from(
				{ length: MOST_OPEN_TICKETS + 2 },
				async () => (await server.call('openTicket', written(), player.token)).code,
			),
		);
		expect(codes.filter((code) => code === 'TOO_MANY_TICKETS')).toHaveLength(2);
		expect(codes.filter((code) => code === null)).toHaveLength(MOST_OPEN_TICKETS);
		const [one] = (await server.result('getInbox', {}, player.token)).items;
		await asha.result('ticket-answer', answer(player, one?.id ?? '', 1, 'Done.', true));
		expect((await server.call('openTicket', written(), player.token)).code).toBeNull();
	});

	it('is THROTTLED beyond a day’s messages, and not a day later', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		const write = () =>
			server.call('writeTicket', { ticketId: id, text: 'Hello?', clientRequestId: freshRequestId() }, player.token);
		for (let n = 1; n < MOST_MESSAGES_A_DAY; n += 1) expect((await write()).code).toBeNull();
		expect((await write()).code).toBe('THROTTLED');
		const { db } = server.running;
		const passed = [player.userId, DAY_MS, Date.now()];
		await db.query('update ticket_message set at = at - $2::bigint where player_id = $1 and at <= $3', passed);
		expect((await write()).code).toBeNull();
		// The audit finds rows that stay changed.
		const undo = 'update ticket_message set at = at + $2::bigint where player_id = $1 and at <= $3 - $2::bigint';
		await db.query(undo, passed);
	});

	it.each([
		['openTicket: not logged in', 'openTicket'],
		['writeTicket: not logged in', 'writeTicket'],
		['readTicket: not logged in', 'readTicket'],
		['getTicket: not logged in', 'getTicket'],
		['getInbox: not logged in', 'getInbox'],
	] as const)('%s', async (_, name) => {
		const fields = { ...written(), ticketId: '1', messages: 1 };
		expect((await server.raw(name, fields, null)).code).toBe('NOT_LOGGED_IN');
	});

	it('getInbox: refusal of a login that has ended; a demo player writes to nobody', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('openTicket', written(), token)).code).toBe('FORBIDDEN');
		await server.result('logout', {}, token);
		expect((await server.call('getInbox', {}, token)).code).toBe('LOGIN_EXPIRED');
	});
});

describe('two members of staff', () => {
	it('who answer at once: the second reads the first answer before writing another', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		const codes = await Promise.all([
			asha.code('ticket-answer', answer(player, id, 1, 'From Asha.')),
			bala.code('ticket-answer', answer(player, id, 1, 'From Bala.')),
		]);
		expect(codes.sort()).toEqual(['', 'WRONG_STATE']);
		expect((await shown(player, id)).messages).toHaveLength(2);
	});

	it('close nothing that the player wrote in meanwhile, and a lost answer is sent once', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		const first = answer(player, id, 1);
		await asha.result('ticket-answer', first);
		expect(await asha.result('ticket-answer', first)).toMatchObject({ state: 'ANSWERED' });
		await server.result('writeTicket', { ticketId: id, text: 'No.', clientRequestId: freshRequestId() }, player.token);
		expect(await bala.code('ticket-close', { ...on(player, id), seen: 2, reason: 'answered' })).toBe('WRONG_STATE');
		expect((await shown(player, id)).messages).toHaveLength(3);
	});

	it('assign to a member by name, who need not be the one who answers; a reader changes nothing', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		expect(await bala.result('ticket-assign', { ...on(player, id), to: 'ASHA' })).toMatchObject({ assignee: 'asha' });
		expect(await bala.code('ticket-assign', { ...on(player, id), to: 'nobody' })).toBe('UNKNOWN_STAFF');
		expect(await reader.result('ticket-show', on(player, id))).toMatchObject({ assignee: 'asha', language: 'en' });
		expect(await reader.code('ticket-answer', answer(player, id, 1))).toBe('FORBIDDEN');
		expect(await bala.result('ticket-assign', { ...on(player, id), to: null })).toMatchObject({ assignee: null });
	});

	it('of another brand see nothing of it, and nobody answers their own account', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		const elsewhere = await staff('esha', 'support', ['127.0.0.1']);
		expect(await queued(elsewhere)).toEqual([]);
		expect(await elsewhere.code('ticket-show', on(player, id))).toBe('FORBIDDEN');
		// A ticket under another player's id, which authorization would check.
		const stranger = await signUp(server);
		expect(await asha.code('ticket-show', on(stranger, id))).toBe('NOT_FOUND');
		await server.act('staff-player-link', { name: 'bala', userName: player.userName, host: 'localhost' });
		expect(await bala.code('ticket-answer', answer(player, id, 1))).toBe('SAME_PERSON');
	});
});

describe('a complaint', () => {
	it('is due by the brand’s days until it is closed with an answer; further messages delay nothing', async () => {
		const player = await signUp(server);
		await server.act('brand-set', { host: 'localhost', field: 'support.complaintDays', value: '3' });
		const { id, dueAt, openedAt } = await opened(player, 'COMPLAINT');
		expect(Date.parse(dueAt ?? '') - Date.parse(openedAt)).toBe(3 * DAY_MS);
		expect(await asha.code('ticket-close', { ...on(player, id), seen: 1, reason: 'nothing in it' })).toBe(
			'WRONG_STATE',
		);
		await asha.result('ticket-answer', answer(player, id, 1));
		await server.result(
			'writeTicket',
			{ ticketId: id, text: 'Well?', clientRequestId: freshRequestId() },
			player.token,
		);
		expect((await shown(player, id)).dueAt).toBe(dueAt);
		await asha.result('ticket-answer', answer(player, id, 3, 'We were wrong.', true));
		expect((await shown(player, id)).dueAt).toBeNull();
		await asha.result('ticket-reopen', { ...on(player, id), reason: 'a regulator asks' });
		expect(await shown(player, id)).toMatchObject({ state: 'WAITING' });
		expect((await shown(player, id)).dueAt).not.toBeNull();
	});

	it('past its deadline is first in the queue, on Today and an alarm, until it is closed', async () => {
		const player = await signUp(server);
		const { id } = await opened(player, 'COMPLAINT');
		const { db } = server.running;
		await db.query('update ticket set due_at = $2 where ticket_id = $1', [id, Date.now() - 5 * HOUR_MS]);
		expect((await queued())[0]).toMatchObject({ ticketId: id, isOverdue: true });
		const { tickets } = await asha.result<{ tickets: { overdue: number } }>('today', {});
		expect(tickets.overdue).toBe(1);
		const check = await ticketsCheck(db, Date.now());
		expect(check).toMatchObject({ state: 'failing' });
		expect(check.words).toMatch(/^1 messages or complaints .* for 5 hours/);
		await asha.result('ticket-answer', answer(player, id, 1, 'Sorry.', true));
		expect((await ticketsCheck(db, Date.now())).state).toBe('ok');
	});
});

describe('what was written', () => {
	it('is in the journal as a hash and never as a text, and no row of it can be changed', async () => {
		const player = await signUp(server);
		const { id } = await server.result('openTicket', written('MESSAGE', 'a secret of mine'), player.token);
		await asha.result('ticket-answer', answer(player, id, 1, 'a secret of ours'));
		const { db } = server.running;
		const { rows } = await db.query<{ act: string; actor: string; all: string }>(
			`select act, actor, to_jsonb(journal)::text as all from journal where subject = $1 order by seq`,
			[`player ${player.userId}`],
		);
		expect(rows.map(({ act, actor }) => [act, actor]).slice(-3)).toEqual([
			['TICKET_MESSAGE', 'player'],
			['TICKET_MESSAGE', 'asha'],
			['ticket-answer', 'asha'],
		]);
		// To the player it is a matter of the account, and not of protection.
		const activity = await server.result('getActivity', {}, player.token);
		expect(activity.items[0]).toMatchObject({ kind: 'ACCOUNT', what: 'TICKET_MESSAGE' });
		expect(rows.some(({ all }) => all.includes('secret'))).toBe(false);
		await expect(db.query(`update ticket_message set text = 'other' where ticket_id = $1`, [id])).rejects.toThrow(
			/check constraint/,
		);
	});

	it('is read by a player whose account is closed, and is in the player’s own data', async () => {
		const player = await signUp(server);
		const { id } = await opened(player);
		await server.result('closeAccount', { password: 'a long enough Passw0rd!' } as never, player.token);
		await asha.result('ticket-answer', answer(player, id, 1, 'Your balance is paid.'));
		const { accessToken } = await server.result('authenticate', {
			userNameOrEmailAddress: player.userName,
			password: 'a long enough Passw0rd!',
		});
		expect((await server.result('getTicket', { ticketId: id }, accessToken)).messages[1]?.text).toBe(
			'Your balance is paid.',
		);
		const { files } = await server.result('exportData', {}, accessToken);
		expect(files.find(({ name }) => name === 'support.csv')?.csv).toContain('Your balance is paid.');
	});
});

/** What any order of acts leaves true of a player's tickets. */
async function expectConsistent(player: Player, readUpTo: ReadonlyMap<string, number>): Promise<void> {
	const { items, unread: total } = await server.result('getInbox', { maxResultCount: '200' }, player.token);
	expect(total).toBe(items.reduce((sum, { unread: of }) => sum + of, 0));
	for (const { id, kind, state, dueAt, unread: of } of items) {
		const { messages } = await shown(player, id);
		expect(messages.map(({ number }) => number)).toEqual(messages.map((_, at) => at + 1));
		const read = readUpTo.get(id) ?? 0;
		expect(of, `${id}, unread`).toBe(messages.filter(({ isOwn, number }) => !isOwn && number > read).length);
		// Due while the staff have to do something, and not otherwise.
		const waits = state === 'WAITING' || (state === 'ANSWERED' && kind === 'COMPLAINT');
		expect(dueAt !== null, `${id}, ${kind} ${state}`).toBe(waits);
		if (state === 'ANSWERED') expect(messages.at(-1)?.isOwn).toBe(false);
	}
}

onSeeds(
	[1, 2, 3, 4, 5],
	'seed %i: any order of acts by a player and two members leaves tickets consistent',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const player = await signUp(server);
		const readUpTo = new Map<string, number>();
		const ids: string[] = [];
		const act = async (): Promise<void> => {
			const [id = '', by] = [ids[numbers.below(ids.length || 1)], numbers.below(2) === 0 ? asha : bala];
			const seen = id === '' ? 1 : (await shown(player, id)).messages.length - numbers.below(2);
			const step = id === '' ? 0 : numbers.below(7);
			if (step === 0) {
				const asked = written(numbers.below(2) === 0 ? 'MESSAGE' : 'COMPLAINT');
				const { body } = await server.call('openTicket', asked, player.token);
				if (body.result) ids.push(body.result.id);
			} else if (step === 1)
				await server.call(
					'writeTicket',
					{ ticketId: id, text: 'More.', clientRequestId: freshRequestId() },
					player.token,
				);
			else if (step === 2) {
				await server.result('readTicket', { ticketId: id, messages: seen }, player.token);
				readUpTo.set(id, Math.max(readUpTo.get(id) ?? 0, seen));
			} else if (step === 3) await by.code('ticket-close', { ...on(player, id), seen, reason: 'done with it' });
			else if (step === 4) await by.code('ticket-reopen', { ...on(player, id), reason: 'once more' });
			else await by.code('ticket-answer', answer(player, id, seen, 'Yes.', step === 5));
		};
		for (let round = 0; round < 12; round += 1) {
			await Promise.all([act(), act(), act()]);
			await expectConsistent(player, readUpTo);
		}
	},
);
