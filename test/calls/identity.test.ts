/** Identity documents: what a withdrawal waits for, what players send, what operators decide, and what stays of it. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNPROTECTED } from '#server/money/funds/protection/protection-record.ts';
import type { DocumentKind } from '#values/identity-documents.ts';
import { DAY_MS } from '#values/time.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { freshRequestId } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const PAYMENTS = { orderMs: 60_000, simulatedDelayMs: 20, pollMs: 100, webhookKeys: {} };
/** No rule but the identity's doubts a withdrawal of these. */
const WITHOUT_DOUBTS = { autoApproveUpTo: '100000', cancelWithdrawals: 'true', withdrawalsPerDay: '50' };

let server: TestServer;
/** Compliance, twice, and a member of payments. */
let asha: ConsoleClient;
let bala: ConsoleClient;
let payments: ConsoleClient;

const set = (field: string, value: unknown) =>
	server.act('brand-set', { host: 'localhost', field: `funds.${field}`, value: String(value) });

async function staff(name: string, role: string, brands: string[] | null = null): Promise<ConsoleClient> {
	const about = { name, passwordHash: 'none', roles: [role], brands };
	const { staffId } = await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	const visit = { address: '127.0.0.1', userAgent: 'a test' };
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, visit, true));
	return client;
}

beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: PAYMENTS });
	for (const [field, value] of Object.entries(WITHOUT_DOUBTS)) await set(field, value);
	await set('identity', '{"aboveWithdrawal": 1000}');
	asha = await staff('asha', 'compliance');
	bala = await staff('bala', 'compliance');
	payments = await staff('pia', 'payments');
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

let numbers = 1000;
const freshNumber = () => `Z${++numbers}567`;

/** A player whom no rule doubts: the details are old, and enough was bet. */
async function trusted(): Promise<Player & { userName: string; mobile: string }> {
	const player = await signUp(server);
	const { detailsId } = await server.running.funds.payoutDetails.save(player.userId, {
		method: 'UPI',
		upiId: `p${player.userId}@bank`,
	});
	const { db } = server.database;
	await db.query('update payout_details set at = at - $2::bigint where details_id = $1', [detailsId, 2 * DAY_MS]);
	const round = { game: 'dice', bets: [{ stake: 5000, bet: 'under-5000' }], clientRequestId: freshRequestId() };
	await server.beginSeeds(player);
	await server.result('playRound', round as never, player.token);
	return player;
}

const withdraw = async (player: Player, amount: number) => {
	const details = { method: 'UPI', upiId: `p${player.userId}@bank` };
	return await server.raw('createWithdrawal', { amount, details, clientRequestId: freshRequestId() }, player.token);
};
const statusOf = async (player: Player, id = '') =>
	(await server.result('getDepositWithdrawals', {}, player.token)).items.find((row) => row.id === id)?.status;
const becomes = (player: Player, id: string | undefined, status: string) =>
	expect.poll(() => statusOf(player, id), { timeout: 60_000 }).toBe(status);
const picture = async (player: Player, shade = numbers % 256) => {
	const background = { r: shade, g: 90, b: 20 };
	const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background } })
		.png()
		.toBuffer();
	return (await server.result('storeImage', { image: bytes.toString('base64') }, player.token)).imageRef;
};
const submit = async (
	player: Player,
	{ kind = 'PASSPORT' as DocumentKind, number = freshNumber(), imageRefs = [] as string[], id = freshRequestId() } = {},
) => {
	const refs = imageRefs.length > 0 ? imageRefs : [await picture(player)];
	return await server.call('submitDocument', { kind, number, imageRefs: refs, clientRequestId: id }, player.token);
};
const identity = (player: Player) => server.result('getIdentity', {}, player.token);
const newest = async (player: Player) => {
	const [document] = (await identity(player)).documents;
	return { playerId: String(player.userId), documentId: document?.id ?? '' };
};
const accept = async (player: Player, by = asha) => by.code('document-accept', { ...(await newest(player)), age: 30 });
const reject = async (player: Player, by = asha) =>
	by.code('document-reject', { ...(await newest(player)), reason: 'The number cannot be read.' });

describe('a withdrawal above the threshold', () => {
	it('getIdentity: success, waits with its reason, and is paid by itself once the document is accepted', async () => {
		const player = await trusted();
		const small = (await withdraw(player, 1_000)).body.result as { id: string };
		const { body } = await withdraw(player, 1_500);
		const id = (body.result as { id: string }).id;
		expect(body.result).toMatchObject({ status: 'WAITING_FOR_KYC' });
		expect(await identity(player)).toMatchObject({
			verifiedAt: null,
			waiting: [{ id, amount: 1_500, reason: 'AMOUNT' }],
			rules: { atFirstWithdrawal: false, aboveWithdrawal: 1_000, aboveTotal: null },
		});
		expect((await submit(player)).code).toBeNull();
		expect(await accept(player)).toBe('');
		await becomes(player, id, 'PAID');
		// It waited for nothing.
		await becomes(player, small.id, 'PAID');
		const after = await identity(player);
		expect(after).toMatchObject({ waiting: [], documents: [{ status: 'ACCEPTED' }] });
		expect(after.verifiedAt).not.toBeNull();
		// A verified player does not wait any more.
		const later = (await withdraw(player, 1_500)).body.result as { id: string };
		await becomes(player, later.id, 'PAID');
	});

	it('waits when withdrawals of a day come to more together, over all accounts of the person', async () => {
		const player = await trusted();
		const other = await signUp(server, { mobile: player.mobile });
		// A person looks at accounts of one mobile; there is nothing to wait for.
		expect((await withdraw(player, 700)).body.result).toMatchObject({ status: 'REQUESTED' });
		for (const account of [player, other])
			expect((await withdraw(account, 400)).body.result).toMatchObject({ status: 'WAITING_FOR_KYC' });
		expect((await identity(other)).waiting).toMatchObject([{ amount: 400, reason: 'AMOUNT' }]);
	});

	it('goes to a person once the player is verified, when a rule doubts', async () => {
		const player = await signUp(server);
		const { body } = await withdraw(player, 2_000);
		const id = (body.result as { id: string }).id;
		await submit(player);
		await accept(player);
		expect(await statusOf(player, id)).toBe('REQUESTED');
		expect(server.running.exchange.wallet(player.userId)?.hold).toBe(200_000);
	});

	it.each([
		[
			'{"atFirstWithdrawal": true}',
			'FIRST_WITHDRAWAL',
			// The second is the first one still: none was paid.
			[
				['WAITING_FOR_KYC', 200],
				['WAITING_FOR_KYC', 100],
			],
		],
		[
			'{"aboveTotal": 1200}',
			'TOTAL',
			[
				['', 700],
				['', 500],
				['WAITING_FOR_KYC', 100],
			],
		],
	] as const)('waits by the rule %s with the reason %s', async (rule, reason, steps) => {
		await set('identity', rule);
		const player = await trusted();
		for (const [status, amount] of steps) {
			const { body } = await withdraw(player, amount);
			const waits = (body.result as { status: string }).status === 'WAITING_FOR_KYC';
			expect(waits).toBe(status === 'WAITING_FOR_KYC');
		}
		const reasons = (await identity(player)).waiting.map((waiting) => waiting.reason);
		expect(reasons).toEqual(steps.filter(([status]) => status !== '').map(() => reason));
		await set('identity', '{"aboveWithdrawal": 1000}');
	});
});

describe('documents', () => {
	it('submitDocument: success, the same request stores one document, and its pictures are kept while they are used', async () => {
		const player = await signUp(server);
		const id = freshRequestId();
		const refs = [await picture(player, 1), await picture(player, 2)];
		const again = { number: 'ab-1234567', imageRefs: refs, id };
		const answers = await Promise.all([submit(player, again), submit(player, again), submit(player, again)]);
		expect(answers.map(({ code }) => code)).toEqual([null, null, null]);
		const { documents } = await identity(player);
		expect(documents).toMatchObject([
			{ kind: 'PASSPORT', number: '••••4567', pictures: 2, status: 'SUBMITTED', decidedAt: null, reason: '' },
		]);
		const { db } = server.database;
		// A day on, what belongs to nothing is erased; after the set time, what is still looked at is not.
		const unused = await picture(player, 3);
		await db.query('update stored_image set at = at - $1::bigint, is_used = false where player_id = $2', [
			4000 * DAY_MS,
			player.userId,
		]);
		await db.query('update identity_document set at = at - $1::bigint where player_id = $2', [
			4000 * DAY_MS,
			player.userId,
		]);
		await server.running.funds.retention.run();
		const stored = async () =>
			(
				await db.query<{ ref: string }>('select image_ref as ref from stored_image where player_id = $1', [
					player.userId,
				])
			).rows;
		expect((await stored()).map(({ ref }) => ref).sort()).toEqual([...refs].sort());
		expect((await server.call('getImage', { imageRef: unused }, player.token)).code).toBe('NOT_FOUND');
		expect(await accept(player)).toBe('');
		await server.running.funds.retention.run();
		expect(await stored()).toHaveLength(2);
		await db.query('update identity_document set decided_at = decided_at - $1::bigint where player_id = $2', [
			4000 * DAY_MS,
			player.userId,
		]);
		await server.running.funds.retention.run();
		expect(await stored()).toEqual([]);
		// That the player was verified stays.
		expect(await identity(player)).toMatchObject({ verifiedAt: expect.any(String), documents: [] });
	});

	it('submitDocument: refusal of another player’s picture, of a second one meanwhile, and of a bad number', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		expect((await submit(player, { imageRefs: [await picture(other)] })).code).toBe('NOT_FOUND');
		expect((await submit(player, { number: '----' })).code).toBe('VALIDATION_FAILED');
		expect((await identity(player)).documents).toEqual([]);
		const two = await Promise.all([submit(player), submit(player)]);
		expect(two.map(({ code }) => code ?? '').sort()).toEqual(['', 'WRONG_STATE']);
		const demo = await server.demoPlayer();
		expect((await submit(demo, { imageRefs: ['none'] })).code).toBe('FORBIDDEN');
	});

	it('are rejected with a reason that the player reads, and another one may follow', async () => {
		const player = await signUp(server);
		await submit(player);
		expect(await reject(player)).toBe('');
		expect((await identity(player)).documents).toMatchObject([
			{ status: 'REJECTED', reason: 'The number cannot be read.' },
		]);
		expect(await accept(player)).toBe('WRONG_STATE');
		expect((await identity(player)).verifiedAt).toBeNull();
		expect((await submit(player)).code).toBeNull();
		expect((await identity(player)).documents.map(({ status }) => status)).toEqual(['SUBMITTED', 'REJECTED']);
	});

	it('are shown with number and pictures to compliance alone, and each view is recorded', async () => {
		const player = await signUp(server);
		await submit(player, { kind: 'PAN', number: 'ABCDE1234F' });
		const about = await newest(player);
		const shown = await asha.result<{ number: string; images: string[] }>('document-show', about);
		expect(shown.number).toBe('ABCDE1234F');
		expect(shown.images).toEqual([expect.stringMatching(/^data:image\/webp;base64,/)]);
		expect(await payments.code('document-show', about)).toBe('FORBIDDEN');
		const { rows } = await server.database.db.query<{ actor: string }>(
			`select actor from journal where act = 'document-show' and subject = $1 and outcome = 'done'`,
			[`player ${player.userId}`],
		);
		expect(rows).toEqual([{ actor: 'asha' }]);
		const queue = await asha.result<{ documentId: string; who: string; masked: string }[]>('document-queue', {});
		expect(queue.find(({ documentId }) => documentId === about.documentId)).toMatchObject({
			who: player.userName,
			masked: '••••234F',
		});
		const page = await payments.result<{ documents: object[] }>('player', { playerId: about.playerId });
		expect(page.documents).toMatchObject([{ state: 'SUBMITTED', masked: '••••234F' }]);
		// Neither the journal nor the table has the number in the clear.
		for (const table of ['journal', 'identity_document'])
			expect(JSON.stringify((await server.database.db.query(`select * from ${table}`)).rows)).not.toContain(
				'ABCDE1234F',
			);
	});

	it('of a minor are not accepted, and operators do not decide about themselves', async () => {
		const player = await signUp(server);
		await submit(player);
		const about = await newest(player);
		expect(await asha.code('document-accept', { ...about, age: 17 })).toBe('VALIDATION_FAILED');
		const self = await staff('chitra', 'compliance');
		await server.act('staff-player-link', { name: 'chitra', userName: player.userName, host: 'localhost' });
		expect(await accept(player, self)).toBe('SAME_PERSON');
		expect(await reject(player, self)).toBe('SAME_PERSON');
		expect((await identity(player)).documents).toMatchObject([{ status: 'SUBMITTED' }]);
	});

	it('of one number make two accounts one person’s, however it is written', async () => {
		const [one, other] = [await signUp(server), await signUp(server)];
		await server.result('takeTimeOut', { hours: 48 }, one.token);
		await submit(one, { kind: 'DRIVING_LICENCE', number: 'MH-12 20110012345' });
		await submit(other, { kind: 'DRIVING_LICENCE', number: 'mh1220110012345' });
		expect([await accept(one), await accept(other, bala)]).toEqual(['', '']);
		const page = await asha.result<{ linked: object[] }>('player', { playerId: String(other.userId) });
		expect(page.linked).toMatchObject([{ playerId: String(one.userId), why: 'same document' }]);
		const { timeOutUntil } = await server.result('getProtection', {}, other.token);
		expect(timeOutUntil).not.toBeNull();
	});
});

describe('at the same time', () => {
	it('two reviewers decide once, and a withdrawal that is cancelled while its player is verified is one or the other', async () => {
		for (let round = 0; round < 4; round++) {
			const player = await trusted();
			const { id } = (await withdraw(player, 1_500)).body.result as { id: string };
			await submit(player);
			const about = await newest(player);
			const [first, second, cancelled] = await Promise.all([
				asha.code('document-accept', { ...about, age: 40 }),
				round % 2 === 0
					? bala.code('document-accept', { ...about, age: 40 })
					: bala.code('document-reject', { ...about, reason: 'Not readable.' }),
				server.call('cancelWithdrawal', { id }, player.token),
			]);
			expect([first, second].sort()).toEqual(['', 'WRONG_STATE']);
			const isVerified = (await identity(player)).verifiedAt !== null;
			expect(isVerified).toBe(round % 2 === 0 || first === '');
			if (cancelled.code === null) expect(await statusOf(player, id)).toBe('CANCELLED');
			else await becomes(player, id, 'PAID');
			expect(server.running.exchange.wallet(player.userId)?.hold).toBe(0);
		}
	});

	/** What players, reviewers and the erasure do in any order; the model knows what must be true in the end. */
	onSeeds(
		[11, 12, 13],
		'random sequences leave no verification without a document, seed %i',
		async (seed) => {
			const random = new SeededNumbers(seed);
			const player = await trusted();
			const asked: { id: string; number: string; imageRefs: string[] }[] = [];
			const withdrawals: string[] = [];
			let accepted = 0;
			for (let step = 0; step < 14; step++) {
				const acts = Array.from({ length: 1 + random.below(3) }, () => random.below(6));
				const fresh = { id: freshRequestId(), number: freshNumber(), imageRefs: [await picture(player)] };
				await Promise.all(
					acts.map(async (act) => {
						if (act === 0) {
							const repeated = random.chance(30) ? asked.at(-1) : undefined;
							const { code } = await submit(player, repeated ?? fresh);
							expect([null, 'WRONG_STATE']).toContain(code);
							if (code === null && !repeated) asked.push(fresh);
						} else if (act === 1) {
							const code = await accept(player, random.from([asha, bala]));
							expect(['', 'WRONG_STATE', 'NOT_FOUND', 'VALIDATION_FAILED']).toContain(code);
							if (code === '') accepted += 1;
						} else if (act === 2) {
							expect(['', 'WRONG_STATE', 'NOT_FOUND', 'VALIDATION_FAILED']).toContain(await reject(player, bala));
						} else if (act === 3) {
							const { body } = await withdraw(player, random.from([600, 1_001]));
							const { id } = (body.result ?? {}) as { id?: string };
							if (id) withdrawals.push(id);
						} else if (act === 4 && withdrawals.length > 0) {
							const { code } = await server.call('cancelWithdrawal', { id: random.from(withdrawals) }, player.token);
							expect([null, 'WRONG_STATE']).toContain(code);
						} else await server.running.funds.retention.run();
					}),
				);
				const { verifiedAt, documents } = await identity(player);
				expect(documents.filter(({ status }) => status === 'ACCEPTED')).toHaveLength(accepted);
				expect(verifiedAt !== null).toBe(accepted > 0);
				expect(documents.filter(({ status }) => status === 'SUBMITTED').length).toBeLessThan(2);
				for (const { imageRefs } of await server.running.funds.documents.of(player.userId))
					for (const imageRef of imageRefs)
						expect((await server.call('getImage', { imageRef }, player.token)).code).toBeNull();
			}
			const settled = accepted > 0 ? ['PAID', 'CANCELLED'] : ['PAID', 'CANCELLED', 'WAITING_FOR_KYC'];
			for (const id of withdrawals)
				await expect
					.poll(async () => settled.includes((await statusOf(player, id)) ?? ''), { timeout: 60_000 })
					.toBe(true);
			const waiting = (await identity(player)).waiting.reduce((sum, { amount }) => sum + amount, 0);
			expect(server.running.exchange.wallet(player.userId)?.hold).toBe(waiting * 100);
		},
		'thorough',
	);
});

it.each([
	['getIdentity: not logged in', 'getIdentity'],
	['submitDocument: not logged in', 'submitDocument'],
] as const)('%s', async (_, call) => {
	expect((await server.raw(call, {})).status).toBe(401);
});

it('getIdentity: refusal of a login that has ended', async () => {
	const { token } = await signUp(server);
	await server.result('logout', {}, token);
	expect((await server.call('getIdentity', {}, token)).code).toBe('LOGIN_EXPIRED');
});

it('goes on after a crash that came between the verification and what follows from it', async () => {
	const player = await trusted();
	const { id } = (await withdraw(player, 1_500)).body.result as { id: string };
	const { database } = server;
	await server.stop();
	// The decision was durable, and nothing that follows from it.
	await database.db.query(`insert into player_protection (player_id, record) values ($1, $2)`, [
		player.userId,
		JSON.stringify({ ...UNPROTECTED, identifiedAtMs: Date.now() }),
	]);
	server = await TestServer.start(database, { payments: PAYMENTS });
	await becomes(player, id, 'PAID');
});
