/**
 * Random walks over the evidence of payments: receipts with others' references, approvals, rejections and reversals, the
 * provider's word and the bank's statement, disputes in parts and cycles with words that come late, twice and in any
 * order, bets that hold the money, withdrawals, and a restart in the middle. After every act one credit stands for a
 * reference, no dispute holds more than is disputed, and every minor unit is where the workflows say.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProviderWord } from '#server/money/funds/payments/provider.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { PaymentDesk, QUIET_PAYMENTS, type Webhook, webhookOf } from './payment-desk.ts';
import { TRANSITIONS, transitionsMade } from './transitions.ts';
import { disagreementsIn, OVERHELD, PAID_TWICE } from './walk-checks.ts';

const WALKS = Number(process.env['WALKS'] ?? 4);
const FIRST_SEED = Number(process.env['WALKS_FROM'] ?? 1);
const ACTS = 50;
const COINS = 20_000;
const RULES = {
	'funds.turnover': '0',
	'funds.withdrawalsPerDay': '100',
	'playerProtection.depositLimitDay': 'null',
	'playerProtection.depositLimitWeek': 'null',
	'playerProtection.depositLimitMonth': 'null',
};

let server: TestServer;
const desk = new PaymentDesk(() => server, 700_000_000_000);
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
	for (const [field, value] of Object.entries(RULES))
		await server.act('brand-set', { host: 'localhost', field, value });
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const rowsOf = async (sql: string) => (await server.database.db.query(sql)).rows;

async function expectSoundEvidence(about: unknown): Promise<void> {
	for (const wrong of [PAID_TWICE, OVERHELD, disagreementsIn('PLAY')])
		expect([about, await rowsOf(wrong)]).toEqual([about, []]);
}

/** Disputes that lack money which their player has, or that wait for money of a player who has none in play. */
const UNCOVERED = `select id::text, state, cash::text from workflow join wallet using (wallet_id) where kind = 'DISPUTE' and cash > 0
	and (state = 'OPEN' and (data ->> 'held')::bigint < (data ->> 'amount')::bigint or state = 'OWED')`;

interface Walk {
	numbers: SeededNumbers;
	players: Player[];
	utrs: readonly string[];
	orders: { id: number; reference: string; rupees: number }[];
	receipts: number[];
	said: Webhook[];
	match: TestMatch;
}

const bet = (walk: Walk, player: Player, changes: object) =>
	server.raw('placeBetV2', betOn(walk.match, { ...changes }), player.token);

/** The provider says something new; now and then twice at once. */
async function say(walk: Walk, word: Parameters<typeof webhookOf>[0]): Promise<void> {
	const webhook = webhookOf(word);
	walk.said.push(webhook);
	await Promise.all(walk.numbers.chance(30) ? [desk.send(webhook), desk.send(webhook)] : [desk.send(webhook)]);
}

const DISPUTE_WORDS = ['DISPUTED', 'DISPUTED', 'DISPUTE_WON', 'DISPUTE_LOST'] as const;

async function sayDispute(walk: Walk): Promise<void> {
	const { numbers, orders, utrs } = walk;
	const { reference, rupees } = numbers.from(orders);
	const status = numbers.from(DISPUTE_WORDS);
	const disputed = numbers.chance(50) ? rupees : 1 + numbers.below(rupees);
	const utr = numbers.chance(50) ? null : numbers.from(utrs);
	if (numbers.chance(30)) return await say(walk, { reference, status, amount: disputed * 100, utr });
	const dispute = { name: `D${numbers.below(3)}`, sequence: numbers.below(8), amount: disputed * 100 };
	await say(walk, { reference, status, amount: rupees * 100, utr, dispute });
}

/** An operator, or two, decide about something; a refusal is fine. */
async function decide({ numbers, receipts, orders }: Walk): Promise<void> {
	const receipt = receipts.length > 0 ? numbers.from(receipts) : 0;
	const order = numbers.from(orders).id;
	const dispute = (await desk.disputesOf(order)).find(({ state }) => state === 'OPEN');
	switch (numbers.below(6)) {
		case 0:
		case 1:
			await desk.decide('DEPOSIT', receipt, 'approve');
			return;
		case 2:
			await desk.decide('DEPOSIT', receipt, 'reject');
			return;
		case 3:
			await desk.byTwo('DEPOSIT', receipt, 'reverse');
			return;
		case 4:
			await desk.decide('PAYMENT', order, 'dispute', 'asha', 1 + numbers.below(300));
			return;
		default:
			if (dispute) await desk.byTwo('DISPUTE', dispute.id, numbers.from(['won', 'lost', 'evidence']));
	}
}

async function play(walk: Walk): Promise<void> {
	const { numbers, players } = walk;
	if (numbers.chance(30)) {
		await walk.match.settle(numbers.below(2));
		walk.match = await openTestMatch(server);
		return;
	}
	const [player, other] = [numbers.from(players), numbers.from(players)];
	const stake = 100 + numbers.below(Math.max(1, Math.floor(desk.cash(player))));
	await bet(walk, player, { side: 'BACK', stake });
	if (other !== player) await bet(walk, other, { side: 'LAY', stake: 100 + numbers.below(stake) });
}

async function withdraw({ numbers, players }: Walk): Promise<void> {
	const player = numbers.from(players);
	const details = { method: 'UPI', upiId: `p${player.userId}@bank` };
	const asked = { amount: 100 + numbers.below(900), details, clientRequestId: freshRequestId() };
	const { body } = await server.raw('createWithdrawal', asked, player.token);
	const id = Number((body.result as { id: string } | null)?.id.replace('WITHDRAWAL-', '') ?? 0);
	if (id !== 0 && numbers.chance(60)) await desk.decide('WITHDRAWAL', id, 'reject');
}

async function act(walk: Walk): Promise<void> {
	const { numbers, players, utrs, orders, receipts, said } = walk;
	const player = numbers.from(players);
	const rupees = 100 + numbers.below(400);
	const utr = numbers.chance(70) ? numbers.from(utrs) : desk.freshUtr();
	switch (numbers.below(14)) {
		case 0: {
			if (server.running.funds.protection.barOf(player.userId) === null)
				orders.push({ ...(await desk.order(player, rupees)), rupees });
			return;
		}
		case 1:
		case 2: {
			if (server.running.funds.protection.barOf(player.userId) === null)
				receipts.push((await desk.receipt(player, utr, rupees)).id);
			return;
		}
		case 3:
		case 4: {
			const order = numbers.from(orders);
			const paid = numbers.chance(90) ? order.rupees : order.rupees + 1;
			const success = { reference: order.reference, status: 'SUCCESS', amount: paid * 100, utr } as const;
			const approvals = receipts.slice(-2).map((id) => desk.decide('DEPOSIT', id, 'approve'));
			await Promise.all([say(walk, success), ...(numbers.chance(40) ? approvals : [])]);
			return;
		}
		case 5: {
			const { reference } = numbers.from(orders);
			return await say(walk, { reference, status: numbers.from(['FAILED', 'EXPIRED'] as const) });
		}
		case 6:
		case 7:
		case 8:
			return await sayDispute(walk);
		case 9:
			if (said.length > 0) await desk.send(numbers.from(said));
			return;
		case 10:
			return await desk.statement(numbers.from(utrs), rupees);
		case 11:
			return await play(walk);
		case 12:
			return await withdraw(walk);
		default:
			return await decide(walk);
	}
}

async function restart(): Promise<void> {
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { payments: QUIET_PAYMENTS });
}

onSeeds(
	Array.from({ length: WALKS }, (_, at) => FIRST_SEED + at),
	'one credit stands for a reference and no dispute holds more than is disputed, after every act, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const players = [await signUp(server), await signUp(server), await signUp(server)];
		const walk: Walk = {
			numbers,
			players,
			utrs: Array.from({ length: 4 }, () => desk.freshUtr()),
			orders: [],
			receipts: [],
			said: [],
			match: await openTestMatch(server),
		};
		for (const player of players) walk.orders.push({ ...(await desk.order(player, 400)), rupees: 400 });
		for (let at = 0; at < ACTS; at++) {
			if (at === ACTS / 2) {
				await restart();
				walk.match = await openTestMatch(server);
			}
			await act(walk);
			await expectSoundEvidence({ seed, at });
		}
		await walk.match.settle(0);
		await expect.poll(() => rowsOf(UNCOVERED)).toEqual([]);
		await expectSoundEvidence({ seed });
	},
);

it('makes every transition of a dispute, and those by which the provider’s word and the bank’s displace others', {
	tags: 'thorough',
}, async () => {
	const player = await signUp(server);
	const paidOrder = async (rupees: number) => {
		const { id, reference } = await desk.order(player, rupees);
		const utr = desk.freshUtr();
		await desk.hear({ reference, status: 'SUCCESS', amount: rupees * 100, utr });
		const hear = (status: ProviderWord['status'], name: string, sequence: number, part = rupees) =>
			desk.hear({ reference, status, amount: rupees * 100, utr, dispute: { name, sequence, amount: part * 100 } });
		return { id, hear };
	};
	const first = await paidOrder(1_000);
	await first.hear('DISPUTED', 'D1', 1, 400);
	await first.hear('DISPUTED', 'D2', 1, 600);
	await first.hear('DISPUTED', 'D1', 2, 400);
	await first.hear('DISPUTE_WON', 'D1', 3, 400);
	await first.hear('DISPUTED', 'D1', 4, 400);
	await first.hear('DISPUTE_LOST', 'D1', 5, 400);
	await first.hear('DISPUTED', 'D1', 6, 400);
	await first.hear('DISPUTE_LOST', 'D1', 7, 400);
	await first.hear('DISPUTE_WON', 'D1', 8, 400);
	const second = (await desk.disputesOf(first.id))[1]?.id ?? 0;
	await desk.decide('DISPUTE', second, 'evidence');
	expect(await desk.byTwo('DISPUTE', second, 'won')).toBe('WON');

	// All is matched in two markets: what the first one frees is taken, and what the other one frees then. What unmatched bets
	// hold is taken at once.
	const [small, large] = [await openTestMatch(server), await openTestMatch(server)];
	const last = await paidOrder(2_000);
	await last.hear('DISPUTED', 'D1', 1);
	await last.hear('DISPUTE_WON', 'D1', 2);
	const matched = async (match: TestMatch, stake: number, layer: Player) => {
		await server.result('placeBetV2', betOn(match, { stake }), player.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', stake }), layer.token);
	};
	await matched(small, 500, await signUp(server));
	await matched(large, COINS, await signUp(server));
	await matched(large, 2_500, await signUp(server));
	expect(desk.cash(player)).toBe(0);
	await last.hear('DISPUTED', 'D2', 1);
	await last.hear('DISPUTE_LOST', 'D2', 2);
	await small.market.void();
	const lost = async () => (await desk.disputesOf(last.id))[1];
	await expect.poll(lost).toMatchObject({ state: 'OWED', taken: 500 });
	await large.market.void();
	await expect.poll(lost).toMatchObject({ state: 'LOST', taken: 2_000, rest: 0 });
	// The row is in the table a moment before the server hears of it.
	await expect.poll(() => desk.cash(player)).toBe(COINS + 1_000);

	// A hold that is completed as a bet ends.
	const [holder, match] = [await signUp(server), await openTestMatch(server)];
	const { id, reference } = await desk.order(holder, 400);
	await desk.hear({ reference, status: 'SUCCESS', amount: 400_00, utr: desk.freshUtr() });
	await server.result('placeBetV2', betOn(match, { stake: COINS + 300 }), holder.token);
	await desk.decide('PAYMENT', id, 'dispute');
	await match.settle(0);
	await expect.poll(async () => (await desk.disputesOf(id))[0]?.held).toBe(400);

	const receipts = [desk.freshUtr(), desk.freshUtr(), desk.freshUtr()] as const;
	const [open, approved, rejected] = await Promise.all(receipts.map((utr) => desk.receipt(holder, utr)));
	await desk.decide('DEPOSIT', approved?.id ?? 0, 'approve');
	await desk.decide('DEPOSIT', rejected?.id ?? 0, 'reject');
	for (const utr of receipts.slice(0, 2)) {
		const order = await desk.order(await signUp(server));
		await desk.hear({ reference: order.reference, status: 'SUCCESS', utr });
	}
	await desk.statement(receipts[2], 500);
	const states = [open, approved, rejected].map((receipt) => desk.stateOf('DEPOSIT', receipt?.id ?? 0));
	expect(await Promise.all(states)).toEqual(['DUPLICATE', 'DUPLICATE', 'SCREENED']);

	const made = new Set(await transitionsMade(server.database.db));
	const due = TRANSITIONS.filter(
		({ kind, event }) => kind === 'DISPUTE' || ['dispute', 'dispute-ended', 'displace', 'reopen'].includes(event),
	);
	expect(due.filter(({ name }) => !made.has(name)).map(({ name }) => name)).toEqual([]);
	await expectSoundEvidence('the transitions');
});
