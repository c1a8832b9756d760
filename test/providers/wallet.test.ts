/** The wallet for outside providers, asked as their servers ask it: in order, out of order, twice, late, and forged. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LiveFigures } from '#server/money/casino/live-figures.ts';
import { type Decided, ProviderTransactions } from '#server/money/casino/providers/provider-transactions.ts';
import { askWallet } from '#studio/provider-account.ts';
import { DAY_MS } from '#values/time.ts';
import { byForm } from '../games/form.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import type { Player } from '../support/server.ts';
import { leaveShort } from '../support/short-position.ts';
import { type SlowRequest, SlowWallet } from './slow-wallet.ts';
import { betOf, StudioSite } from './studio-site.ts';
import { rollbackOf, START, seatedAt, winOf } from './wallet-calls.ts';

let site: StudioSite;
beforeAll(async () => {
	site = await StudioSite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

const seated = (at = site) => seatedAt(at);

describe('a launch token', () => {
	it('opens one session, of the player at the game, and nothing a second time', async () => {
		const player = await site.server.demoPlayer();
		const launchToken = await site.launch(player, 'lantern-cups');
		const opened = await Promise.all(Array.from({ length: 5 }, () => site.ask('authenticate', { launchToken })));
		expect(opened.filter(({ status }) => status === 'OK')).toHaveLength(1);
		expect(opened.find(({ status }) => status === 'OK')).toMatchObject({
			userId: String(player.userId),
			currency: 'INR',
			balance: START,
		});
		expect(new Set(opened.map(({ status }) => status))).toEqual(new Set(['OK', 'INVALID_TOKEN']));
	});

	it('is worth nothing to another provider', async () => {
		const launchToken = await site.launch(await site.server.demoPlayer(), 'lantern-cups');
		const open = { call: 'open', token: launchToken, game: 'copper-ladder' } as const;
		expect((await askWallet(site.account('copper'), open)).status).toBe('TOKEN_EXPIRED');
		expect((await site.ask('authenticate', { launchToken })).status).toBe('OK');
	});
});

describe('a bet and its win', () => {
	it('move the stake and the win, and say the balance', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		expect(await site.ask('bet', bet)).toMatchObject({ http: 200, status: 'OK', balance: START - 10_000 });
		expect(await site.ask('win', winOf(bet))).toMatchObject({ status: 'OK', balance: START + 15_000 });
		expect(await site.ask('balance', { sessionToken: session })).toMatchObject({ balance: START + 15_000 });
		const { rounds } = { rounds: await site.server.result('getRounds', {}, player.token) };
		expect(rounds.items[0]).toMatchObject({ game: 'lantern-cups', state: 'SETTLED', stake: 100, payout: 250 });
	});

	it('leave what open bets lack, which the balance does not count', async () => {
		const player = await site.server.playPlayer();
		await leaveShort(site.server, player);
		const sessionToken = await site.session(player);
		expect(await site.ask('balance', { sessionToken })).toMatchObject({ balance: 1_000_000 });
		expect(await site.ask('bet', betOf(sessionToken))).toMatchObject({ status: 'OK', balance: 990_000 });
		expect(await site.ask('bet', betOf(sessionToken, { amount: 1_000_000 }))).toMatchObject({
			status: 'INSUFFICIENT_FUNDS',
			balance: 990_000,
		});
	});

	it('are answered byte for byte as before when they are asked again, ten times at once', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		const bets = await Promise.all(Array.from({ length: 10 }, () => site.ask('bet', bet)));
		expect(new Set(bets.map(({ text }) => text)).size).toBe(1);
		const win = winOf(bet);
		const wins = await Promise.all(Array.from({ length: 10 }, () => site.ask('win', win)));
		expect(new Set(wins.map(({ text }) => text)).size).toBe(1);
		await site.ask('bet', betOf(session));
		expect((await site.ask('bet', bet)).text).toBe(bets[0]?.text);
		expect(site.cash(player)).toBe(START - 20_000 + 25_000);
	});

	it('under a known id with anything changed are refused, and nothing moves', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		await site.ask('bet', bet);
		for (const changes of [{ amount: 1 }, { roundId: 'other' }, { currency: 'INR' }])
			expect((await site.ask('bet', { ...bet, ...changes })).status).toBe('DUPLICATE_TRANSACTION');
		expect((await site.ask('win', winOf(bet, { txId: bet.txId, refTxId: 'x' }))).status).toBe('DUPLICATE_TRANSACTION');
		expect(site.cash(player)).toBe(START - 10_000);
	});

	it('pay once: a second win on a closed round is refused, a win before its bet and on another round, too', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		expect((await site.ask('win', winOf(bet))).status).toBe('TRANSACTION_NOT_FOUND');
		await site.ask('bet', bet);
		expect((await site.ask('win', winOf(bet, { roundId: 'other' }))).status).toBe('TRANSACTION_NOT_FOUND');
		expect((await site.ask('win', winOf(bet))).status).toBe('OK');
		expect((await site.ask('win', winOf(bet))).status).toBe('ALREADY_SETTLED');
		expect(site.cash(player)).toBe(START + 15_000);
	});

	it('of one round are many bets and wins, until it is closed', async () => {
		const { player, session } = await seated();
		const first = betOf(session);
		const second = { ...betOf(session), roundId: first.roundId, amount: 5_000 };
		await site.ask('bet', first);
		await site.ask('bet', second);
		await site.ask('win', winOf(first, { amount: 1_000, roundClosed: false }));
		expect(await site.ask('endround', { roundId: first.roundId })).toMatchObject({ status: 'OK' });
		expect((await site.ask('bet', { ...betOf(session), roundId: first.roundId })).status).toBe('ALREADY_SETTLED');
		expect(site.cash(player)).toBe(START - 14_000);
	});

	it('of zero are taken, and so is both at once', async () => {
		const { player, session } = await seated();
		const bet = betOf(session, { amount: 0 });
		expect(await site.ask('bet', bet)).toMatchObject({ status: 'OK', balance: START });
		expect((await site.ask('win', winOf(bet, { amount: 0 }))).status).toBe('OK');
		const atOnce = betOf(session, { winAmount: 30_000 });
		expect(await site.ask('betwin', atOnce)).toMatchObject({ status: 'OK', balance: START + 20_000 });
		expect(site.cash(player)).toBe(START + 20_000);
	});

	it.each([
		['more than the house takes', { amount: 10_000_001 }, 'LIMIT_REACHED'],
		['more than the game takes', { amount: 9_000_000 }, 'LIMIT_REACHED'],
		['less than the game takes', { amount: 999 }, 'LIMIT_REACHED'],
		['another player', { userId: '999999999' }, 'INVALID_TOKEN'],
		['a field that the call does not have', { refTxId: 'x' }, 'WRONG_SYNTAX'],
		['another currency', { currency: 'EUR' }, 'WRONG_CURRENCY'],
		['another game', { gameCode: 'harbour-reels' }, 'INVALID_GAME'],
		['an unknown token', { sessionToken: 'x' }, 'INVALID_TOKEN'],
		['a negative stake', { amount: -1 }, 'WRONG_SYNTAX'],
		['parts of a minor unit', { amount: 0.5 }, 'WRONG_SYNTAX'],
	])('are refused with %s, and the refusal stands', async (_, changes, status) => {
		const { player, session } = await seated();
		const bet = betOf(session, changes);
		const refused = await site.ask('bet', bet);
		expect(refused).toMatchObject({ http: 200, status });
		expect((await site.ask('bet', bet)).text).toBe(refused.text);
		expect(site.cash(player)).toBe(START);
	});

	it('are judged by the brand’s limit of losses from the first after a restart on, when no losses are read yet', async () => {
		const before = await StudioSite.open();
		const limit = { host: 'localhost', field: 'playerProtection.lossLimitDay', value: '150' };
		await before.server.act('brand-set', limit);
		const { session } = await seated(before);
		await before.ask('bet', betOf(session, { amount: 10_000 }));
		await before.server.stop();
		await before.closeStudio();
		const after = await StudioSite.open(before.server.database);
		onTestFinished(() => after.close());
		const statuses = [];
		for (const amount of [5_000, 1_000]) statuses.push((await after.ask('bet', betOf(session, { amount }))).status);
		expect(statuses).toEqual(['OK', 'LIMIT_REACHED']);
	});

	it('meet the player’s limits, breaks and log-out; a win is paid all the same', async () => {
		const { player, session } = await seated();
		const by = { actor: 'test', address: null };
		const { protection } = site.server.running.funds;
		const bet = betOf(session);
		await site.ask('bet', bet);
		await protection.limits.set(player.userId, { stake: 5_000 }, by);
		expect((await site.ask('bet', betOf(session))).status).toBe('LIMIT_REACHED');
		await protection.timeOut(player.userId, 24, by);
		expect((await site.ask('bet', betOf(session, { amount: 1_000 }))).status).toBe('USER_DISABLED');
		await site.server.result('logout', {}, player.token);
		expect((await site.ask('bet', betOf(session, { amount: 1_000 }))).status).toBe('TOKEN_EXPIRED');
		expect((await site.ask('win', winOf(bet))).status).toBe('OK');
		expect(site.cash(player)).toBe(START + 15_000);
	});
});

describe('a rollback', () => {
	it('gives the stake back once, and the bet can win no more', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		await site.ask('bet', bet);
		const rollback = rollbackOf(bet);
		const answers = await Promise.all(Array.from({ length: 10 }, () => site.ask('rollback', rollback)));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers[0]).toMatchObject({ status: 'OK', balance: START });
		expect((await site.ask('rollback', rollbackOf(bet))).status).toBe('ALREADY_REFUNDED');
		expect((await site.ask('win', winOf(bet))).status).toBe('ALREADY_REFUNDED');
		expect(site.cash(player)).toBe(START);
	});

	it('of a bet that won is refused', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		await site.ask('bet', bet);
		await site.ask('win', winOf(bet, { roundClosed: false }));
		expect((await site.ask('rollback', rollbackOf(bet))).status).toBe('ALREADY_SETTLED');
		expect(site.cash(player)).toBe(START + 15_000);
	});

	it('of a bet that never came is accepted, and the bet is refused when it comes', async () => {
		const { player, session } = await seated();
		const bet = betOf(session);
		expect((await site.ask('rollback', rollbackOf(bet))).status).toBe('OK');
		expect((await site.ask('bet', bet)).status).toBe('ALREADY_REFUNDED');
		expect((await site.ask('win', winOf(bet))).status).toBe('ALREADY_REFUNDED');
		expect(site.cash(player)).toBe(START);
	});

	it('beside its bet leaves the stake with the player, whichever comes first', async () => {
		const { player, session } = await seated();
		for (let count = 0; count < 5; count++) {
			const bet = betOf(session);
			const [, rollback] = await Promise.all([site.ask('bet', bet), site.ask('rollback', rollbackOf(bet))]);
			expect(rollback.status).toBe('OK');
			expect(site.cash(player)).toBe(START);
		}
	});

	it('of a whole round gives back what was staked in it', async () => {
		const { player, session } = await seated();
		const [first, second] = [betOf(session), betOf(session)];
		await site.ask('bet', first);
		await site.ask('bet', { ...second, roundId: first.roundId });
		await site.ask('rollback', rollbackOf(first));
		expect(await site.ask('rollback', { txId: randomUUID(), roundId: first.roundId })).toMatchObject({
			balance: START,
		});
		expect(site.cash(player)).toBe(START);
	});
});

/** Alarms of the provider's caps, as the operators' queue has them. */
async function alarms(own: StudioSite): Promise<{ name: string; transaction: string }[]> {
	const { body } = await own.server.operator<{ name: string; transaction: string }[]>('payment-queue', {
		kind: 'FINDING',
	});
	return (body.result ?? []).filter(({ name }) => name.startsWith('game-cap:'));
}

describe('an adjustment and a promotion', () => {
	it('correct what a closed round paid, which may leave a shortfall that nobody is told, and pay without a round', async () => {
		const { player, session } = await seated();
		const bet = betOf(session, { winAmount: 50_000 });
		await site.ask('betwin', bet);
		for (let count = 0; count < 2; count++) await site.ask('bet', betOf(session, { amount: 1_000_000 }));
		expect(site.cash(player)).toBe(40_000);
		const adjust = { txId: randomUUID(), refTxId: bet.txId, amount: -50_000 };
		expect(await site.ask('adjust', adjust)).toMatchObject({ status: 'OK', balance: 0 });
		expect(site.cash(player)).toBe(-10_000);
		expect(await site.ask('balance', { sessionToken: session })).toMatchObject({ balance: 0 });
		const promo = { txId: randomUUID(), userId: String(player.userId), amount: 60_000 };
		expect(await site.ask('promo', promo)).toMatchObject({ status: 'OK', balance: 50_000 });
		expect((await site.ask('promo', promo)).balance).toBe(50_000);
		expect(await site.ask('status', { refTxId: bet.txId })).toMatchObject({ status: 'OK', state: 'SETTLED' });
	});

	it('are bounded: an adjustment by its round, and both by their caps; operators hear of each refusal', async () => {
		const own = await StudioSite.open();
		onTestFinished(() => own.close());
		const [one, other] = [await own.server.playPlayer(), await own.server.playPlayer()];
		const bet = betOf(await own.session(one));
		await own.session(other);
		await own.ask('bet', bet);
		const adjust = (amount: number) => own.ask('adjust', { txId: randomUUID(), refTxId: bet.txId, amount });
		// 100 crore below zero, one minor unit more than the round paid, and one more than the game pays at most.
		for (const amount of [-100_000_000_000, -1, 29_000_001])
			expect((await adjust(amount)).status).toBe('LIMIT_REACHED');
		const promo = ({ userId }: Player, amount: number) =>
			own.ask('promo', { txId: randomUUID(), userId: String(userId), amount });
		expect((await promo(one, 100_000_000_000)).status).toBe('LIMIT_REACHED');
		for (let count = 0; count < 2; count++) expect((await promo(one, 10_000_000)).status).toBe('OK');
		expect((await promo(one, 1)).status).toBe('LIMIT_REACHED');
		expect((await promo(other, 10_000_000)).status).toBe('OK');
		expect(own.cash(one)).toBe(START - 10_000 + 20_000_000);
		// What a provider gives was won in no round: it is neither the largest win of the day now nor after a start.
		expect((await own.server.result('getCasinoGames', {}, one.token)).live.biggestWin).toBeNull();
		const read = await LiveFigures.open({ db: own.server.database.db, log: pino({ level: 'silent' }) }, Date.now());
		expect(read.biggestWin('PLAY', Date.now() - DAY_MS)).toBeNull();
		expect((await alarms(own)).map(({ name }) => name.split(':')[2]).sort()).toEqual(['player-day', 'prize', 'round']);
	});

	it('say nothing of a wallet that never played there, and move nothing of it', async () => {
		const stranger = await site.server.demoPlayer();
		const answers = [String(stranger.userId), '1', '999999999999'].map((userId) =>
			site.ask('promo', { txId: randomUUID(), userId, amount: 100 }),
		);
		const texts = new Set((await Promise.all(answers)).map(({ text }) => text));
		expect([...texts]).toEqual(['{"status":"USER_DISABLED"}']);
		expect(site.cash(stranger)).toBe(START);
	});
});

describe('a free bet and a tip', () => {
	const freebetOf = (sessionToken: string, changes: object = {}) => {
		const { amount: _, ...bet } = betOf(sessionToken);
		return { ...bet, campaignId: 'autumn', ...changes };
	};
	const tipOf = (sessionToken: string) => {
		const { roundId: _, ...tip } = betOf(sessionToken);
		return tip;
	};

	it('take nothing and are paid like any bet, and take what the player gives, each once', async () => {
		const { player, session } = await seated();
		const free = freebetOf(session);
		const answers = await Promise.all(Array.from({ length: 10 }, () => site.ask('freebet', free)));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers[0]).toMatchObject({ status: 'OK', balance: START });
		expect(await site.ask('win', winOf(free))).toMatchObject({ status: 'OK', balance: START + 25_000 });
		expect((await site.ask('win', winOf(free))).status).toBe('ALREADY_SETTLED');
		const tip = tipOf(session);
		const tips = await Promise.all(Array.from({ length: 10 }, () => site.ask('tip', tip)));
		expect(new Set(tips.map(({ text }) => text)).size).toBe(1);
		expect(site.cash(player)).toBe(START + 15_000);
		const { items } = await site.server.result('getRounds', {}, player.token);
		expect(items).toMatchObject([
			{ state: 'SETTLED', stake: 100, payout: 0, result: 'Tip' },
			{ state: 'SETTLED', stake: 0, payout: 250, bets: [{ bet: 'free' }] },
		]);
	});

	it('go back when the provider says so, once, and a buried one takes nothing', async () => {
		const { player, session } = await seated();
		const [free, tip, late] = [freebetOf(session), tipOf(session), tipOf(session)];
		await site.ask('freebet', free);
		await site.ask('tip', tip);
		expect(await site.ask('rollback', rollbackOf(free))).toMatchObject({ status: 'OK', balance: START - 10_000 });
		expect((await site.ask('win', winOf(free))).status).toBe('ALREADY_REFUNDED');
		const back = rollbackOf(tip);
		expect(await site.ask('rollback', back)).toMatchObject({ status: 'OK', balance: START });
		expect((await site.ask('rollback', back)).balance).toBe(START);
		expect((await site.ask('rollback', rollbackOf(tip))).status).toBe('ALREADY_REFUNDED');
		expect((await site.ask('rollback', rollbackOf(late))).status).toBe('OK');
		expect((await site.ask('tip', late)).status).toBe('ALREADY_REFUNDED');
		expect(site.cash(player)).toBe(START);
	});

	it('are refused to a player on a break or with too little, and without a campaign or an amount', async () => {
		const { player, session } = await seated();
		expect((await site.ask('tip', { ...tipOf(session), amount: START + 1 })).status).toBe('INSUFFICIENT_FUNDS');
		expect((await site.ask('tip', { ...tipOf(session), amount: 0 })).status).toBe('WRONG_SYNTAX');
		expect((await site.ask('freebet', freebetOf(session, { campaignId: '' }))).status).toBe('WRONG_SYNTAX');
		expect((await site.ask('freebet', freebetOf(session, { gameCode: 'copper-ladder' }))).status).toBe('INVALID_GAME');
		await site.server.running.funds.protection.timeOut(player.userId, 24, { actor: 'test', address: null });
		expect((await site.ask('freebet', freebetOf(session))).status).toBe('USER_DISABLED');
		expect((await site.ask('tip', tipOf(session))).status).toBe('USER_DISABLED');
		expect(site.cash(player)).toBe(START);
	});
});

describe('a request', () => {
	it.each([
		['a wrong secret', { secret: 'another secret altogether' }],
		['an unknown key', { keyId: 'unknown' }],
		['a clock that is six minutes behind', { atMs: Date.now() - 360_000 }],
		['a clock that is six minutes ahead', { atMs: Date.now() + 360_000 }],
		['a body that was changed on its way', { sent: '{"sessionToken":"x" }' }],
		['a signature for another call', { signedFor: 'bet' }],
	])('with %s is not answered', async (_, forged) => {
		const { session } = await seated();
		expect(await site.ask('balance', { sessionToken: session }, forged)).toMatchObject({
			http: 401,
			status: 'INVALID_SIGNATURE',
		});
	});

	it('of no known form is refused as such, and one to an unknown provider is not found', async () => {
		expect(await site.ask('bet', { txId: 1 })).toMatchObject({ http: 200, status: 'WRONG_SYNTAX' });
		expect(await site.ask('steal', {})).toMatchObject({ http: 200, status: 'WRONG_SYNTAX' });
		const { session } = await seated();
		const twice = JSON.stringify(betOf(session)).replace('"amount":10000', '"amount":1,"\\u0061mount":10000');
		expect((await site.ask('bet', {}, { sent: twice, signedBody: twice })).status).toBe('WRONG_SYNTAX');
		const own = { txId: 'same', refTxId: 'same' };
		expect((await site.ask('rollback', own)).status).toBe('WRONG_SYNTAX');
		expect((await fetch(`${site.server.url}/wallet/nobody/balance`, { method: 'POST', body: '{}' })).status).toBe(404);
	});
});

describe('a transaction whose id was rolled back before it came', () => {
	it.each(['win', 'adjust', 'promo'] as const)('is refused and moves nothing: %s', async (call) => {
		const { player, session } = await seated();
		const bet = betOf(session);
		await site.ask('bet', bet);
		const { txId } = winOf(bet);
		expect((await site.ask('rollback', rollbackOf({ txId }))).status).toBe('OK');
		const fields = {
			win: winOf(bet, { txId }),
			adjust: { txId, refTxId: bet.txId, amount: 500 },
			promo: { txId, userId: String(player.userId), amount: 500 },
		}[call];
		expect(await site.ask(call, fields)).toMatchObject({ http: 200, status: 'ALREADY_REFUNDED' });
		expect(site.cash(player)).toBe(START - 10_000);
	});
});

describe('a rollback of a round of two players', () => {
	it('gives nothing back when one of them was paid, and else to both', async () => {
		const [one, other] = [await seated(), await seated()];
		const [paid, back] = [randomUUID(), randomUUID()];
		for (const roundId of [paid, back]) {
			await site.ask('bet', betOf(one.session, { roundId }));
			const bet = betOf(other.session, { roundId });
			await site.ask('bet', bet);
			if (roundId === paid) await site.ask('win', winOf(bet, { amount: 700 }));
		}
		const rollback = { txId: randomUUID(), roundId: paid };
		expect((await site.ask('rollback', rollback)).status).toBe('ALREADY_SETTLED');
		expect([site.cash(one.player), site.cash(other.player)]).toEqual([START - 20_000, START - 19_300]);
		expect((await site.ask('rollback', { txId: randomUUID(), roundId: back })).status).toBe('OK');
		expect([site.cash(one.player), site.cash(other.player)]).toEqual([START - 10_000, START - 9_300]);
	});
});

describe('two processes that are asked about one transaction', () => {
	const request = { call: 'promo', txId: randomUUID(), userId: '1', amount: 1 } as const;

	it.each([
		['the answer of the one that moved the money', 'OK', 'INSUFFICIENT_FUNDS', 'OK'],
		['the first refusal', 'USER_DISABLED', 'INSUFFICIENT_FUNDS', 'USER_DISABLED'],
		['the answer of the one that moved the money later', 'INSUFFICIENT_FUNDS', 'OK', 'OK'],
	] as const)('keep %s', async (_, early, late, kept) => {
		const { db } = site.server.database;
		const [deposed, successor] = [new ProviderTransactions(db), new ProviderTransactions(db)];
		const asked = { ...request, txId: randomUUID() };
		const begun = Promise.withResolvers<void>();
		const decision = Promise.withResolvers<Decided>();
		const slow = deposed.once('lantern', asked, () => {
			begun.resolve();
			return decision.promise;
		});
		await begun.promise;
		await successor.once('lantern', asked, async () => ({ outcome: { status: early } }));
		decision.resolve({ outcome: { status: late } });
		expect((await slow).outcome.status).toBe(kept);
		const again = await successor.once('lantern', asked, () => expect.unreachable());
		expect(again).toMatchObject({ outcome: { status: kept }, isRepeated: true });
	});
});

it('is told nothing from memory as soon as another process may lead', async () => {
	const own = await StudioSite.open(undefined, { commandRows: true });
	onTestFinished(() => own.close());
	const sessionToken = await own.session(await own.server.demoPlayer());
	const taking = await own.server.database.db.connect();
	await taking.query('begin; update lease set epoch = epoch + 1, batch = batch + 1000');
	let answeredAtMs = performance.now();
	const asking = (async () => {
		for (;;) {
			const { http } = await own.ask('balance', { sessionToken });
			if (http !== 200) return http;
			answeredAtMs = performance.now();
		}
	})();
	await expect.poll(() => performance.now() - answeredAtMs).toBeGreaterThan(300);
	await taking.query('commit');
	taking.release();
	expect(await asking).toBe(503);
});

const LIE = { userId: '999999999', currency: 'USD', gameCode: 'copper-ladder', roundId: 'another-round' } as const;

/** What a provider sends for a request of the slow wallet. */
function fieldsOf(request: SlowRequest, seats: readonly { player: Player; session: string }[]): object {
	const { lie } = request;
	return { ...trueFieldsOf(request, seats), ...(lie === null ? {} : { [lie]: LIE[lie] }) };
}

function trueFieldsOf(request: SlowRequest, seats: readonly { player: Player; session: string }[]): object {
	const { call, player, txId, refTxId, roundId, amount, winAmount, roundClosed } = request;
	const { session, player: asked } = seats[player] ?? expect.unreachable();
	const inSession = { txId, gameCode: 'lantern-cups', sessionToken: session };
	switch (call) {
		case 'bet':
			return { ...inSession, roundId, amount };
		case 'betwin':
			return { ...inSession, roundId, amount, winAmount };
		case 'freebet':
			return { ...inSession, roundId, campaignId: 'autumn' };
		case 'tip':
			return { ...inSession, amount };
		case 'win':
			return { txId, refTxId, roundId, amount, roundClosed };
		case 'rollback':
			return refTxId === null ? { txId, roundId } : { txId, refTxId };
		case 'endround':
			return { roundId };
		case 'adjust':
			return { txId, refTxId, amount };
		case 'promo':
			return { txId, userId: String(asked.userId), amount };
	}
}

/** So narrow that random requests reach each of them. */
const CAPS = { prize: 15_000, playerDay: 60_000, providerDay: 90_000 };
const LIMITS = { leastStake: 1_000, mostStaked: 1_000_000, mostPaid: 29_000_000, mostFree: 1_000_000, ...CAPS };

const CALLS = ['bet', 'bet', 'bet', 'freebet', 'tip', 'betwin', 'win', 'win', 'rollback', 'adjust', 'promo'] as const;
/** Below what an account can hold. */
const HUGE = 1_000_000_000_000;

/** The fields in which a call can say something that is not so; the round of a bet is what it says. */
function liesOf(call: SlowRequest['call'], isWhole: boolean): readonly Exclude<SlowRequest['lie'], null>[] {
	const fields = ['userId', 'currency', 'gameCode'] as const;
	if (call === 'win' || call === 'adjust' || (call === 'rollback' && !isWhole)) return [...fields, 'roundId'];
	return fields;
}

/** A request about few bets and rounds, so that most are about something that happened. */
function randomRequest(numbers: SeededNumbers, ids: readonly string[], rounds: readonly string[]): SlowRequest {
	const call = numbers.chance(5) ? 'endround' : numbers.from(CALLS);
	const isRare = numbers.chance(4);
	const amount = isRare ? HUGE : 1 + numbers.below(20_000);
	const isWhole = call === 'rollback' && numbers.chance(20);
	return {
		call,
		player: numbers.below(2),
		txId: numbers.from(ids),
		refTxId: isWhole ? null : numbers.from(ids),
		roundId: numbers.from(rounds),
		amount: call === 'adjust' && numbers.chance(50) ? -amount : amount,
		winAmount: numbers.below(20_000),
		roundClosed: numbers.chance(40),
		lie: numbers.chance(15) ? numbers.from(liesOf(call, isWhole)) : null,
	};
}

it.each(Array.from({ length: byForm(1, 60) }, (_, index) => 1 + index))(
	'random requests of every kind are answered as a slow wallet answers them, and lost or repeated ones as before (seed %i)',
	{ tags: 'thorough', timeout: 60_000 },
	async (seed) => {
		const site = await StudioSite.open(undefined, {}, CAPS);
		onTestFinished(() => site.close());
		const numbers = new SeededNumbers(seed);
		const seats = [await seated(site), await seated(site)];
		const slow = new SlowWallet([START, START], LIMITS);
		const ids = Array.from({ length: 60 }, () => randomUUID());
		const rounds = Array.from({ length: 8 }, () => randomUUID());
		const answered = new Map<string, { call: string; fields: object; text: string }>();
		for (let step = 0; step < 150; step++) {
			const request = randomRequest(numbers, ids, rounds);
			const { call, txId, refTxId } = request;
			const fields = fieldsOf(request, seats);
			const earlier = answered.get(txId);
			if (earlier && call !== 'endround') {
				expect((await site.ask(earlier.call, earlier.fields)).text).toBe(earlier.text);
				const changed = { ...earlier.fields, currency: 'XXX', amount: 12_345_678 };
				if (earlier.call === 'bet') expect((await site.ask('bet', changed)).status).toBe('DUPLICATE_TRANSACTION');
				continue;
			}
			// What names itself is no request.
			if (refTxId === txId) continue;
			const answer = await site.ask(call, fields);
			expect([step, request, answer.status]).toEqual([step, request, slow.ask(request)]);
			expect(seats.map(({ player }) => site.cash(player))).toEqual(slow.cash);
			if (answer.balance !== undefined) expect(answer.balance).toBeGreaterThanOrEqual(0);
			expect(Math.max(...slow.prizes)).toBeLessThanOrEqual(CAPS.playerDay);
			if (call === 'endround') continue;
			answered.set(txId, { call, fields, text: answer.text });
			if (answer.status !== 'OK' || numbers.chance(60)) continue;
			// A kill comes between the money and the answer: the same request moves nothing again.
			await site.server.database.db.query('update provider_transaction set outcome = null where tx_id = $1', [txId]);
			const { status, text } = await site.ask(call, fields);
			expect([step, request, status]).toEqual([step, request, 'OK']);
			expect(seats.map(({ player }) => site.cash(player))).toEqual(slow.cash);
			answered.set(txId, { call, fields, text });
		}
		await expectSound(site.server.database.db);
	},
);
