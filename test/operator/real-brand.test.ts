/**
 * The life of a brand of real money, from its opening by two owners to its move to an empty server: each member does what
 * belongs to the role, over the doors that members and players use, beside the payment studio and a mail server; the
 * complaint is answered in a browser.
 *
 * @module-tag thorough
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import type { ResultOf as CallResultOf } from '#contract/call.ts';
import { CALLS, type CallName, type Calls } from '#contract/registry.ts';
import { HyperswitchIds } from '#server/money/funds/payments/hyperswitch/ids.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { PaymentStudio } from '#studio/payments/payment-studio.ts';
import { HOUR_MS } from '#values/time.ts';
import { dayOf, dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import { CHECKS } from '../../tools/audit-checks.ts';
import { auditLedger } from '../../tools/audit-ledger.ts';
import { readBrand } from '../../tools/brand-move/read-brand.ts';
import { serverKeys } from '../../tools/brand-move/server-keys.ts';
import { writeBrand } from '../../tools/brand-move/write-brand.ts';
import { auditDays } from '../../tools/day-files/audit-days.ts';
import { writeDays } from '../../tools/day-files/write-days.ts';
import { CONSOLE_HOST, Desk } from '../browser/desk.ts';
import { BeaconRelay, TEST_BEACON } from '../support/beacon-relay.ts';
import { freshDatabase } from '../support/database.ts';
import { freshRequestId } from '../support/match.ts';
import { plainRequest } from '../support/plain-request.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { inEnvelope, TestServer, TOKEN_KEY } from '../support/server.ts';
import { SmtpServer } from '../support/smtp-server.ts';
import { ConsoleClient } from './console-client.ts';

const HOST = 'real.example';
const API_KEY = 'the api key of the studio';
const WEBHOOK_KEY = 'the key that signs webhooks of the studio';
const LEDGER_KEY = 'a key of its own that seals the ledger';
const DATA_KEY = 'a key of its own for the data of persons';
const PASSWORD = 'Correct-horse-9';
const ADDRESS = 'gita@mail.example';
const KEYS = serverKeys({ TOKEN_KEY, LEDGER_KEY, DATA_KEYS: DATA_KEY }, null);
const ids = new HyperswitchIds('test');
const SETTING = {
	'realMoney.licence': 'LIC-1',
	'realMoney.countries': '["GB"]',
	'realMoney.identity': 'OPERATOR',
	'realMoney.location': 'PROXY',
	'realMoney.terms': 'https://real.example/terms',
	'realMoney.leastAge': '21',
	'funds.payeeUpiId': 'real@bank',
	'funds.turnover': '0',
	'playerProtection.lossLimitDay': '50000',
};

let studio: PaymentStudio;
let relay: BeaconRelay;
let sms: Server;
let smtp: SmtpServer;
let desk: Desk;
let scratch: string;
let server: TestServer;
const configured = async () => ({
	pools: ['REAL' as const],
	trustedProxies: ['127.0.0.1', '::1'],
	payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} },
	hyperswitch: {
		url: await studio.listen(),
		apiKey: API_KEY,
		webhookKeys: [WEBHOOK_KEY],
		orderTag: 'test',
		profileId: '',
	},
	sms: { url: `http://127.0.0.1:${(sms.address() as AddressInfo).port}`, key: '', sender: 'BACKLAY' },
	mail: smtp.config,
	consoleHost: CONSOLE_HOST,
	dataKeys: [DATA_KEY],
	ledgerKey: LEDGER_KEY,
	drand: { chain: TEST_BEACON, chainHash: 'test', relays: [relay.url] },
});
let config: Awaited<ReturnType<typeof configured>>;

beforeAll(async () => {
	scratch = mkdtempSync(join(scratchFolder(), 'real-brand-'));
	studio = new PaymentStudio({ apiKey: API_KEY, target: null, actsAfterMs: null, retryMs: [50, 200, 1_000] });
	relay = await BeaconRelay.start();
	sms = createServer((request, response) => request.resume().on('end', () => response.writeHead(202).end()));
	await once(sms.listen(0, '127.0.0.1'), 'listening');
	smtp = await SmtpServer.start();
	config = await configured();
	server = await TestServer.start(undefined, config);
	desk = await Desk.open(server);
	studio.target = { url: `${server.url}/api/Payment/Webhook/Hyperswitch`, key: WEBHOOK_KEY };
});
afterAll(async () => {
	await desk?.close();
	await server.dispose();
	await smtp.stop();
	await studio.stop();
	await relay.stop();
	sms.close();
	rmSync(scratch, { recursive: true, force: true });
});

async function member(name: string, role: string): Promise<ConsoleClient> {
	const { directory, sessions } = server.running.staff;
	const about = { name, passwordHash: 'none', roles: [role], brands: null };
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url, CONSOLE_HOST);
	client.cookies.set('console-session', await sessions.begin(staffId, { address: '127.0.0.1', userAgent: '' }, true));
	return client;
}

/** A player's call, as the proxy of the brand passes it on. */
async function ask<Name extends CallName>(
	name: Name,
	input: object,
	token: string | null = null,
	at = server,
): Promise<CallResultOf<Calls[Name]>> {
	const { method, path, from } = CALLS[name];
	const query = from === 'query' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
	const { status, text } = await plainRequest(`${at.url}/${path}${query}`, {
		method,
		headers: {
			'X-Forwarded-For': '203.0.113.7',
			'X-Forwarded-Host': HOST,
			'X-Country': 'GB',
			'Content-Type': 'application/json',
			...(token === null ? {} : { Authorization: `Bearer ${token}` }),
		},
		...(from === 'query' ? {} : { body: JSON.stringify(input) }),
	});
	const { body } = inEnvelope<CallResultOf<Calls[Name]>>(status, text);
	if (!body.success) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
	return body.result as CallResultOf<Calls[Name]>;
}

const logIn = async (userName: string, at = server) =>
	(await ask('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD }, null, at)).accessToken;

/** One member proposes, the other confirms what stands there. */
async function byTwo(one: ConsoleClient, other: ConsoleClient, act: string, input: object, reason: string) {
	const { proposalId } = await one.result<{ proposalId: string }>('propose', { act, input, reason });
	expect(await one.code('confirm', { proposalId })).toBe('SAME_PERSON');
	await other.result('confirm', { proposalId });
}

/** A verified player with ₹10,000 from the provider. */
async function paidPlayer(userName: string): Promise<{ playerId: string; token: string }> {
	const account = { userName, password: PASSWORD, host: HOST };
	const { playerId } = await server.act<{ playerId: string }>('create-player', account);
	await server.act('verify-identity', { userName, host: HOST, age: 30 });
	const token = await logIn(userName);
	const { orderId } = await ask('generatePayment', { amount: 10_000, clientRequestId: freshRequestId() }, token);
	studio.pay(studio.books.payment(ids.ofPayment(referenceOf('BLP', Number(orderId)))));
	await expect.poll(() => moneyOf(token)).toBe(10_000);
	return { playerId, token };
}

const moneyOf = async (token: string) => (await ask('getUserInfo', {}, token)).balance;

it('is opened, traded, paid, complained about, examined, proved and moved', async () => {
	const [asha, bela] = [await member('asha', 'owner'), await member('bela', 'owner')];
	const [trader, second] = [await member('chitra', 'trader'), await member('dev', 'trader')];

	// Two owners open the brand, with its logo.
	await server.act('brand-add', { host: HOST });
	const logo = await sharp({ create: { width: 300, height: 90, channels: 3, background: '#208040' } })
		.png()
		.toBuffer();
	const image = logo.toString('base64');
	await asha.result('brand-picture', { host: HOST, field: 'mainLogo', image });
	for (const [field, value] of Object.entries(SETTING)) await server.act('brand-set', { host: HOST, field, value });
	await byTwo(asha, bela, 'brand-make-real', { host: HOST }, 'the licence came');
	const { mainLogo } = server.running.brands.byHost(HOST)?.setting ?? expect.unreachable();
	const shown = await plainRequest(server.url + mainLogo, { headers: { 'X-Forwarded-Host': HOST } });
	expect([shown.status, mainLogo]).toEqual([200, expect.stringMatching(/-300x90\.webp$/)]);

	// Players of the brand pay in.
	const { token, playerId } = await paidPlayer('gita');
	const other = await paidPlayer('hema');

	// One proves a mail address, which is a second name to log in with.
	await ask('setMailAddress', { address: ADDRESS, password: PASSWORD }, token);
	await expect.poll(() => smtp.to(ADDRESS)).toHaveLength(1);
	await ask('proveMailAddress', { otp: smtp.codeTo(ADDRESS) }, token);
	await logIn(ADDRESS);

	// A trader makes a cricket match, prices it, scores it, panics and resumes.
	const startsAt = new Date(Date.now() + HOUR_MS).toISOString();
	const about = {
		sport: 'cricket',
		competition: 'City Cup',
		firstSide: 'Reds',
		secondSide: 'Blues',
		overs: 1,
		startsAt,
	};
	const { eventId } = await trader.result<ResultOf<'event-add'>>('event-add', about);
	const odds = await trader.result<ResultOf<'event-open-market'>>('event-open-market', {
		eventId,
		template: 'Match Odds',
	});
	const { marketId } = odds;
	const price = async (seenVersion: number) => {
		const market = { marketId, seenVersion, prices: [2, 2].map((back) => ({ back, lay: 2.1 })) };
		await trader.result('price-market', market);
	};
	await price(odds.version);
	const { runners } = await ask('getUserOdds', { marketId }, token);
	const blues = runners[1]?.runnerId ?? '';
	const bet = { marketId, runnerId: blues, side: 'BACK', price: 2, stake: 100 };
	const { betId } = await ask('placeBetV2', { ...bet, clientRequestId: freshRequestId() }, token);
	// The house quotes no real money: another player takes the other side.
	await ask('placeBetV2', { ...bet, side: 'LAY', clientRequestId: freshRequestId() }, other.token);
	let play = await trader.result<ResultOf<'event-start'>>('event-start', { eventId });
	const score = async (act: string, side: 0 | 1 | null = null) => {
		play = await trader.result<ResultOf<'event-score'>>('event-score', {
			eventId,
			act,
			side,
			seenVersion: play.version,
		});
	};
	await score('BATS', 0);
	for (const runs of [1, 0, 0, 0, 0, 0]) await score(`RUNS_${runs}`);
	const panic = await trader.result<ResultOf<'panic'>>('panic', { eventId });
	const resumed = await trader.result<ResultOf<'resume-all'>>('resume-all', { pressId: panic.pressId });
	expect(resumed.left).toEqual([]);
	await score('BATS', 1);
	for (let ball = 0; ball < 6; ball++) await score('RUNS_0');

	// A second trader confirms the result of the score card.
	expect(await trader.result('event-end', { eventId })).toMatchObject({ status: 'FINISHED', proposed: 1 });
	const [proposal] = await second.result<ResultOf<'proposals'>>('proposals', { open: true, marketId });
	await second.result('confirm', { proposalId: proposal?.proposalId });
	expect(await moneyOf(token)).toBe(9_900);

	// The player complains; the reference answers; the evidence corrects the result.
	const complaint = {
		kind: 'COMPLAINT',
		topic: 'The result is wrong',
		text: 'Blues made the last two runs.',
		about: { kind: 'bet', id: betId },
		clientRequestId: freshRequestId(),
	};
	const { id: ticketId } = await ask('openTicket', complaint, token);
	const agent = await member('esha', 'support');
	const answerTo = async (reference: string) => {
		const { answer } = await agent.result<ResultOf<'reference-find'>>('reference-find', { reference });
		return answer?.sentences.en.join('\n') ?? '';
	};
	expect(await answerTo(`bet ${betId}`)).toContain('Blues');
	await byTwo(trader, second, 'resettle', { marketId, winners: ['Blues'] }, 'the umpires’ report, page 2');
	const commission = 2;
	expect(await moneyOf(token)).toBe(10_100 - commission);
	const text = await answerTo(`bet ${betId}`);
	const page = await desk.member('gauri', ['support']);
	await page.getByRole('link', { name: /^Messages 1/ }).click();
	await page.getByRole('grid', { name: 'Open messages' }).getByRole('row').nth(1).press('Enter');
	await page.getByRole('button', { name: `Insert where the money of bet ${betId} is` }).click();
	const draft = page.getByLabel('Answer, which is never changed');
	await expect.poll(() => draft.inputValue()).toBe(text);
	await page.getByRole('button', { name: 'Answer and close' }).click();
	await page.getByRole('button', { name: 'Reopen …' }).waitFor();
	const read = await ask('getTicket', { ticketId }, token);
	expect([read.state, read.messages.at(-1)?.text]).toEqual(['CLOSED', text]);

	// The player is paid out, by two members, and the provider.
	const details = { method: 'UPI', upiId: 'gita@bank' };
	const withdrawal = await ask(
		'createWithdrawal',
		{ amount: 9_000, details, clientRequestId: freshRequestId() },
		token,
	);
	const id = withdrawal.id.replace('WITHDRAWAL-', '');
	for (const owner of [asha, bela]) {
		const { body } = await owner.call('payment-decide', {
			kind: 'WITHDRAWAL',
			id,
			event: 'approve',
			reason: 'looked at',
		});
		expect(body.error).toBeNull();
		if ((await server.running.funds.ledger.find('WITHDRAWAL', Number(id))).state !== 'REQUESTED') break;
	}
	const payoutId = ids.ofPayout(referenceOf('BLW', Number(id)));
	await expect.poll(() => [...studio.books.payouts.keys()]).toContain(payoutId);
	studio.movePayout(studio.books.payout(payoutId), 'success');
	await expect.poll(async () => (await server.running.funds.ledger.find('WITHDRAWAL', Number(id))).state).toBe('PAID');

	// The payment is told by mail; support sees that it left, and neither the address nor the text.
	const subjects = () => smtp.to(ADDRESS).map(({ subject }) => subject);
	await expect.poll(subjects, { timeout: 20_000 }).toContainEqual(expect.stringContaining('was paid'));
	const mailOf = () => agent.result<ResultOf<'message-list'>>('message-list', { host: HOST, channel: 'MAIL' });
	await expect.poll(async () => (await mailOf()).map(({ state }) => state)).toEqual(['SENT', 'SENT']);
	expect(await mailOf()).toContainEqual(expect.objectContaining({ to: 'g••••@mail.example', userName: 'gita' }));

	// Deposited, hardly played with, and withdrawn: a case, which two members close.
	await server.running.caseSweep.look();
	const [examiner, head] = [await member('farid', 'compliance'), await member('hari', 'compliance')];
	const [open] = await examiner.result<ResultOf<'case-queue'>>('case-queue', { playerId });
	const { caseId = '', rule } = open ?? {};
	expect(rule).toBe('DEPOSIT_WITHOUT_PLAY');
	const { entries } = await examiner.result<ResultOf<'case-show'>>('case-show', { caseId });
	const outcome = { caseId, seen: entries.length, outcome: 'UNFOUNDED', reason: 'the first bet of a new player' };
	await byTwo(examiner, head, 'case-decide', outcome, outcome.reason);

	// Nothing waits any more, and the doctor finds nothing that this machine can have.
	const today = await asha.result<ResultOf<'today'>>('today', {});
	expect(today).toMatchObject({
		waiting: [],
		proposals: 0,
		tickets: { waiting: 0 },
		cases: { open: 0 },
		withoutResult: [],
		findings: [],
	});
	for (const drill of ['audit', 'backup', 'restore', 'takeover']) await server.act('note-drill', { drill });
	const found = await server.act<ResultOf<'doctor'>>('doctor', {});
	// The cluster of a test run has no archive.
	expect(found.filter(({ state }) => state !== 'ok').map(({ name }) => name)).toEqual(['archive']);

	// The auditor proves the day from its files alone.
	const day = dayOf(Date.now(), HOME_ZONE);
	const days = join(scratch, 'days');
	const client = await server.database.db.connect();
	const asked = { from: null, nowMs: dayStart(day + 1, HOME_ZONE) + 2 * HOUR_MS, zone: HOME_ZONE };
	const written = await Array.fromAsync(writeDays(client, days, asked)).finally(() => client.release(true));
	const checks = await Array.fromAsync(auditDays(days, KEYS.seals));
	expect([written.length > 0, checks.filter(({ wrong }) => wrong)]).toEqual([true, []]);

	// The brand moves to an empty server, where the audit passes and the player finds the account as it was.
	const before = await ask('getTransactionHistory', {}, token);
	await server.stop();
	const folder = join(scratch, 'brand');
	const reader = await server.database.db.connect();
	await writeBrand(reader, HOST, folder, KEYS).finally(() => reader.release(true));
	const target = await freshDatabase();
	await readBrand(target.db, folder, KEYS);
	const moved = await TestServer.start(target, config);
	try {
		const again = await logIn(ADDRESS, moved);
		expect(await ask('getTransactionHistory', {}, again, moved)).toEqual(before);
		const kept = await plainRequest(moved.url + mainLogo, { headers: { 'X-Forwarded-Host': HOST } });
		expect([kept.status, kept.text]).toEqual([200, shown.text]);
	} finally {
		await moved.stop();
	}
	const audited = await Array.fromAsync(auditLedger(target.db, CHECKS, KEYS.seals));
	expect(audited.filter(({ wrong }) => wrong)).toEqual([]);
	await target.drop();
});
