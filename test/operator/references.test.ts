/** What support reads about a pasted reference: one subject, and sentences that agree with the ledger in every state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import type { Machine } from '#server/money/funds/machine.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import { PAYMENT } from '#server/money/funds/machines/payment.ts';
import { HOLDING_STATES, WITHDRAWAL } from '#server/money/funds/machines/withdrawal.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { ANSWER_TEXTS } from '#server/operators/references/texts/answer-texts.ts';
import { LANGUAGES } from '#values/languages.ts';
import { PaymentDesk, QUIET_PAYMENTS } from '../funds/payment-desk.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type Found = ResultOf<'reference-find'>;

const BY = { actor: 'test', address: null };
const VISIT = { address: '127.0.0.1', userAgent: 'a test' };

let server: TestServer;
let support: ConsoleClient;
const desk = new PaymentDesk(() => server);
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
	support = await member('support', null);
});
afterAll(() => server.dispose());

let members = 0;
async function member(role: string, brands: string[] | null): Promise<ConsoleClient> {
	const about = { name: `member ${++members}`, passwordHash: 'none', roles: [role], brands };
	const { staffId } = await server.running.staff.directory.add(about, BY);
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, VISIT, true));
	return client;
}

const find = (reference: string, by = support) => by.result<Found>('reference-find', { reference });
const namesOf = async (reference: string, by = support) =>
	(await find(reference, by)).found.map((one) => one.reference);

/** The English answer about the only subject of a reference. */
async function answerTo(reference: string): Promise<string> {
	const { answer } = await find(reference);
	if (!answer) throw new Error(`${reference} has no single answer`);
	return answer.sentences.en.join(' ');
}

/** The amount that a text has before these words, rupees; 0 without them. */
const amountBefore = (text: string, words: string): number =>
	Number((new RegExp(`₹([\\d,.]+) ${words}`).exec(text)?.[1] ?? '0').replaceAll(',', ''));

async function withdraw({ token, userId }: Player, amount: number): Promise<number> {
	const details = { method: 'UPI', upiId: `p${userId}@okbank` };
	const asked = { amount, details, clientRequestId: freshRequestId() };
	const { body } = await server.raw('createWithdrawal', asked, token);
	return Number((body.result as { id: string }).id.replace('WITHDRAWAL-', ''));
}

describe('a reference', () => {
	it('finds one subject however it is written', async () => {
		const player = await signUp(server);
		const withdrawal = await withdraw(player, 500);
		const code = referenceOf('BLW', withdrawal);
		const spaced = ` ${code.toLowerCase().replace(/(?<=^...)/, ' ')} `;
		for (const text of [`WITHDRAWAL-${withdrawal}`, `withdrawal ${withdrawal}`, code, spaced])
			expect([text, await namesOf(text)]).toEqual([text, [`withdrawal ${withdrawal}`]]);
		const order = await desk.order(player);
		const utr = desk.freshUtr();
		await desk.hear({ reference: order.reference, status: 'SUCCESS', utr });
		for (const text of [order.reference, `PAYMENT-${order.id}`, utr, `UTR: ${utr}`])
			expect([text, await namesOf(text)]).toEqual([text, [`payment ${order.id}`]]);
		const { userId, userName, mobile } = player;
		for (const text of [userName, userName.toUpperCase(), mobile, mobile.replace('+91', ''), `player ${userId}`])
			expect([text, await namesOf(text)]).toEqual([text, [`player ${userId}`]]);
	});

	it('with several meanings lists them, and each leads to itself alone', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const utr = desk.freshUtr();
		for (const sender of [player, other]) await desk.receipt(sender, utr);
		const several = [utr, player.userName.slice(0, 6)];
		for (const text of several) {
			const { found, answer } = await find(text);
			expect([text, found.length > 1, answer]).toEqual([text, true, null]);
			for (const { reference } of found) {
				const own = await find(reference);
				expect([own.found.map((one) => one.reference), own.answer === null]).toEqual([[reference], false]);
			}
		}
	});

	it('of a player of another brand is not found', async () => {
		const player = await signUp(server);
		const references = [`withdrawal ${await withdraw(player, 500)}`, player.userName, player.mobile];
		const elsewhere = await member('support', ['royal.localhost']);
		for (const reference of references) {
			expect(await namesOf(reference)).toHaveLength(1);
			expect(await find(reference, elsewhere)).toEqual({ found: [], answer: null });
		}
	});

	it.each([['BLW0000000000X'], ['withdrawal 999999999'], ['1 or 1'], ["' or '1'='1"], ['%']])(
		'that names nothing finds nothing: %s',
		async (text) => {
			expect(await find(text)).toEqual({ found: [], answer: null });
		},
	);
});

describe('the answer about a bet', () => {
	const expectAgreement = async (match: TestMatch, bets: { id: string; player: Player }[]) => {
		const { exchange } = server.running;
		for (const { id, player } of bets) {
			const text = await answerTo(`bet ${id}`);
			const held = exchange.profitLoss(player.userId, Number(match.marketId))?.exposure ?? 0;
			expect([id, amountBefore(text, 'of your money is held') * 100]).toEqual([id, held]);
			expect(text.includes('None of your money is held')).toBe(held === 0);
			const { answer } = await find(`bet ${id}`);
			const posted = (answer?.postings ?? []).reduce(
				(sum, { debit, credit, amount }) =>
					sum + (credit === 'exposure' ? amount : 0) - (debit === 'exposure' ? amount : 0),
				0,
			);
			expect([id, Math.round(posted * 100)]).toEqual([id, held]);
		}
	};

	it('names the odds as its player reads them on the site', async () => {
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match, { price: 2.5 }), player.token);
		for (const [oddsFormat, written] of [
			[null, 'at 2.50.'],
			['FRACTIONAL', 'at 3/2.'],
			['AMERICAN', 'at +150.'],
		] as const) {
			if (oddsFormat) await server.result('setPreferences', { oddsFormat }, player.token);
			expect(await answerTo(`bet ${betId}`)).toContain(written);
		}
	});

	it('says what is held and what became of the stake, at random, before and after the result', {
		tags: 'thorough',
	}, async () => {
		const match = await openTestMatch(server);
		const players = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
		const numbers = new SeededNumbers(11);
		const bets: { id: string; player: Player }[] = [];
		for (let turn = 0; turn < 30; turn++) {
			const player = numbers.from(players);
			const changes = {
				side: numbers.from(['BACK', 'LAY'] as const),
				price: numbers.from([2, 2.1]),
				stake: numbers.from([100, 250]),
				runnerId: numbers.from(match.runnerIds),
			};
			const { body } = await server.call('placeBetV2', betOn(match, changes), player.token);
			if (!body.result) continue;
			const id = body.result.betId;
			bets.push({ id, player });
			if (numbers.chance(20))
				await server.call('cancelBet', { betId: id, clientRequestId: freshRequestId() }, player.token);
		}
		await expectAgreement(match, bets);
		for (const { id } of bets) {
			const text = await answerTo(`bet ${id}`);
			const sum = ['is matched', 'is not matched', 'was cancelled', 'lapsed']
				.map((part) => `of the stake ${part}`)
				.reduce((total, part) => total + amountBefore(text, part), 0);
			expect([id, sum]).toEqual([id, Number(/stake ₹([\d,.]+)/.exec(text)?.[1])]);
		}
		await match.settle(0);
		await expectAgreement(match, bets);
		const owner = await member('owner', null);
		const { rows } = await owner.result<ResultOf<'market-bets'>>('market-bets', {
			marketId: match.marketId,
			count: 500,
		});
		for (const { betId, profit } of rows.filter((row) => row.result !== null)) {
			const text = await answerTo(`bet ${betId}`);
			const won = Number(/The bet won ₹([\d,.]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
			const lost = Number(/The bet lost ₹([\d,.]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
			expect([betId, won - lost]).toEqual([betId, profit]);
		}
	});
});

describe('the answer about money', () => {
	it('says where a withdrawal is, as the wallet does, in each of its states', async () => {
		const player = await signUp(server);
		const cash = desk.cash(player);
		const id = await withdraw(player, 500);
		const said = async () => await answerTo(`withdrawal ${id}`);
		for (const event of ['freeze', 'release']) {
			expect(await desk.decide('WITHDRAWAL', id, event)).toBe(event === 'freeze' ? 'FROZEN' : 'REQUESTED');
			expect(amountBefore(await said(), 'is held for it')).toBe(desk.hold(player));
			expect(amountBefore(await answerTo(player.userName), 'for withdrawal')).toBe(desk.hold(player));
		}
		await desk.decide('WITHDRAWAL', id, 'reject');
		expect([desk.hold(player), desk.cash(player)]).toEqual([0, cash]);
		expect(await said()).toContain('Reason: looked at The whole amount is back in your balance.');
		expect(await answerTo(player.userName)).toContain('None of your money is held.');

		const paid = await withdraw(player, 500);
		await desk.decide('WITHDRAWAL', paid, 'approve');
		await expect.poll(() => desk.stateOf('WITHDRAWAL', paid)).toBe('PROCESSING');
		expect(await answerTo(`withdrawal ${paid}`)).toContain('₹500 is on its way to your bank.');
		// It is on the way, and no longer held.
		expect([desk.hold(player), await answerTo(player.userName)]).toEqual([
			0,
			expect.stringContaining('None of your money is held.'),
		]);

		const { withdrawals, providers } = server.running.funds;
		const word = { reference: referenceOf('BLW', paid), status: 'FAILED', utr: null, amount: 500_00 } as const;
		await withdrawals.hear(word, providers.play);
		const refused = await answerTo(`withdrawal ${paid}`);
		expect(refused).toContain('Your bank refused it.');
		// The reason of the approval is a note among operators.
		expect(refused).not.toContain('looked at');
	});

	it('says of a payment that waits for review that it arrived and is not in the balance', async () => {
		const player = await signUp(server);
		const { id, reference } = await desk.order(player);
		expect(await answerTo(reference)).toContain('Nothing of it is in your balance.');
		await desk.hear({ reference, status: 'SUCCESS', amount: 400_00, utr: desk.freshUtr() });
		expect(await answerTo(reference)).toContain('₹400 has reached us and is not in your balance yet.');
		await desk.byTwo('PAYMENT', id, 'credit');
		expect(await answerTo(reference)).toContain('₹400 was added to your balance.');
	});

	it('says what a round took from the balance and paid into it', async () => {
		const player = await server.demoGambler();
		const before = desk.cash(player);
		const asked = { game: 'dice', bets: [{ bet: 'under-5000', stake: 100 }], clientRequestId: freshRequestId() };
		const { round } = await server.result('playRound', asked, player.token);
		const text = await answerTo(`CASINO-${round.roundId}`);
		const [staked, paid] = [amountBefore(text, 'was staked'), amountBefore(text, 'was paid into')];
		expect([staked, paid - staked]).toEqual([100, desk.cash(player) - before]);
		expect(text.includes('Nothing was paid.')).toBe(paid === 0);
	});

	it('counts every stake of a round, also where it shows its newest postings alone', async () => {
		const { userId: walletId } = await server.demoPlayer();
		const bet = { debit: 'cash', credit: 'casino', amount: 100 } as const;
		const data = { game: 'crash', round: 1, slot: 1, stake: 130_00, terms: {}, payout: 0, outcome: null };
		const about = { workflow: 'CASINO', from: null, to: 'SETTLED', isOpen: false, actor: 'test', data } as const;
		const steps = [{ ...about, moves: Array.from({ length: 130 }, () => bet) }];
		const { workflows: [round] = [] } = await server.running.exchange.submit({
			kind: 'transfer',
			walletId,
			pool: 'DEMO',
			steps,
		});
		const { answer } = await find(`round ${round?.id}`);
		expect(answer?.sentences.en.join(' ')).toContain('₹130 was staked from your balance. Nothing was paid.');
		expect(answer?.postings).toHaveLength(100);
	});

	it('is in the language that the player chose', async () => {
		const player = await signUp(server);
		const before = await find(player.userName);
		await server.result('setLanguage', { language: 'hi' }, player.token);
		const after = await find(player.userName);
		expect([before.answer?.language, after.answer?.language]).toEqual(['en', 'hi']);
		expect(after.answer?.sentences.hi.every((sentence) => /\p{Script=Devanagari}/u.test(sentence))).toBe(true);
	});
});

it('a withdrawal is on hold in the states whose way there holds it', () => {
	const held = new Map<string, number>();
	const holdOf = (moves: (typeof WITHDRAWAL.rows)[number]['moves'] = []) =>
		moves.reduce((sum, { debit, credit }) => sum + Number(credit === 'hold') - Number(debit === 'hold'), 0);
	for (let round = 0; round < WITHDRAWAL.rows.length; round++)
		for (const { from, to, moves } of WITHDRAWAL.rows)
			for (const state of from.length === 0 ? [null] : from)
				if (to !== null && (state === null || held.has(state)))
					held.set(to, (state === null ? 0 : (held.get(state) ?? 0)) + holdOf(moves));
	const holding = [...held].flatMap(([state, hold]) => (hold > 0 ? [state] : []));
	expect(new Set(holding)).toEqual(HOLDING_STATES);
});

it('has a sentence for every state of a deposit, a payment and a withdrawal', () => {
	const statesOf = ({ rows }: Pick<Machine, 'rows'>) => new Set(rows.flatMap(({ to }) => (to === null ? [] : [to])));
	const machines = { deposit: DEPOSIT, payment: PAYMENT, withdrawal: WITHDRAWAL } as const;
	for (const language of LANGUAGES)
		for (const kind of ['deposit', 'payment', 'withdrawal'] as const)
			expect([language, kind, new Set(Object.keys(ANSWER_TEXTS[language][kind].states))]).toEqual([
				language,
				kind,
				statesOf(machines[kind] as unknown as Pick<Machine, 'rows'>),
			]);
});
