/** Messages to players in the console: which waited, left and were given up, masked, by brand, and sent again. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { Outbox } from '#server/people/players/outbox.ts';
import { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { TestServer } from '../support/server.ts';
import { SmtpServer } from '../support/smtp-server.ts';
import { ConsoleClient } from './console-client.ts';

type Messages = ResultOf<'message-list'>;

const HOST = 'localhost';
const OTHER = '127.0.0.1';

let smtp: SmtpServer;
let gateway: Server;
let gatewayStatus = 202;
let server: TestServer;
let support: ConsoleClient;
let ofOther: ConsoleClient;
let playerId: number;
beforeAll(async () => {
	smtp = await SmtpServer.start();
	gateway = createServer((request, response) =>
		request.resume().on('end', () => response.writeHead(gatewayStatus).end()),
	);
	await once(gateway.listen(0, '127.0.0.1'), 'listening');
	const sms = { url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, key: '', sender: 'BACKLAY' };
	server = await TestServer.start(undefined, { mail: smtp.config, sms });
	[support, ofOther] = [await member('asha', null), await member('bela', [OTHER])];
	const { playerId: made } = await server.running.players.createPlayer({
		userName: 'gita',
		password: 'Correct-horse-9',
		brand: server.brand,
	});
	playerId = made;
});
afterAll(async () => {
	await server.dispose();
	await smtp.stop();
	gateway.close();
});

async function member(name: string, brands: string[] | null): Promise<ConsoleClient> {
	const { directory, sessions } = server.running.staff;
	const about = { name, passwordHash: 'none', roles: ['owner'], brands };
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await sessions.begin(staffId, { address: '127.0.0.1', userAgent: '' }, true));
	return client;
}

const list = (channel: 'MAIL' | 'SMS', more: object = {}) =>
	support.result<Messages>('message-list', { host: HOST, channel, ...more });
const retry = (client: ConsoleClient, channel: 'MAIL' | 'SMS', messageId: string, host = HOST) =>
	client.call('message-retry', { host, channel, messageId });

/** A notice to the player. */
async function write(to: string, isCode = false): Promise<void> {
	const mails = new MailOutbox({ db: server.database.db, smtp: null, log: pino({ level: 'silent' }) });
	const worthMs = 3_600_000;
	const texts = { senderName: 'Royal', subject: 'A notice', text: 'What it says.', html: '<p>What it says.</p>' };
	await mails.add(server.database.db, {
		brand: HOST,
		playerId,
		to,
		kind: 'limits',
		about: null,
		isCode,
		worthMs,
		...texts,
	});
}

it('lists mail by state with the reason, masked, and without what it says', async () => {
	smtp.replies.set('RCPT TO:<GONE@', '550 no such mailbox');
	await write('well@mail.example');
	await write('gone@mail.example');
	await expect.poll(async () => (await list('MAIL')).map(({ state }) => state).sort()).toEqual(['DEAD', 'SENT']);
	const all = await list('MAIL');
	expect(JSON.stringify(all)).not.toMatch(/well@|gone@|What it says/);
	const [dead] = await list('MAIL', { state: 'DEAD' });
	expect(dead).toMatchObject({
		to: 'g••••@mail.example',
		userName: 'gita',
		kind: 'limits',
		reason: expect.stringContaining('550'),
		mayRetry: true,
		nextAt: null,
	});
	const [newest, oldest] = all;
	expect(await list('MAIL', { before: newest?.messageId })).toEqual([oldest]);
});

it('sends a notice again that was given up, and writes who did', async () => {
	smtp.replies.clear();
	const [dead] = await list('MAIL', { state: 'DEAD' });
	const messageId = dead?.messageId ?? '';
	expect((await retry(support, 'MAIL', messageId)).status).toBe(200);
	await expect.poll(() => smtp.to('gone@mail.example').length).toBe(1);
	await expect.poll(() => list('MAIL', { state: 'DEAD' })).toEqual([]);
	expect((await retry(support, 'MAIL', messageId)).body.error?.code).toBe('WRONG_STATE');
	const { rows } = await server.database.db.query(
		`select actor, details ->> 'messageId' as id from journal where act = 'message-retry' order by seq limit 1`,
	);
	expect(rows).toEqual([{ actor: 'asha', id: messageId }]);
});

it('is of a brand: members of another see and send nothing of it', async () => {
	const [sent] = await list('MAIL');
	expect(await ofOther.code('message-list', { host: HOST, channel: 'MAIL' })).toBe('FORBIDDEN');
	expect(await ofOther.result('message-list', { host: OTHER, channel: 'MAIL' })).toEqual([]);
	expect((await retry(ofOther, 'MAIL', sent?.messageId ?? '', OTHER)).body.error?.code).toBe('WRONG_STATE');
});

it('lists texts, and sends one again that the gateway refused, while its code is worth something', async () => {
	gatewayStatus = 500;
	const texts = new Outbox({
		db: server.database.db,
		gateways: [],
		hasReceipts: false,
		log: pino({ level: 'silent' }),
	});
	await texts.send({ brand: HOST, mobile: '+919812345678', text: '123456 is your code' });
	const [waiting] = await list('SMS', { state: 'WAITING' });
	expect(waiting).toMatchObject({ to: '••••5678', userName: null, tries: 0, mayRetry: true, reason: null });
	const messageId = waiting?.messageId ?? '';
	expect((await retry(support, 'SMS', messageId)).status).toBe(200);
	await expect.poll(() => list('SMS')).toMatchObject([{ tries: 1, reason: expect.stringContaining('500') }]);
	await server.database.db.query('update outbox set tries = 5');
	expect(await list('SMS', { state: 'DEAD' })).toMatchObject([{ mayRetry: true }]);
	gatewayStatus = 202;
	expect((await retry(support, 'SMS', messageId)).status).toBe(200);
	await expect.poll(() => list('SMS')).toMatchObject([{ state: 'SENT', mayRetry: false }]);
	expect((await retry(support, 'SMS', messageId)).body.error?.code).toBe('WRONG_STATE');
});
