/** Signed bodies at other calls, and what each dialect's own documents ask: replays, lobbies, promotions, several actions. */
import { createHash, createHmac, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { actionsDialect } from '#server/money/casino/providers/dialects/actions.ts';
import { formDialect } from '#server/money/casino/providers/dialects/form.ts';
import { rsaDialect } from '#server/money/casino/providers/dialects/rsa.ts';
import { ProviderTransactions } from '#server/money/casino/providers/provider-transactions.ts';
import { TriedWallet } from '#studio/conformance/tried-wallet.ts';
import { sendToWallet } from '#studio/provider-account.ts';
import { byForm } from '../games/form.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import type { Player } from '../support/server.ts';
import { type SlowRequest, SlowWallet } from './slow-wallet.ts';
import { PROVIDERS, type ProviderId, SPOKEN, StudioSite } from './studio-site.ts';

const START = 2_000_000;
const STAKE = 1_000;

let site: StudioSite;
beforeAll(async () => {
	site = await StudioSite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

async function seated(id: ProviderId): Promise<{ player: Player; wallet: TriedWallet }> {
	const player = await site.server.demoPlayer();
	const { game } = SPOKEN[id];
	const launchToken = await site.launch(player, game);
	const wallet = new TriedWallet({ account: site.account(id), game, launchToken, stake: STAKE });
	await wallet.open();
	return { player, wallet };
}

type Answer = Record<string, unknown> & { http: number };

async function send(id: ProviderId, path: string, fields: object): Promise<Answer> {
	const response = await sendToWallet(site.account(id), { path, fields });
	return { http: response.status, ...((await response.json()) as Record<string, unknown>) };
}

/** Sends a body as it is. */
async function post(id: ProviderId, path: string, body: string, headers: Record<string, string>): Promise<Answer> {
	const response = await fetch(`${site.account(id).walletUrl}/${path}`, { method: 'POST', body, headers });
	return { http: response.status, ...((await response.json()) as Record<string, unknown>) };
}

/** As the owner of the dialect signs: the body alone. */
const rsaSigned = (body: string) => ({
	'X-Hub88-Signature': sign('RSA-SHA256', Buffer.from(body), site.account('harbour').secret).toString('base64'),
});

describe('a body', () => {
	const seat = { token: 't', user: '1', game_code: 'g', currency: 'INR' };
	const transaction = { request_uuid: 'r', transaction_uuid: 'x', round: 'o', ...seat };
	const round = { user_id: '1', currency: 'INR', game: 'g', game_id: 'o', session_id: 's' };
	const form = { providerId: 'p', userId: '1', gameId: 'g', token: 't' };
	const inRound = { ...form, roundId: 'o', reference: 'x', amount: '1.00' };
	/** Each call of a dialect whose signature names none, with a body of it. */
	const CALLS = {
		rsa: {
			'user/info': { request_uuid: 'r', user: '1' },
			'user/balance': { request_uuid: 'r', ...seat },
			'transaction/bet': { ...transaction, amount: 1_000 },
			'transaction/win': { ...transaction, reference_transaction_uuid: 'y', amount: 1_000 },
			'transaction/rollback': { ...transaction, reference_transaction_uuid: 'y' },
		},
		actions: {
			play: { ...round, actions: [{ action: 'bet', action_id: 'x', amount: 1 }] },
			rollback: { ...round, actions: [{ action: 'rollback', action_id: 'x', original_action_id: 'y' }] },
		},
		form: {
			'authenticate.html': { providerId: 'p', token: 't' },
			'balance.html': { providerId: 'p', userId: '1', token: 't' },
			'bet.html': inRound,
			'bonuswin.html': { ...form, bonusCode: 'b', amount: '1.00' },
			'jackpotwin.html': { ...inRound, jackpotId: 'j' },
			'promowin.html': { providerId: 'p', userId: '1', reference: 'x', amount: '1.00', campaignId: 'c' },
			'endround.html': { ...form, roundId: 'o' },
			'adjustment.html': { ...inRound, validBetAmount: '1.00' },
		},
	} as const;
	const DIALECTS = { rsa: rsaDialect, actions: actionsDialect, form: formDialect } as const;
	/** Told apart by the record of signed bodies alone: their owner gives them the same fields. */
	const ALIKE = new Set(['bet.html result.html', 'bet.html refund.html']);

	it.each(['rsa', 'actions', 'form'] as const)('belongs to one call of the dialect %s by its fields', (name) => {
		const write = (fields: object) =>
			name === 'form' ? new URLSearchParams(fields as Record<string, string>).toString() : JSON.stringify(fields);
		const calls = [...Object.keys(CALLS[name]), ...(name === 'form' ? ['result.html', 'refund.html'] : [])];
		for (const [own, fields] of Object.entries(CALLS[name])) {
			const takers = calls.filter(
				(call) =>
					!ALIKE.has(`${own} ${call}`) &&
					DIALECTS[name].read({ method: 'POST', path: '/', call, headers: {}, body: Buffer.from(write(fields)) }),
			);
			expect(takers).toEqual([own]);
		}
	});

	it('that was taken as a bet, signed as its owner does, moves nothing at any other call', async () => {
		const { player, wallet } = await seated('harbour');
		const body = JSON.stringify(wallet.dialect.ask(wallet.freshBet()).fields);
		expect(await post('harbour', 'transaction/bet', body, rsaSigned(body))).toMatchObject({ status: 'RS_OK' });
		for (const call of ['transaction/rollback', 'transaction/win', 'user/balance', 'user/info'])
			expect((await post('harbour', call, body, rsaSigned(body)))['status']).toMatch(/WRONG_SYNTAX|INVALID_SIGNATURE/);
		expect(await post('harbour', 'transaction/bet', body, rsaSigned(body))).toMatchObject({ status: 'RS_OK' });
		expect(site.cash(player)).toBe(START - STAKE);
	});

	it('whose fields are those of other calls, too, is of the call that took it first', async () => {
		const { player, wallet } = await seated('velvet');
		const { fields } = wallet.dialect.ask(wallet.freshBet());
		const { body, headers } = wallet.dialect.sign(wallet.account, { path: '', fields }, 0);
		expect(await post('velvet', 'bet.html', body, headers)).toMatchObject({ error: 0 });
		for (const call of ['refund.html', 'result.html'])
			expect(await post('velvet', call, body, headers)).toMatchObject({ error: 5 });
		expect(site.cash(player)).toBe(START - STAKE);
	});

	it('with a name or a field twice is refused, and so is a value that could be read as two', async () => {
		const { player, wallet } = await seated('slate');
		const twice = JSON.stringify(wallet.dialect.ask(wallet.freshBet()).fields).replace(
			'"game"',
			'"game_id":"z","game"',
		);
		const signature = createHmac('sha256', site.account('slate').secret).update(twice).digest('hex');
		expect(await post('slate', 'play', twice, { 'X-Request-Sign': signature })).toMatchObject({ code: 400 });
		const { wallet: form } = await seated('velvet');
		const { fields } = form.dialect.ask(form.freshBet());
		const { body, headers } = form.dialect.sign(form.account, { path: '', fields }, 0);
		expect(await post('velvet', 'bet.html', `${body}&amount=1`, headers)).toMatchObject({ error: 5 });
		const text = 'amount=1&providerId=p';
		const hash = createHash('md5').update(`${text}${form.account.secret}`).digest('hex');
		const joined = new URLSearchParams({ amount: '1&providerId=p', hash }).toString();
		expect(await post('velvet', 'bet.html', joined, headers)).toMatchObject({ error: 5 });
		expect(site.cash(player)).toBe(START);
	});
});

describe('the dialect with RSA signatures', () => {
	it('says who a player is who sat at its games, and of everybody else the same', async () => {
		const { player } = await seated('harbour');
		const stranger = await site.server.demoPlayer();
		const about = (user: string) => send('harbour', 'user/info', { request_uuid: 'r', user });
		expect(await about(String(player.userId))).toEqual({
			http: 200,
			status: 'RS_OK',
			request_uuid: 'r',
			user: String(player.userId),
			country: null,
			sub_partner_id: 'localhost',
		});
		const unknown = { http: 200, status: 'RS_ERROR_USER_DISABLED', request_uuid: 'r' };
		for (const user of [String(stranger.userId), '1', 'nobody', '']) expect(await about(user)).toEqual(unknown);
	});

	it('pays a prize of the provider without a bet, within its caps, for a session of the player', async () => {
		const { player, wallet } = await seated('harbour');
		const { token, user, game_code } = wallet.dialect.ask(wallet.freshBet()).fields as Record<string, string>;
		const prize = (changes: object) =>
			send('harbour', 'transaction/win', {
				request_uuid: 'r',
				transaction_uuid: randomUUID(),
				round: 'tournament',
				is_supplier_promo: true,
				token,
				user,
				game_code,
				currency: 'INR',
				amount: 5_000_000,
				...changes,
			});
		expect(await prize({})).toMatchObject({ status: 'RS_OK', balance: (START + 5_000) * 1_000 });
		expect((await prize({ amount: 10_000_001_000 }))['status']).toBe('RS_ERROR_LIMIT_REACHED');
		expect((await prize({ token: 'unknown' }))['status']).toBe('RS_ERROR_INVALID_TOKEN');
		expect((await prize({ user: '1' }))['status']).toBe('RS_ERROR_INVALID_TOKEN');
		expect((await prize({ currency: 'USD' }))['status']).toBe('RS_ERROR_WRONG_CURRENCY');
		expect((await prize({ game_code: 'lantern-cups' }))['status']).toBe('RS_ERROR_INVALID_GAME');
		expect(site.cash(player)).toBe(START + 5_000);
	});

	it('takes a win back that it rolls back', async () => {
		const { player, wallet } = await seated('harbour');
		const bet = wallet.freshBet();
		const win = wallet.winOf(bet, 700);
		await wallet.expect(bet, 'OK');
		await wallet.expect(win, 'OK');
		const undone = { ...wallet.rollbackOf(bet), txId: randomUUID(), refTxId: (win as { txId: string }).txId };
		await wallet.expectMoved(-700, () => wallet.expect(undone, 'OK'));
		await wallet.expectMoved(0, () => wallet.expect({ ...undone, txId: randomUUID() }, 'ALREADY_REFUNDED'));
		expect(site.cash(player)).toBe(START - STAKE);
	});
});

describe('the dialect of forms', () => {
	it('lets a player change the game within a session, and not to another provider’s', async () => {
		const { player, wallet } = await seated('velvet');
		const bet = wallet.freshBet();
		await wallet.expect({ ...bet, game: 'velvet-night' }, 'OK');
		await wallet.expect(wallet.freshBet({ game: 'harbour-reels' }), 'INVALID_GAME');
		// A second bet of the round is at the round's own game.
		await wallet.expect({ ...wallet.freshBet(), round: bet.round }, 'INVALID_GAME');
		const { items } = await site.server.result('getRounds', {}, player.token);
		expect(items).toMatchObject([{ game: 'velvet-night', stake: 10 }]);
	});

	it('corrects a round, pays prizes within the caps, and answers with our own id of each', async () => {
		const { player, wallet } = await seated('velvet');
		const bet = wallet.freshBet();
		const { fields } = wallet.dialect.ask(bet);
		const { reference: _, amount: __, roundDetails: ___, ...inRound } = fields as Record<string, string>;
		const ask = (path: string, more: object) => send('velvet', path, { ...inRound, reference: randomUUID(), ...more });
		const placed = await send('velvet', 'bet.html', fields);
		expect(placed).toMatchObject({ error: 0, cash: 19_990, transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
		expect(await send('velvet', 'bet.html', fields)).toEqual(placed);
		expect(await ask('adjustment.html', { amount: '5.50', validBetAmount: '10' })).toMatchObject({ cash: 19_995.5 });
		expect(await ask('adjustment.html', { amount: '-5.51', validBetAmount: '10' })).toMatchObject({ error: 50 });
		expect(await ask('jackpotWin.html', { amount: '100.00', jackpotId: 'j' })).toMatchObject({ cash: 20_095.5 });
		expect(await ask('result.html', { amount: '3.00', bonusCode: 'free' })).toMatchObject({ cash: 20_098.5 });
		expect(await ask('result.html', { amount: '100000.01', bonusCode: 'free' })).toMatchObject({ error: 50 });
		const { roundId: ____, ...noRound } = inRound;
		const promo = { ...noRound, reference: randomUUID(), campaignId: 'c', amount: '1.50', currency: 'USD' };
		expect(await send('velvet', 'promoWin.html', promo)).toMatchObject({ error: 7 });
		expect(site.cash(player)).toBe(START - STAKE + 550 + 10_000 + 300);
	});
});

describe('the dialect of several actions', () => {
	it('carries out a bet and its win in one call, and none of them where one is refused', async () => {
		const { player, wallet } = await seated('slate');
		const round = (actions: object[], more: object = {}) => {
			const { actions: _, ...fields } = wallet.dialect.ask(wallet.freshBet()).fields as Record<string, unknown>;
			return { ...fields, actions, ...more };
		};
		const bet = (amount = STAKE) => ({ action: 'bet', action_id: randomUUID(), amount });
		const win = (amount: number) => ({ action: 'win', action_id: randomUUID(), amount });
		const whole = round([bet(), win(2_500)], { finished: true });
		const answers = await Promise.all(Array.from({ length: 5 }, () => send('slate', 'play', whole)));
		expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
		const transactions = whole.actions.map((action) => ({
			action_id: (action as { action_id: string }).action_id,
			tx_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		}));
		expect(answers[0]).toMatchObject({ http: 200, balance: START + 1_500, transactions });
		const tooMuch = round([bet(), win(29_000_001)]);
		for (let count = 0; count < 2; count++)
			expect(await send('slate', 'play', tooMuch)).toMatchObject({ http: 412, code: 105 });
		expect(site.cash(player)).toBe(START + 1_500);
		// The provider, told of the refusal, rolls back what has been taken back.
		const [{ action_id: original_action_id }] = tooMuch.actions as [{ action_id: string }];
		const rollback = { ...tooMuch, actions: [{ action: 'rollback', action_id: randomUUID(), original_action_id }] };
		expect(await send('slate', 'rollback', rollback)).toMatchObject({ http: 200 });
		expect(site.cash(player)).toBe(START + 1_500);
	});

	it('says of no action that it happened after it was taken back, also when it comes again alone', async () => {
		const { player, wallet } = await seated('slate');
		const { actions: _, ...fields } = wallet.dialect.ask(wallet.freshBet()).fields as Record<string, unknown>;
		const play = (actions: object[], more: object = {}) => send('slate', 'play', { ...fields, actions, ...more });
		const [bet, win, second] = [
			{ action: 'bet', action_id: randomUUID(), amount: STAKE },
			{ action: 'win', action_id: randomUUID(), amount: 500 },
			{ action: 'bet', action_id: randomUUID(), amount: 29_000_001 },
		];
		expect(await play([bet])).toMatchObject({ http: 200, balance: START - STAKE });
		for (let count = 0; count < 2; count++)
			expect(await play([win, second])).toMatchObject({ http: 412, code: 105, balance: START - STAKE });
		expect(await play([win], { finished: true })).toMatchObject({ http: 412, code: 105 });
		// It is due in no report.
		const { rows } = await site.server.database.db.query(
			'select paid, received from provider_transaction where tx_id = $1',
			[win.action_id],
		);
		expect(rows).toEqual([{ paid: 0, received: 0 }]);
		const again = { ...win, action_id: randomUUID() };
		expect(await play([again], { finished: true })).toMatchObject({ http: 200, balance: START - STAKE + 500 });
		expect(site.cash(player)).toBe(START - STAKE + 500);
	});

	it('says so, too, where the process died before it had noted that they were taken back', async () => {
		const { player, wallet } = await seated('slate');
		const { actions: _, ...fields } = wallet.dialect.ask(wallet.freshBet()).fields as Record<string, unknown>;
		const play = (...actions: object[]) => send('slate', 'play', { ...fields, actions });
		const [bet, win, tooMuch] = [
			{ action: 'bet', action_id: randomUUID(), amount: STAKE },
			{ action: 'win', action_id: randomUUID(), amount: 500 },
			{ action: 'bet', action_id: randomUUID(), amount: 29_000_001 },
		];
		const dying = vi
			.spyOn(ProviderTransactions.prototype, 'takenBack')
			.mockRejectedValue(new Error('the process dies'));
		try {
			expect(await play(bet, win, tooMuch)).toMatchObject({ http: 500 });
		} finally {
			dying.mockRestore();
		}
		expect(site.cash(player)).toBe(START);
		// The provider asks again, in calls that it puts together otherwise.
		const another = { action: 'bet', action_id: randomUUID(), amount: STAKE };
		expect(await play(bet, another)).toMatchObject({ http: 412, code: 155, balance: START });
		expect(await play(bet)).toMatchObject({ http: 412, code: 155, balance: START });
		expect(await play(win)).toMatchObject({ http: 412, code: 155, balance: START });
		expect(await play(bet, win, tooMuch)).toMatchObject({ http: 412, balance: START });
		expect(site.cash(player)).toBe(START);
		const { rows } = await site.server.database.db.query(
			'select paid, received from provider_transaction where tx_id = any ($1)',
			[[bet.action_id, win.action_id]],
		);
		expect(rows).toEqual([
			{ paid: 0, received: 0 },
			{ paid: 0, received: 0 },
		]);
	});
});

const LIES = { currency: 'currencyField', userId: 'userField' } as const;
const MISMATCHES: ReadonlySet<string> = new Set(['TRANSACTION_NOT_FOUND', 'INVALID_TOKEN', 'WRONG_CURRENCY']);
const KINDS = ['bet', 'bet', 'win', 'rollback'] as const;
const LIMITS = {
	leastStake: STAKE,
	mostStaked: 1_000_000,
	mostPaid: 29_000_000,
	mostFree: 1_000_000,
	prize: 10_000_000,
	playerDay: 20_000_000,
	providerDay: 100_000_000,
};

/** The dialects whose bodies are read in the most ways: several actions, and a form. */
const MAIN_DIALECTS: ReadonlySet<string> = new Set(['slate', 'velvet']);

mainlyEach(
	PROVIDERS.flatMap((id) => Array.from({ length: byForm(1, 20) }, (_, index) => [id, 1 + index] as const)),
	([id]) => MAIN_DIALECTS.has(id),
)('random calls with hostile fields move at %s what a slow wallet moves, once each (seed %i)', async (id, seed) => {
	const numbers = new SeededNumbers(seed);
	const seats = [await seated(id), await seated(id)] as const;
	const slow = new SlowWallet([START, START], LIMITS);
	const cash = () => seats.map(({ player }) => site.cash(player));
	const rounds = Array.from({ length: 10 }, () => {
		const player = numbers.below(2);
		const { wallet } = seats[player] as (typeof seats)[number];
		const amount = numbers.from([STAKE - 1, STAKE, 5_000, 1_000_000, 1_000_001]);
		const bet = wallet.freshBet({ amount });
		const paid = numbers.from([0, 700, 29_000_000, 29_000_001]);
		return { player, wallet, bet, win: wallet.winOf(bet, paid), rollback: wallet.rollbackOf(bet), paid };
	});
	const asked = new Set<string>();
	for (let step = 0; step < byForm(60, 120); step++) {
		const round = numbers.from(rounds);
		const { player, wallet, bet, paid } = round;
		const kind = numbers.from(KINDS);
		const call = round[kind] as typeof round.bet;
		if (asked.has(call.txId)) {
			await wallet.ask(call);
			expect([step, kind, cash()]).toEqual([step, kind, slow.cash]);
			continue;
		}
		const lie = numbers.chance(20) ? numbers.from(['currency', 'userId'] as const) : null;
		const value = lie === 'currency' ? 'XTS' : '999999999';
		const said = await wallet.ask(call, lie === null ? {} : { fields: wallet.saying(LIES[lie], value) });
		const request: SlowRequest = {
			call: kind,
			player,
			txId: call.txId,
			refTxId: kind === 'bet' ? null : bet.txId,
			roundId: bet.round,
			lie,
			amount: kind === 'win' ? paid : bet.amount,
			winAmount: 0,
			roundClosed: true,
		};
		const expected = slow.ask(request);
		expect([step, kind, lie, expected, said.text, cash()]).toEqual([step, kind, lie, expected, said.text, slow.cash]);
		if (kind !== 'rollback')
			expect([step, kind, said.text, said.status === 'OK']).toEqual([step, kind, said.text, expected === 'OK']);
		// Who names another player learns no balance.
		if (lie === 'userId' && said.status !== 'OK') expect(said.balance).toBeUndefined();
		// The only id of its kind is free for the request that is right.
		const isLeft = kind !== 'bet' && !wallet.dialect.hasWinIds && MISMATCHES.has(expected);
		if (!isLeft) asked.add(call.txId);
	}
});
