/** Personal data: encrypted with keys that rotate, erased after the set time, and given to the player as CSV. */
import { TOTP } from 'otpauth';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXPORTED, NOT_EXPORTED } from '#server/money/funds/export-data.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { DAY_MS } from '#values/time.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { PASSWORD as OF_PLAYERS, signUp } from '../support/sign-up.ts';

const [OLD, NEW, NEWEST, LAST] = [
	'an old key of thirty-two characters',
	'the new key of thirty-two characters',
	'the newest key of thirty-two characters',
	'the last key of thirty-two characters',
];
const PASSWORD = 'Correct-horse-9';
let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, { dataKeys: [OLD] });
	player = await signUp(server);
});
afterAll(() => server.dispose());

/** The key that the server seals with. */
let present: string = OLD;
const restart = async (dataKeys: [string, ...string[]], retentionDays = 1825) => {
	const { database } = server;
	[present] = dataKeys;
	await server.stop();
	server = await TestServer.start(database, { dataKeys, retentionDays });
};
const picture = async (red: number) => {
	const background = { r: red, g: 100, b: 10 };
	const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
		.png()
		.toBuffer();
	return (await server.running.funds.images.store(player.userId, bytes.toString('base64'), Number.POSITIVE_INFINITY))
		.imageRef;
};
const BANK = { method: 'BANK', accountNumber: '123456789012', ifsc: 'HDFC0001234', holder: 'Asha Rao' } as const;
const details = () => server.running.funds.payoutDetails;
const images = async () =>
	(await server.database.db.query<{ ref: string }>('select image_ref as ref from stored_image order by at')).rows.map(
		({ ref }) => ref,
	);
const age = (table: 'stored_image' | 'payout_details', days: number) =>
	server.database.db.query(`update ${table} set at = at - $1::bigint`, [days * DAY_MS]);

it('seals anew with the present key what an older one sealed, so that the older one can go', async () => {
	const ref = await picture(10);
	const { detailsId } = await details().save(player.userId, BANK);
	await restart([NEW, OLD]);
	const before = await details().of(player.userId);
	await expect
		.poll(async () => (await server.database.db.query('select distinct key_id from stored_image')).rowCount)
		.toBe(1);
	await server.running.funds.retention.run();
	await restart([NEW]);
	expect(await details().reveal(detailsId)).toEqual(BANK);
	expect((await server.result('getImage', { imageRef: ref }, player.token)).type).toBe('image/webp');
	// The same details of another player are still found to be the same.
	const other = await signUp(server);
	expect(await details().save(other.userId, BANK)).toMatchObject({ isShared: true });
	expect((await details().save(player.userId, BANK)).detailsId).toBe(before[0]?.detailsId);
});

it('keeps the second factors of staff and the chain of a table over a change of the key', {
	tags: 'thorough',
}, async () => {
	const before = present;
	const { directory } = server.running.staff;
	const passwordHash = await hashPassword(PASSWORD);
	await directory.add(
		{ name: 'trader', passwordHash, roles: ['trader'], brands: null },
		{ actor: 'test', address: null },
	);
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name: 'trader', password: PASSWORD });
	const { secret } = await client.result<{ secret: string }>('begin-enrolment', {});
	const codeAt = (atMs: number) => new TOTP({ secret }).generate({ timestamp: atMs });
	await client.result('finish-enrolment', { code: codeAt(Date.now() - 30_000) });
	const commitmentNow = async () => (await server.raw('getCrash', {}, player.token)).body.result?.chain.commitment;
	// The chain is made in the background.
	await expect.poll(commitmentNow, { timeout: 60_000 }).toMatch(/^[0-9a-f]{64}$/);
	const commitment = await commitmentNow();

	await restart([NEWEST, before]);
	await restart([NEWEST]);
	await expect.poll(commitmentNow, { timeout: 60_000 }).toBe(commitment);
	const later = new ConsoleClient(server.url);
	expect(await later.result('log-in', { name: 'trader', password: PASSWORD })).toEqual({ stage: 'CODE' });
	expect(await later.result('show-code', { code: codeAt(Date.now()) })).toEqual({ stage: 'IN' });
});

it('erases a picture that belongs to no deposit after a day, and one of a deposit after the set time', async () => {
	const [used, unused] = [await picture(60), await picture(110)];
	const asked = { amount: 500, utr: '412345678999', imageRef: used, clientRequestId: freshRequestId() };
	expect((await server.call('createDeposit', asked, player.token)).code).toBeNull();
	// A crash has kept the picture from being marked.
	await server.database.db.query('update stored_image set is_used = false');
	await age('stored_image', 2);
	await server.running.funds.retention.run();
	expect(await images()).toEqual([used]);
	expect(await images()).not.toContain(unused);
	await age('stored_image', 1825);
	await server.running.funds.retention.run();
	expect(await images()).toEqual([]);
});

it('erases bank details to which nothing was withdrawn for the set time, and no others', async () => {
	const used = await details().save(player.userId, { method: 'UPI', upiId: 'asha@bank' });
	const asked = {
		amount: 500,
		details: { method: 'SAVED', id: used.detailsId },
		clientRequestId: freshRequestId(),
	} as const;
	expect((await server.call('createWithdrawal', asked, player.token)).code).toBeNull();
	await age('payout_details', 1826);
	await server.running.funds.retention.run();
	expect((await details().of(player.userId)).map(({ detailsId }) => detailsId)).toEqual([used.detailsId]);
});

it('gives the player everything that is kept, and no secret', async () => {
	await details().save(player.userId, { method: 'UPI', upiId: 'asha@bank' });
	const { files } = await server.result('exportData', {}, player.token);
	expect(files.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['account.csv', 'statement.csv', 'payout-details.csv', 'receipts.csv', 'messages.csv']),
	);
	const text = JSON.stringify(files);
	expect(text).not.toContain('asha@bank');
	expect(text).toContain('a••••@bank');
});

it('exports every table with something about single players, or says why not', async () => {
	const { rows } = await server.database.db.query<{ name: string }>(
		`select distinct table_name as name from information_schema.columns
		 where table_schema = 'public' and column_name in ('player_id', 'wallet_id', 'mobile', 'user_name')
		   and table_name in (select relname from pg_class where relkind in ('r', 'p') and not relispartition)`,
	);
	const tables = [...EXPORTED, ...NOT_EXPORTED].flatMap((listed) => listed.tables);
	expect(rows.map(({ name }) => name).filter((name) => !tables.includes(name))).toEqual([]);
	expect(new Set(tables).size).toBe(tables.length);
});

it('exports each row of the player, and none of another one', async () => {
	const [own, other] = [await signUp(server), await signUp(server)];
	const [settled, open] = [await openTestMatch(server), await openTestMatch(server)];
	for (const [{ token }, side] of [
		[own, 'BACK'],
		[other, 'LAY'],
	] as const) {
		for (const match of [settled, open]) await server.result('placeBetV2', betOn(match, { side }), token);
		await server.result('setPreferences', { showBalance: false, pin: [open.eventId] }, token);
		const key = { name: side, mayTrade: true, addresses: [], callsPerSecond: 100, password: OF_PLAYERS };
		await server.result('createApiKey', key, token);
		const message = { kind: 'MESSAGE', topic: 'A question', text: 'What is a lay?' } as const;
		await server.result('openTicket', { ...message, clientRequestId: freshRequestId() }, token);
		await server.beginSeeds({ token });
	}
	await settled.settle(0);
	const { files } = await server.result('exportData', {}, own.token);
	const filled: string[] = [];
	for (const { name, tables } of EXPORTED) {
		const [, ...lines] = files.find((file) => file.name === name)?.csv.split('\r\n') ?? [];
		// A text message has the mobile alone, a file of tickets their messages.
		const sql = `select count(*)::int as count from ${tables.at(-1)} as kept, to_jsonb(kept) as row
			where coalesce(row ->> 'player_id', row ->> 'wallet_id')::bigint = $1
			  or row ->> 'mobile' = (select mobile from player where player_id = $1)`;
		const { rows } = await server.database.db.query<{ count: number }>(sql, [own.userId]);
		expect([name, lines.length]).toEqual([name, rows[0]?.count]);
		if (lines.length > 0) filled.push(name);
	}
	expect(filled).toEqual(
		expect.arrayContaining(['bets.csv', 'results.csv', 'support.csv', 'app-keys.csv', 'seeds.csv']),
	);
	expect(filled.length).toBeGreaterThan(9);
});

it('knows an excluded person by a document that only an operator saw, over a change of the key', async () => {
	const [excluded, other] = [await signUp(server), await signUp(server)];
	const verify = ({ userName }: { userName: string }) =>
		server.act('verify-identity', { userName, host: 'localhost', age: 30, document: 'passport Z7654321' });
	await verify(excluded);
	await server.running.funds.protection.exclude(excluded.userId, 6, { actor: 'test', address: null });
	await restart([LAST, present]);
	await verify(other);
	expect(server.running.funds.protection.barOf(other.userId)?.code).toBe('EXCLUDED');
	// From then on by the present key alone.
	await restart([LAST]);
	const third = await signUp(server);
	await verify(third);
	expect(server.running.funds.protection.barOf(third.userId)?.code).toBe('EXCLUDED');
});

/** Every field of the export, in the order of the files. Another one is added here once it is looked at. */
const HEADS: Readonly<Record<string, string>> = {
	'account.csv': 'player_id brand user_name mobile mobile_proven_at referral_code pool stakes created_at',
	'statement.csv': 'at kind ref debit credit amount balance',
	'bets.csv': 'bet_id market_id runner side price stake matched result placed_at ended_at',
	'bets-of-earlier-months.csv': 'month market_id matched profit',
	'waiting-bets.csv':
		'trigger_id market_id runner side price stake watches moves at_price plan status reason bet_id placed_at',
	'automatic-cash-outs.csv': 'market_id target set_at',
	'order-groups.csv': 'name most closed_at',
	'seeds.csv': 'number client_seed commitment server_seed begun_at revealed_at',
	'deposits-withdrawals-bonuses.csv': 'kind id state opened_at at reason data',
	'payout-details.csv': 'method masked saved_at',
	'identity-documents.csv': 'kind masked state reason at decided_at',
	'identity.csv': 'verified_at',
	'receipts.csv': 'image_ref type is_used stored_at',
	'messages.csv': 'at state',
	'mail-address.csv': 'address proven_at tells_limits tells_withdrawals tells_statement',
	'mail.csv': 'at recipient subject state',
	'support.csv': 'ticket_id kind topic at written_by text',
	'results.csv': 'market_id profit at',
	'logins.csv': 'at address succeeded',
	'open-logins.csv': 'opened_at address active_at expires_at',
	'passkeys.csv': 'name host created_at used_at',
	'authenticator.csv': 'created_at',
	'app-keys.csv': 'name hint may_trade addresses per_second created_at used_at',
	'accepted-terms.csv': 'kind version brand at address',
	'protection.csv': 'is_frozen record',
	'sports.csv': 'sport is_closed max_stake max_profit',
	'preferences.csv': 'language show_balance show_exposure odds_format theme',
	'pinned-events.csv': 'event_id pinned_at',
	'favourite-games.csv': 'game favourite_since opened_at',
	'notifications.csv': 'off at_night',
	'notified-browsers.csv': 'created_at',
};
/** The same of what is stored as JSON. */
const JSON_FIELDS: Readonly<Record<string, string>> = {
	record:
		'limits raises timeOutUntilMs excludedUntilMs closedAtMs realityCheckMinutes identifiedAtMs ageSeen limitsReviewedAtMs',
	COINS: 'amount reason',
	PAYMENT: 'amount of expiresAtMs payee paid paidAtMs utr held lost',
	DEPOSIT: 'amount utr imageRef paidAtMs bankAtMs',
	WITHDRAWAL: 'amount method masked identity utr paidAtMs tax',
	DISPUTE: 'payment cycle amount held taken paidAtMs lostAtMs name deadlineMs',
	ADJUSTMENT: 'amount isCredit reasonCode paidAtMs',
	BONUS: 'brand campaign title terms bonusKind amount required expiresAtMs source sportsWeight casinoWeight',
	REFERRAL: 'friend amount thresholds',
	CASINO:
		'game stake payout bets actions result outcome pair nonce round slot terms beacon provider providerRound wins wonBets payments rollbacks event isTip tombstone rollback',
	TAX: 'name host period base amount',
};
const HIDDEN = ['FINDING', 'PROVIDER_SETTLEMENT'];
/** What the house keeps of workflows for itself. */
const OF_HOUSE =
	'doubts proposed decidedBy requestedBy read evidence detailsId attempts providerId refusedRefunds link sequence wasOpened rest payout-reference txId fieldOfTomorrow';

const OTHER_PLAYER = 987_654_321;

it('exports the fields that are chosen by name alone: no doubt, no member of staff and no other player', async () => {
	const { db } = server.database;
	const own = await signUp(server);
	await server.running.funds.protection.freeze(own.userId, 'HIDDEN', { actor: 'test', address: null });
	await db.query('delete from workflow where wallet_id = $1', [own.userId]);
	for (const [place, kind] of [...Object.keys(JSON_FIELDS).slice(1), ...HIDDEN].entries()) {
		const hidden = [...OF_HOUSE.split(' '), ...(kind === 'COINS' ? [] : ['reason'])];
		const shown = (JSON_FIELDS[kind] ?? '').split(' ').filter(Boolean);
		const data = Object.fromEntries<unknown>([
			...shown.map((name) => [name, 'own'] as const),
			...hidden.map((name) => [name, 'HIDDEN'] as const),
			['refereeId', OTHER_PLAYER],
		]);
		const values = [kind, 900_000_000 + place, own.userId, kind === 'ADJUSTMENT' ? 'POSTED' : 'APPROVED', data];
		await db.query(
			`insert into workflow (kind, id, wallet_id, pool, state, step, postings, is_open, opened_at, at, data)
			 values ($1, $2, $3, 'PLAY', $4, 1, 0, false, $2, 0, $5)`,
			values,
		);
		await db.query(
			`insert into workflow_step (kind, id, step, from_state, to_state, actor, at, data)
			 values ($1, $2, 1, null, $3, 'HIDDEN', 0, $4)`,
			[kind, values[1], values[3], data],
		);
	}
	const kinds: unknown[] = [];
	for (const { name, sql } of EXPORTED) {
		const { rows, fields } = await db.query<Record<string, unknown>>(sql, [own.userId]);
		expect([name, fields.map((field) => field.name).join(' ')]).toEqual([name, HEADS[name]]);
		for (const hidden of ['HIDDEN', String(OTHER_PLAYER)])
			expect([name, JSON.stringify(rows)]).not.toEqual([name, expect.stringContaining(hidden)]);
		for (const row of rows) {
			const known = (JSON_FIELDS[row.data ? String(row.kind) : 'record'] ?? '').split(' ');
			const found = Object.keys((row.data ?? row.record ?? {}) as object);
			expect([name, row.kind, found.filter((field) => !known.includes(field))]).toEqual([name, row.kind, []]);
			if (row.data) expect(found).toHaveLength(known.length);
			if (row.data) kinds.push(row.kind);
		}
	}
	expect(kinds).toEqual(Object.keys(JSON_FIELDS).slice(1));
});
