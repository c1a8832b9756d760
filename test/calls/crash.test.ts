import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { LEAST_CENTS } from '#games/crash/cash-outs.ts';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { centsAt, flightTable } from '#games/crash/flight.ts';
import { HubClient } from '../hub/hub-client.ts';
import { expectSound } from '../support/audit.ts';
import { CrashSite, POLL_MS, TABLE_SPEED } from '../support/crash.ts';
import { REFUSED_STAKES } from '../support/refused-stakes.ts';
import { type Player, TestServer } from '../support/server.ts';

type Bet = ResultOf<Calls['placeCrashBet']>['bet'];

/** Crashes that come after a press and before the test's patience ends, and crashes that come before any press. */
const LATE = [200, 400] as const;
const EARLY = [100, 130] as const;

let site: CrashSite;
let server: TestServer;
beforeAll(async () => {
	site = await CrashSite.open();
	server = site.server;
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

interface Asked {
	slot?: number;
	stake?: number;
	autoCents?: number | null;
	clientRequestId?: string;
}
const ask = (player: Player, { slot = 1, stake = 100, autoCents = null, clientRequestId = randomUUID() }: Asked = {}) =>
	server.raw('placeCrashBet', { slot, stake, autoCents, clientRequestId }, player.token);
async function placed(player: Player, asked: Asked = {}): Promise<Bet> {
	const { body } = await ask(player, asked);
	if (!body.result) throw new Error(JSON.stringify(body.error));
	return body.result.bet;
}
const cashOut = (player: Player, betId: string, clientRequestId = randomUUID()) =>
	server.call('cashOutCrash', { betId, clientRequestId }, player.token);
const mine = async (player: Player) => (await server.result('getCrash', {}, player.token)).mine;
const record = async (player: Player, betId: string) =>
	(await server.result('getRound', { roundId: betId }, player.token)).round;
/** The bet's result, when it is durable. */
async function ended(player: Player, { betId }: Bet) {
	await expect.poll(async () => (await record(player, betId)).state).not.toBe('OPEN');
	return record(player, betId);
}

/** Resolves when the player has heard that the round flies at a multiplier that pays. */
async function climbed({ token }: Player, round: string): Promise<void> {
	const hub = await HubClient.connect(server.url, token);
	await hub.subscribe('table:crash');
	await hub.message('CrashTick', (tick) => Number(tick.round) >= Number(round) && tick.cents >= LEAST_CENTS);
	await hub.stop();
}
/** The last tick of the round that was written down, in milliseconds of flight: where a restart cashes bets out. */
async function lastTick(round: string): Promise<number> {
	const { rows } = await server.database.db.query<{ tickMs: number | null }>(
		`select tick_ms as "tickMs" from table_round where game = 'crash' and round = $1`,
		[round],
	);
	return rows[0]?.tickMs ?? 0;
}
/** Resolves when a multiplier that pays was written down. */
const payingTick = (round: string) =>
	expect
		.poll(async () => centsAt(flightTable(), await lastTick(round)), { interval: POLL_MS })
		.toBeGreaterThanOrEqual(LEAST_CENTS);

const suspend = (isSuspended: boolean) =>
	server.operator('brand-set', { host: 'localhost', field: 'siteSuspended', value: String(isSuspended) });

describe('getCrash', () => {
	it('getCrash: success, for visitors too, with the round, the chain and the limits', async () => {
		const crash = await server.result('getCrash', {});
		expect(crash.chain).toMatchObject({ number: 1, returnPercent: 97, isDevelopment: false, firstRound: 1 });
		expect(crash.chain.commitment).toMatch(/^[0-9a-f]{64}$/);
		expect(crash).toMatchObject({ minStake: 10, maxStake: 100_000, mine: [] });
	});

	it('getCrash: refusal on a suspended site', async () => {
		await suspend(true);
		expect((await server.call('getCrash', {})).code).toBe('SITE_SUSPENDED');
		await suspend(false);
	});

	it('keeps the hash of a round secret until it has crashed, and shows it then', async () => {
		const player = await site.playerFor(LATE);
		const { round, commitment } = await site.opening();
		await placed(player);
		const flying = await site.reached('FLYING', Number(round) - 1);
		expect(flying).toMatchObject({ hash: null, crashCents: null, round, commitment });
		expect((await server.result('getCrashRound', { round })).hash).toBeNull();
		const crashed = await site.reached('CRASHED', Number(round) - 1);
		expect(previousHash(crashed.hash ?? '')).toBe(commitment);
		const { recent } = await server.result('getCrash', {});
		expect(recent[0]).toEqual({ round, cents: crashed.crashCents });
	});
});

describe('placeCrashBet', () => {
	it('placeCrashBet: success, two slots of one player in one round, and the stakes are taken', async () => {
		const player = await site.playerFor(LATE);
		const { round } = await site.opening();
		const [first, second, third] = await Promise.all([
			placed(player),
			placed(player, { slot: 2, stake: 50, autoCents: 150 }),
			ask(player),
		]);
		expect(first).toMatchObject({ round, slot: 1, stake: 100, autoCents: null, state: 'OPEN', payout: 0 });
		expect(second).toMatchObject({ round, slot: 2, autoCents: 150 });
		expect(server.money(player)).toEqual([19_850, 0]);
		expect(third.code).toBe('SLOT_TAKEN');
		expect(await mine(player)).toEqual([first, second]);
		const listed = () => server.result('getCrash', {}, player.token);
		await expect.poll(listed, { interval: 20 }).toMatchObject({ players: 1, stake: 150 });
		const { rows } = await listed();
		expect(rows.find(({ betId }) => betId === first.betId)).toMatchObject({ stake: 100, payout: 0 });
	});

	it.each<[string, Asked, string]>([
		...REFUSED_STAKES.map(([what, stake, code]): [string, Asked, string] => [what, { stake }, code]),
		['a third slot', { slot: 3 }, 'VALIDATION_FAILED'],
		['a target that never pays', { autoCents: 100 }, 'VALIDATION_FAILED'],
		['a target of parts of a hundredth', { autoCents: 150.5 }, 'VALIDATION_FAILED'],
		['a target beyond the end', { autoCents: 1_000_001 }, 'VALIDATION_FAILED'],
	])('placeCrashBet: refusal of %s, and nothing moves', async (_, asked, code) => {
		const player = await server.demoPlayer();
		expect((await ask(player, asked)).code).toBe(code);
		expect(server.money(player)).toEqual([20_000, 0]);
		expect(await mine(player)).toEqual([]);
	});

	it('placeCrashBet: not logged in', async () => {
		const request = { slot: 1 as const, stake: 10, clientRequestId: randomUUID() };
		expect((await server.call('placeCrashBet', request)).status).toBe(401);
	});

	it('refuses more than the balance, and leaves the slot free', { tags: 'thorough' }, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		expect((await ask(player, { stake: 20_001 })).code).toBe('INSUFFICIENT_FUNDS');
		expect(await placed(player)).toMatchObject({ state: 'OPEN' });
	});

	it('answers a repeated request with the first bet, also after the round, and another body under its id not at all', {
		tags: 'thorough',
	}, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const clientRequestId = randomUUID();
		const answers = await Promise.all(Array.from({ length: 10 }, () => placed(player, { clientRequestId })));
		expect(new Set(answers.map(({ betId }) => betId)).size).toBe(1);
		expect(server.money(player)).toEqual([19_900, 0]);
		expect((await ask(player, { stake: 200, clientRequestId })).code).toBe('REQUEST_ID_REUSED');
		const bet = answers[0] as Bet;
		expect(await ended(player, bet)).toMatchObject({ payout: 0 });
		expect(await placed(player, { clientRequestId })).toMatchObject({ betId: bet.betId, state: 'LOST' });
		expect(server.money(player)).toEqual([19_900, 0]);
	});

	it('keeps a bet that comes in flight for the next round, and places it once', { tags: 'thorough' }, async () => {
		const player = await site.playerFor(LATE);
		const { round } = await site.reached('FLYING');
		const clientRequestId = randomUUID();
		const waiting = await placed(player, { autoCents: 101, clientRequestId });
		expect(waiting).toMatchObject({ state: 'WAITING', round: '' });
		expect(await placed(player, { autoCents: 101, clientRequestId })).toEqual(waiting);
		expect((await ask(player)).code).toBe('SLOT_TAKEN');
		expect(server.money(player)).toEqual([20_000, 0]);
		await site.reached('FLYING', Number(round));
		const [bet] = await mine(player);
		expect(bet).toMatchObject({ slot: 1, stake: 100 });
		expect(Number(bet?.round)).toBeGreaterThan(Number(round));
		expect(await placed(player, { autoCents: 101, clientRequestId })).toMatchObject({ betId: bet?.betId });
	});

	it('forgets a waiting bet when its login ends', { tags: 'thorough' }, async () => {
		const player = await server.demoPlayer();
		const { round } = await site.reached('FLYING');
		await placed(player);
		await server.result('logout', {}, player.token);
		await site.reached('FLYING', Number(round));
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it('refuses a bet of a player who takes a break; one that is in the air can be cashed out', {
		tags: 'thorough',
	}, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player);
		await server.running.funds.protection.timeOut(player.userId, 24, { actor: 'test', address: null });
		expect((await ask(player, { slot: 2 })).code).toBe('TIMED_OUT');
		await site.reached('FLYING', Number(bet.round) - 1);
		await expect.poll(async () => (await cashOut(player, bet.betId)).status).toBe(200);
	});

	it('stops at the loss limit, also when both slots are asked for at once', { tags: 'thorough' }, async () => {
		const player = await site.playerFor(LATE);
		await server.running.funds.protection.limits.set(
			player.userId,
			{ lossDay: 15_000 },
			{ actor: 'test', address: null },
		);
		await site.opening();
		const answers = await Promise.all([ask(player), ask(player, { slot: 2 })]);
		expect(answers.map(({ code }) => code).sort()).toEqual(['LOSS_LIMIT', null]);
	});
});

it('placeCrashBet: success, a brand’s largest multiplier cashes out each later bet there', {
	tags: 'thorough',
}, async () => {
	const set = (value: string) => server.act('brand-set', { host: 'localhost', field: 'largestCrash', value });
	const player = await site.playerFor(LATE);
	await site.opening();
	const before = await placed(player, { autoCents: 399 });
	await set('2');
	const later = await placed(player, { slot: 2, autoCents: 390 });
	await set('null');
	expect([before.autoCents, later.autoCents]).toEqual([399, 200]);
	expect((await ended(player, later)).payout).toBe(200);
	const { crashCents: crash } = await site.reached('CRASHED', Number(before.round) - 1);
	expect((await ended(player, before)).payout).toBe((crash ?? 0) >= 399 ? 399 : 0);
});

describe('cancelCrashBet', () => {
	it('cancelCrashBet: success while bets are taken, once, and the slot is free again', async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const { betId } = await placed(player);
		const cancelled = await Promise.all(
			Array.from({ length: 5 }, () => server.call('cancelCrashBet', { betId }, player.token)),
		);
		for (const { body } of cancelled) expect(body.result).toEqual({ balance: 20_000, exposure: 0 });
		expect(await placed(player)).toMatchObject({ state: 'OPEN' });
		expect(server.money(player)).toEqual([19_900, 0]);
	});

	it('cancelCrashBet: success for a bet that waits', async () => {
		const player = await server.demoPlayer();
		await site.reached('FLYING');
		const { betId } = await placed(player);
		expect((await server.call('cancelCrashBet', { betId }, player.token)).status).toBe(200);
		expect(await mine(player)).toEqual([]);
	});

	it('cancelCrashBet: refusal in flight, and of somebody else’s bet', async () => {
		const [player, other] = [await site.playerFor(LATE), await server.demoPlayer()];
		await site.opening();
		const { betId, round } = await placed(player);
		expect((await server.call('cancelCrashBet', { betId }, other.token)).code).toBe('UNKNOWN_ORDER');
		await site.reached('FLYING', Number(round) - 1);
		expect((await server.call('cancelCrashBet', { betId }, player.token)).code).toBe('BETTING_CLOSED');
		expect(server.money(player)).toEqual([19_900, 0]);
	});

	it('cancelCrashBet: not logged in', async () => {
		expect((await server.call('cancelCrashBet', { betId: '1' })).status).toBe(401);
	});
});

describe('cashOutCrash', () => {
	it('cashOutCrash: success, paid by the multiplier of the receipt, once for parallel tabs and repeated requests', async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player, { stake: 137 });
		await climbed(player, bet.round);
		const ids = Array.from({ length: 6 }, () => randomUUID());
		const answers = await Promise.all([...ids, ...ids].map((id) => cashOut(player, bet.betId, id)));
		const paid = answers.filter(({ status }) => status === 200).map(({ body }) => body.result);
		// The one that came first, and its repetition.
		expect(paid).toHaveLength(2);
		expect(paid[1]?.bet).toEqual(paid[0]?.bet);
		const cents = paid[0]?.bet.cents ?? 0;
		expect(cents).toBeGreaterThan(100);
		expect(paid[0]?.bet).toMatchObject({ state: 'WON', cause: 'player', payout: Math.floor(137 * cents) / 100 });
		expect(answers.filter(({ code }) => code === 'ALREADY_CASHED_OUT')).toHaveLength(10);
		const winnings = Math.floor(137 * cents) / 100;
		for (const { balance } of paid as { balance: number }[]) expect(balance).toBeCloseTo(20_000 - 137 + winnings, 6);
		await expect.poll(() => server.money(player)[0]).toBeCloseTo(20_000 - 137 + winnings, 6);
		const { crashCents: crash } = await site.reached('CRASHED', Number(bet.round) - 1);
		expect(cents).toBeLessThanOrEqual(crash ?? 0);
		expect(await record(player, bet.betId)).toMatchObject({ state: 'SETTLED', payout: winnings });
	});

	it('cashOutCrash: refusal before the start, after the crash, and of somebody else’s bet', async () => {
		const [player, other] = [await site.playerFor(EARLY), await server.demoPlayer()];
		await site.opening();
		const bet = await placed(player);
		expect((await cashOut(player, bet.betId)).code).toBe('NOT_FLYING');
		expect((await cashOut(other, bet.betId)).code).toBe('UNKNOWN_ORDER');
		expect((await cashOut(other, 'w1')).code).toBe('NOT_FLYING');
		await site.reached('CRASHED', Number(bet.round) - 1);
		expect((await cashOut(player, bet.betId)).code).toBe('ROUND_CRASHED');
		expect(await ended(player, bet)).toMatchObject({ payout: 0, state: 'SETTLED' });
		await site.opening();
		expect((await cashOut(player, bet.betId)).code).toBe('ROUND_CRASHED');
		expect((await cashOut(other, bet.betId)).code).toBe('UNKNOWN_ORDER');
		expect(server.money(player)).toEqual([19_900, 0]);
	});

	it('is answered while the ledger stands still, and paid once when it goes on', { tags: 'thorough' }, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player);
		await climbed(player, bet.round);
		const ledger = await server.database.db.connect();
		await ledger.query('begin; select from lease for update');
		const { body } = await cashOut(player, bet.betId).finally(() => ledger.query('rollback'));
		ledger.release();
		const { payout } = body.result?.bet ?? expect.unreachable();
		expect(payout).toBeGreaterThan(100);
		expect(body.result?.balance).toBeCloseTo(19_900 + payout, 6);
		expect(await ended(player, bet)).toMatchObject({ state: 'SETTLED', payout });
		await site.reached('BETTING', Number(bet.round));
		expect(server.money(player)[0]).toBeCloseTo(19_900 + payout, 6);
		const { rows } = await server.database.db.query('select from table_decision');
		expect(rows).toEqual([]);
	});

	it('is told nobody before it is written down', { tags: 'thorough' }, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player);
		await climbed(player, bet.round);
		const { db } = server.database;
		const holder = await db.connect();
		await holder.query('begin; lock table table_decision in exclusive mode');
		const first = cashOut(player, bet.betId);
		const waiting = 'select from pg_locks where relation = $1::regclass and not granted';
		await expect.poll(async () => (await db.query(waiting, ['table_decision'])).rowCount).toBe(1);
		let isRefused = false;
		const second = cashOut(player, bet.betId).finally(() => {
			isRefused = true;
		});
		const shown = [await mine(player), await mine(player)];
		expect(isRefused).toBe(false);
		await holder.query('rollback');
		holder.release();
		const { payout } = (await first).body.result?.bet ?? expect.unreachable();
		expect(payout).toBeGreaterThan(100);
		expect((await second).code).toBe('ALREADY_CASHED_OUT');
		for (const [own] of shown) expect(own).toMatchObject({ state: 'OPEN', cents: null, payout: 0 });
		await ended(player, bet);
	});

	it('cashOutCrash: refusal of a token of another brand', async () => {
		const { token } = await server.demoPlayer();
		const response = await fetch(`${server.url.replace('localhost', '127.0.0.1')}/Casino/CrashCashOut`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
			body: JSON.stringify({ betId: '1', clientRequestId: randomUUID() }),
		});
		expect(response.status).toBe(401);
	});

	it('cashOutCrash: not logged in', async () => {
		expect((await server.call('cashOutCrash', { betId: '1', clientRequestId: randomUUID() })).status).toBe(401);
	});

	it('pays an automatic cash-out exactly its target, and nothing when the crash came before', {
		tags: 'thorough',
	}, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const reached = await placed(player, { autoCents: 150 });
		const missed = await placed(player, { slot: 2, autoCents: 401 });
		expect(await ended(player, reached)).toMatchObject({ payout: 150, outcome: { cents: 150 } });
		expect(await ended(player, missed)).toMatchObject({ payout: 0, outcome: { cents: null } });
		expect(server.money(player)).toEqual([19_950, 0]);
	});
});

describe('getCrashRound', () => {
	it('getCrashRound: success, and the round follows from what it says, without the server', async () => {
		const players = [await site.playerFor(LATE), await server.demoPlayer(), await server.demoPlayer()];
		for (const player of players.slice(1)) await server.beginSeeds(player);
		await site.opening();
		const bets: Bet[] = [];
		for (const player of players) bets.push(await placed(player, { autoCents: 101 }));
		const round = bets[0]?.round ?? '';
		await site.reached('CRASHED', Number(round) - 1);
		await expect.poll(async () => (await server.result('getCrashRound', { round })).hash).not.toBeNull();
		const proof = await server.result('getCrashRound', { round });
		const seeds = await Promise.all(players.map(({ token }) => server.result('getSeeds', {}, token)));
		expect(proof.bettorSeeds).toEqual(seeds.map((own) => own.seeds?.clientSeed));
		expect(previousHash(proof.hash ?? '')).toBe(proof.previousHash);
		const { salt, returnPercent } = proof.chain;
		const { hash, bettorSeeds } = proof;
		expect(crashCents({ hash: hash ?? '', salt, bettorSeeds, returnPercent })).toBe(proof.crashCents);
		expect(site.crashOf(Number(round), bettorSeeds)).toBe(proof.crashCents);
	});

	it('takes the seed that a player had before the window opened', { tags: 'thorough' }, async () => {
		const player = await site.playerFor(LATE);
		const { seeds } = await server.result('getSeeds', {}, player.token);
		const { round } = await site.opening();
		await server.beginSeeds(player, 'chosen-too-late');
		await placed(player, { autoCents: 101 });
		await site.reached('CRASHED', Number(round) - 1);
		await expect
			.poll(async () => (await server.result('getCrashRound', { round })).bettorSeeds)
			.toEqual([seeds?.clientSeed]);
	});

	it('getCrashRound: refusal of a round that there is not', async () => {
		for (const round of ['0', 'x', '999999'])
			expect((await server.call('getCrashRound', { round })).code).toBe('UNKNOWN_ROUND');
	});
});

describe('a restart', () => {
	const again = async () => {
		site = await site.restarted();
		server = site.server;
	};

	it('gives the stakes back of a round that took bets, and reveals its hash all the same', {
		tags: 'thorough',
	}, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player);
		await again();
		expect(await ended(player, bet)).toMatchObject({ state: 'VOID', payout: 100, result: 'Interrupted' });
		expect(server.money(player)).toEqual([20_000, 0]);
		const proof = await server.result('getCrashRound', { round: bet.round });
		expect(proof).toMatchObject({ isVoid: true, isInterrupted: true, crashCents: null });
		expect(previousHash(proof.hash ?? '')).toBe(proof.previousHash);
		expect((await mine(player))[0]).toMatchObject({ betId: bet.betId, state: 'VOID', isInterrupted: true });
		await site.opening();
		const next = await placed(player, { autoCents: 101 });
		expect((await mine(player)).map(({ betId }) => betId)).toEqual([next.betId]);
		expect(Number(next.round)).toBeGreaterThan(Number(bet.round));
	});

	it('settles a round in flight by its result: targets exactly, others at the last tick that was written', async () => {
		const player = await site.playerFor([300, 2_000]);
		await site.opening();
		const [auto, manual] = [await placed(player, { autoCents: 300 }), await placed(player, { slot: 2 })];
		await payingTick(auto.round);
		await again();
		expect(await ended(player, auto)).toMatchObject({ payout: 300, outcome: { cents: 300 } });
		const cashedOut = await ended(player, manual);
		const cents = (cashedOut.outcome as { cents: number }).cents;
		expect(cents).toBe(centsAt(flightTable(), await lastTick(manual.round)));
		expect(cents).toBeGreaterThanOrEqual(LEAST_CENTS);
		expect(cents).toBeLessThan(300);
		expect(cashedOut).toMatchObject({ payout: cents, result: expect.stringContaining('interrupted') });
		expect(server.money(player)[0]).toBeCloseTo(19_800 + 300 + cents, 6);
	});

	it('pays a cash-out that was answered before it was paid', async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const [pressed, other] = [await placed(player), await placed(player, { slot: 2 })];
		await climbed(player, pressed.round);
		const successor = await server.database.db.connect();
		await successor.query('begin; update lease set epoch = epoch + 1, batch = batch + 1000');
		const clientRequestId = randomUUID();
		const { body } = await cashOut(player, pressed.betId, clientRequestId);
		await successor.query('commit');
		successor.release();
		const { payout, cents } = body.result?.bet ?? expect.unreachable();
		await again();
		expect(await ended(player, pressed)).toMatchObject({ payout, outcome: { cents } });
		const rest = await ended(player, other);
		expect(server.money(player)[0]).toBeCloseTo(19_800 + payout + rest.payout, 6);
		expect((await cashOut(player, pressed.betId, clientRequestId)).body.result?.bet).toMatchObject({ payout, cents });
		expect((await mine(player)).map(({ betId }) => betId)).not.toContain(pressed.betId);
	});

	it('leaves what it cannot pay to the next one, when it is deposed before it has ended a round', {
		tags: 'thorough',
	}, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player);
		await payingTick(bet.round);
		await server.stop();
		const { db } = server.database;
		const holder = await db.connect();
		await holder.query('begin; lock table table_decision');
		const deposed = await TestServer.start(server.database, { tableSpeed: TABLE_SPEED });
		const waiting = `select from pg_locks where relation = 'table_decision'::regclass and not granted`;
		await expect.poll(async () => (await db.query(waiting)).rowCount).toBe(1);
		await db.query('update lease set epoch = epoch + 1, batch = batch + 1000');
		await holder.query('rollback');
		holder.release();
		// What it tries to pay is refused.
		await expect.poll(() => deposed.running.exchange.isOpen()).toBe(false);
		server = deposed;
		site = await site.restartedAfter(deposed);
		server = site.server;
		const { payout, state } = await ended(player, bet);
		expect([state, payout]).toEqual(['SETTLED', centsAt(flightTable(), await lastTick(bet.round))]);
		expect(server.money(player)[0]).toBeCloseTo(19_900 + payout, 6);
	});

	it('ends a flight whose server no longer ran the game, and that server answered no cash-out', {
		tags: 'thorough',
	}, async () => {
		const player = await site.playerFor(LATE);
		await site.opening();
		const bet = await placed(player);
		await payingTick(bet.round);
		// The process made this chain when an older one was used up, and stays the owner of that one.
		await server.database.db.query(
			`with older as (
				insert into game_chain select (jsonb_populate_record(chain, '{ "number": 0, "is_logged": false }')).*
				from game_chain as chain where game = 'crash'
			) update game_chain set owner = 'another process' where game = 'crash'`,
		);
		expect((await cashOut(player, bet.betId)).code).toBe('OUTCOME_UNKNOWN');
		await again();
		const { payout } = await ended(player, bet);
		expect(payout).toBe(centsAt(flightTable(), await lastTick(bet.round)));
		expect(server.money(player)[0]).toBeCloseTo(19_900 + payout, 6);
		const { rows } = await server.database.db.query<{ data: object }>('select data from workflow where id = $1', [
			bet.betId,
		]);
		expect(rows).toMatchObject([{ data: { outcome: { interrupted: true } } }]);
	});
});
