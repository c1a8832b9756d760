/** Mail on its way: taken once by a server that answers, kept while it is away, under one id, and never without a bound. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { MailOutbox, type NewMail } from '#server/platform/mail/mail-outbox.ts';
import { MOST_CONNECTIONS, Smtp } from '#server/platform/mail/smtp.ts';
import { mailChannel } from '#server/process/health/alarm-channels.ts';
import { MailCheck } from '#server/process/health/mail-check.ts';
import { isMailAddress } from '#values/mail-address.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { SmtpServer } from '../support/smtp-server.ts';

const PLAYER = 1_000_000;
const log = pino({ level: 'silent' });
let database: FreshDatabase;
let server: SmtpServer;
beforeAll(async () => {
	database = await freshDatabase();
	await database.db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
		 values ($1, 'localhost', 'gita', 'gita', false, 'PLAY', 0)`,
		[PLAYER],
	);
});
afterAll(() => database.drop());
beforeEach(async () => {
	await database.db.query('delete from mail');
	server = await SmtpServer.start();
});
afterEach(() => server.stop());

/** An outbox whose process ends with the test. */
function opened(changes: Partial<ConstructorParameters<typeof MailOutbox>[0]> = {}): MailOutbox {
	const { smtp = new Smtp(server.config), ...others } = changes;
	const outbox = new MailOutbox({ db: database.db, smtp, log, ...others });
	onTestFinished(() => outbox.stop());
	return outbox;
}

const mailTo = (to: string, changes: Partial<NewMail> = {}): NewMail => ({
	brand: 'localhost',
	playerId: PLAYER,
	senderName: 'Royal',
	to,
	kind: 'code',
	isCode: false,
	subject: 'नमस्ते Gita',
	text: 'Your code is 123456.\n.hidden line',
	html: '<p>Your code is 123456.</p>',
	about: null,
	worthMs: HOUR_MS,
	...changes,
});

const rows = async () =>
	(
		await database.db.query(
			'select recipient as to, state, tries, text, reason, mail_id as id from mail order by recipient',
		)
	).rows;

it('a message is sent once with the name of the brand, and its text is gone', async () => {
	const outbox = opened();
	outbox.start();
	await outbox.add(database.db, mailTo('gita@mail.example'));
	outbox.wake();
	await expect.poll(rows).toMatchObject([{ state: 'SENT', tries: 1, text: null }]);
	expect(server.taken).toHaveLength(1);
	expect(server.taken[0]).toMatchObject({
		to: 'gita@mail.example',
		from: 'Royal <no-reply@brand.example>',
		subject: 'नमस्ते Gita',
		html: expect.stringContaining('123456'),
	});
	expect(server.taken[0]?.text.trim()).toBe('Your code is 123456.\r\n.hidden line');
});

it('a message that was taken without an answer comes again under the same Message-ID', async () => {
	server.dropsAnswers = true;
	const outbox = opened();
	await outbox.add(database.db, mailTo('gita@mail.example'));
	outbox.start();
	await expect.poll(() => server.taken.length).toBe(1);
	server.dropsAnswers = false;
	await expect.poll(rows).toMatchObject([{ state: 'SENT', tries: 2 }]);
	const [first, second] = server.taken;
	expect(first?.messageId).toMatch(/^<[0-9a-f-]{36}@brand\.example>$/);
	expect(second?.messageId).toBe(first?.messageId);
});

it('a message whose attempt a kill interrupted is sent by the next process, after half a minute', async () => {
	let now = Date.now();
	server.holdsAnswers = true;
	const killed = opened({ clock: () => now });
	await killed.add(database.db, mailTo('gita@mail.example'));
	killed.start();
	await expect.poll(() => server.taken.length).toBe(1);
	const { rows: kept } = await database.db.query<{ nextAt: number }>('select next_at as "nextAt" from mail');
	expect((kept[0]?.nextAt ?? 0) - now).toBe(30_000);
	server.holdsAnswers = false;
	now += 31_000;
	opened({ clock: () => now }).start();
	await expect.poll(rows).toMatchObject([{ state: 'SENT', tries: 2 }]);
	expect(server.taken).toHaveLength(2);
});

it('a server that is away is asked with one message at a time, and all are sent when it is back', async () => {
	const { port, config } = server;
	await server.stop();
	const outbox = opened({ smtp: new Smtp(config) });
	for (let number = 0; number < 20; number++) await outbox.add(database.db, mailTo(`p${number}@mail.example`));
	outbox.start();
	const begun = performance.now();
	const tries = async () => (await rows()).reduce((sum, row) => sum + row.tries, 0);
	await expect.poll(tries, { timeout: 20_000 }).toBeGreaterThanOrEqual(5);
	// Three at once, then one after a pause of half a second at least, and one after a second more.
	expect(performance.now() - begun).toBeGreaterThan(1_000);
	expect((await rows()).map(({ reason }) => reason).join()).not.toContain('@');
	await server.listen(port);
	await expect.poll(async () => (await rows()).every(({ state }) => state === 'SENT'), { timeout: 20_000 }).toBe(true);
	expect(new Set(server.taken.map(({ to }) => to)).size).toBe(20);
});

it('an address that the server refuses is given up, and holds up no other', async () => {
	server.replies.set('RCPT TO:<GONE@', '550 no such mailbox');
	server.replies.set('RCPT TO:<FULL@', '452 mailbox full');
	const outbox = opened();
	for (const name of ['full', 'gone', 'well'])
		await outbox.add(database.db, mailTo(`${name}@mail.example`, { isCode: true }));
	outbox.start();
	await expect.poll(rows).toMatchObject([
		{ to: 'full@mail.example', state: 'WAITING', tries: 1 },
		{ to: 'gone@mail.example', state: 'DEAD', text: null },
		{ to: 'well@mail.example', state: 'SENT' },
	]);
});

it('a notice that was given up is sent again once, and a code is not', async () => {
	server.replies.set('RCPT TO:<GITA@', '550 no such mailbox');
	const outbox = opened();
	await outbox.add(database.db, mailTo('gita@mail.example', { isCode: false }));
	await outbox.add(database.db, mailTo('gita@mail.example', { isCode: true }));
	outbox.start();
	await expect.poll(rows).toMatchObject([{ state: 'DEAD' }, { state: 'DEAD' }]);
	server.replies.clear();
	const retry = async () => {
		const given = (await rows()).map(({ id }) => id as string);
		return (
			await Promise.all(given.flatMap((id) => [outbox.retry('localhost', id), outbox.retry('other.example', id)]))
		).filter(Boolean).length;
	};
	expect(await retry()).toBe(1);
	await expect.poll(async () => (await rows()).map(({ state }) => state).sort()).toEqual(['DEAD', 'SENT']);
	expect(await retry()).toBe(0);
	expect(server.taken.filter(({ to }) => to === 'gita@mail.example')).toHaveLength(1);
});

it('a message whose attempt is under way is not sent a second time by an impatient operator', async () => {
	server.holdsAnswers = true;
	const outbox = opened();
	await outbox.add(database.db, mailTo('gita@mail.example'));
	outbox.start();
	await expect.poll(() => server.taken.length).toBe(1);
	const [{ id }] = await rows();
	expect(await outbox.retry('localhost', id)).toBe(true);
	expect(await rows()).toMatchObject([{ state: 'WAITING', tries: 1 }]);
	server.holdsAnswers = false;
});

it('codes go before notices, and a full queue keeps room for them', async () => {
	// As many notices as are sent at once, so that without the code's precedence it would be sent after them.
	const outbox = opened({ mostNotices: MOST_CONNECTIONS });
	const added = [];
	for (let number = 0; number <= MOST_CONNECTIONS; number++)
		added.push(await outbox.add(database.db, mailTo(`notice${number}@mail.example`)));
	added.push(await outbox.add(database.db, mailTo('code@mail.example', { isCode: true })));
	expect(added).toEqual([...Array(MOST_CONNECTIONS).fill(true), false, true]);
	outbox.start();
	await expect.poll(() => server.taken.length).toBe(MOST_CONNECTIONS + 1);
	expect(server.taken.slice(0, MOST_CONNECTIONS).map(({ to }) => to)).toContain('code@mail.example');
});

it('what is written about once is stored once, also by two transactions at the same time', async () => {
	const outbox = opened();
	const about = { about: 'withdrawal 7' };
	const added = await Promise.all([1, 2, 3].map(() => outbox.add(database.db, mailTo('gita@mail.example', about))));
	expect(added.filter(Boolean)).toHaveLength(1);
});

it('a message that is worth nothing any more is not sent', async () => {
	let now = Date.now();
	const outbox = opened({ clock: () => now });
	await outbox.add(database.db, mailTo('gita@mail.example', { isCode: true }));
	now += HOUR_MS + 1;
	outbox.start();
	await expect.poll(rows).toMatchObject([{ state: 'DEAD', text: null }]);
	expect(server.taken).toEqual([]);
});

it('a clock that is set back delays no message', async () => {
	let now = Date.now() + DAY_MS;
	const outbox = opened({ clock: () => now });
	await outbox.add(database.db, mailTo('gita@mail.example'));
	now -= DAY_MS;
	outbox.start();
	await expect.poll(rows).toMatchObject([{ state: 'SENT' }]);
});

it('a silent server does not hold up the end of the process', async () => {
	server.isSilent = true;
	const outbox = opened();
	await outbox.add(database.db, mailTo('gita@mail.example'));
	outbox.start();
	await expect.poll(() => server.connections).toBe(1);
	const before = performance.now();
	await outbox.stop();
	expect(performance.now() - before).toBeLessThan(8_000);
	expect(await rows()).toMatchObject([{ state: 'WAITING' }]);
});

it('nothing is sent in the clear where TLS is needed', async () => {
	const outbox = opened({ smtp: new Smtp({ ...server.config, needsTls: true }) });
	await outbox.add(database.db, mailTo('gita@mail.example'));
	outbox.start();
	await expect.poll(rows).toMatchObject([{ state: 'WAITING', reason: expect.stringContaining('ETLS') }]);
	expect(server.taken).toEqual([]);
});

it('an alarm reaches each address, and one that was refused for ever stops no other', async () => {
	server.replies.set('RCPT TO:<GONE@', '550 no such mailbox');
	server.replies.set('RCPT TO:<LATE@', '452 not now');
	const smtp = new Smtp(server.config);
	onTestFinished(() => smtp.close());
	const channel = mailChannel(smtp, ['a@ops.example', 'gone@ops.example', 'late@ops.example'], 'east');
	const message = { check: 'disk', text: 'Backlay east, disk: Full.', atMs: Date.now() };
	await expect(channel.send(message)).rejects.toThrow('452');
	server.replies.clear();
	await channel.send(message);
	expect(server.taken.map(({ to }) => to)).toEqual(['a@ops.example', 'late@ops.example']);
	expect(server.taken[0]).toMatchObject({ subject: 'Backlay east: disk', from: 'Backlay <no-reply@brand.example>' });
	expect(server.taken[1]?.messageId).toBe(server.taken[0]?.messageId);
});

it('the doctor says that the server cannot be used, without its password, and that messages wait', async () => {
	server.replies.set('AUTH', '535 wrong password for sesame');
	const smtp = new Smtp({ ...server.config, login: { user: 'u', password: 'sesame' } });
	onTestFinished(() => smtp.close());
	const check = new MailCheck({ db: database.db, smtp });
	const found = await check.look(Date.now());
	expect(found).toMatchObject({ state: 'failing', words: expect.stringContaining('535') });
	expect(JSON.stringify(found)).not.toContain('sesame');
	server.replies.clear();
	expect(await check.look(Date.now())).toMatchObject({ state: 'ok' });
	await opened().add(database.db, mailTo('gita@mail.example'));
	expect(await check.look(Date.now() + HOUR_MS)).toMatchObject({ state: 'failing' });
	expect(await new MailCheck({ db: database.db, smtp: null }).look(0)).toMatchObject({ state: 'ok' });
});

it('an address is of the plain form alone', () => {
	const good = ['gita@mail.example', 'G.i+t_a@a-b.mail.example'];
	const bad = ['gita', 'a@b', 'a@[1.2.3.4]', '.a@mail.example', 'a..b@mail.example', '"a b"@mail.example'];
	const heads = ['a@mail.example\r\nBcc: b@mail.example', 'a@mail.example,b@mail.example', 'A <a@mail.example>'];
	expect(good.map(isMailAddress)).toEqual([true, true]);
	expect([...bad, ...heads].filter(isMailAddress)).toEqual([]);
});
