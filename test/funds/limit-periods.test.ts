/**
 * The periods of limits in random sequences of deposits and rounds: around midnight of India, of UTC and of the server's
 * own zone, around ends of months and changes to summer time, while the wall clock is set forwards and backwards. A period
 * is the time before now, however a calendar divides it. What the site shows is what is enforced, and both are what a list
 * of the deposits and results says.
 */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { GameWallet } from '#server/money/casino/game-wallet.ts';
import { Losses } from '#server/money/funds/protection/losses.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { freshRequestId } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { PaymentDesk } from './payment-desk.ts';

const desk = new PaymentDesk(() => server);
const SECOND_MS = 1_000;
const PERIODS = { DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS } as const;
type Period = keyof typeof PERIODS;
type SignedUp = Awaited<ReturnType<typeof signUp>>;
const DEPOSITED: Record<Period, number> = { DAY: 2_000, WEEK: 5_000, MONTH: 9_000 };
const LOST = 150;
const LEAST_DEPOSIT = 100;
const STEPS = 18;

let server: TestServer;
/** How far the wall clock is ahead of the time that passed. */
let setByMs = 0;
const OWN_ZONE = process.env['TZ'];

beforeAll(async () => {
	// Both clocks run on, and jump when a test says so: `pass` moves both, `setWall` the wall clock alone.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	vi.setSystemTime(Date.parse('2027-03-26T12:00:00Z'));
	server = await TestServer.start(undefined, {
		payments: { orderMs: 300_000, simulatedDelayMs: 0, pollMs: 600_000, webhookKeys: {} },
	});
});
afterEach(() => setWall(0));
afterAll(async () => {
	await server.dispose();
	vi.useRealTimers();
	if (OWN_ZONE === undefined) delete process.env['TZ'];
	else process.env['TZ'] = OWN_ZONE;
});

const trueMs = (): number => Date.now() - setByMs;
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time: it has seen this time pass before the wall clock is set.
	server.running.funds.ledger.now();
}
function setWall(byMs: number): void {
	vi.setSystemTime(trueMs() + byMs);
	setByMs = byMs;
}

interface Happened {
	atMs: number;
	/** Rupees. */
	amount: number;
}
const sumSince = (happened: Iterable<Happened>, period: Period): number =>
	[...happened].reduce((sum, { atMs, amount }) => (atMs >= trueMs() - PERIODS[period] ? sum + amount : sum), 0);

const minorOnly = (amount: number): number => Math.round(amount * 100) / 100;

/** One player with the player's own list of deposits and results. */
class Walker {
	readonly #player: SignedUp;
	readonly deposits: Happened[] = [];
	/** The pending receipt, rupees: it is credited whenever an operator approves it, so it counts now. */
	#receipt: { id: number; amount: number } | null = null;
	/** By hour: rounds of an hour count until the last of them is as old as the period. */
	readonly results = new Map<number, Happened>();
	readonly codes = new Set<string | null>();

	constructor(player: SignedUp) {
		this.#player = player;
	}

	/** The login has ended when the wall clock says so. */
	async logIn(): Promise<void> {
		if ((await server.call('getProtection', {}, this.#player.token)).code !== 'LOGIN_EXPIRED') return;
		const form = { userNameOrEmailAddress: this.#player.userName, password: PASSWORD };
		this.#player.token = (await server.result('authenticate', form)).accessToken;
	}

	async shown() {
		const { deposit } = await server.result('getPaymentInfo', {}, this.#player.token);
		const { limits } = await server.result('getProtection', {}, this.#player.token);
		const usedOf = (name: string) => limits.find((limit) => limit.name === name)?.used;
		return {
			used: Object.fromEntries(deposit.limits.map(({ period, used }) => [period, used])),
			max: deposit.max,
			inSettings: { DAY: usedOf('depositDay'), WEEK: usedOf('depositWeek'), MONTH: usedOf('depositMonth') },
			lost: usedOf('lossDay'),
		};
	}

	expected() {
		const used = { DAY: 0, WEEK: 0, MONTH: 0 };
		for (const period of Object.keys(used) as Period[])
			used[period] = sumSince(this.deposits, period) + (this.#receipt?.amount ?? 0);
		const left = (Object.keys(used) as Period[]).map((period) => Math.max(0, DEPOSITED[period] - used[period]));
		return {
			used,
			max: Math.min(...left),
			inSettings: used,
			lost: Math.max(0, -minorOnly(sumSince(this.results.values(), 'DAY'))),
		};
	}

	async deposit(amount: number): Promise<void> {
		const { max } = this.expected();
		const { token } = this.#player;
		const { body, code } = await server.call('generatePayment', { amount, clientRequestId: freshRequestId() }, token);
		expect([amount, max, code]).toEqual([amount, max, amount <= max ? null : 'DEPOSIT_LIMIT']);
		this.codes.add(code);
		const orderId = body.result?.orderId;
		if (!orderId) return;
		this.deposits.push({ atMs: trueMs(), amount });
		const status = async () => (await server.result('checkPayment', { orderId }, token)).status;
		await expect.poll(status, { timeout: 30_000, interval: 20 }).toBe('SUCCESS');
	}

	/** Reports a receipt of all that there is room for, or a part; an operator approves it at some later time. */
	async receipt(numbers: SeededNumbers): Promise<void> {
		if (this.#receipt === null) {
			const amount = Math.min(this.expected().max, LEAST_DEPOSIT + numbers.below(800));
			if (amount < LEAST_DEPOSIT) return;
			this.#receipt = { id: await desk.waitingReceipt(this.#player, amount), amount };
		} else if (numbers.chance(40)) {
			const { id, amount } = this.#receipt;
			expect(await desk.decide('DEPOSIT', id, 'approve')).toBe('APPROVED');
			this.deposits.push({ atMs: trueMs(), amount });
			this.#receipt = null;
		}
	}

	async play(stake: number): Promise<void> {
		const { lost } = this.expected();
		const [before] = server.money(this.#player);
		const round = { game: 'dice', bets: [{ stake, bet: 'under-5000' }], clientRequestId: freshRequestId() };
		const { code } = await server.raw('playRound', round, this.#player.token);
		expect([stake, lost, code]).toEqual([stake, lost, lost + stake <= LOST ? null : 'LOSS_LIMIT']);
		this.codes.add(code);
		if (code !== null) return;
		const atMs = trueMs();
		const hour = Math.floor(atMs / HOUR_MS);
		const amount = (this.results.get(hour)?.amount ?? 0) + server.money(this.#player)[0] - before;
		this.results.set(hour, { atMs, amount });
	}
}

/** Longer than a step takes: nearer to an edge, the player's list and the server may read the clock on its two sides. */
const CLEAR_MS = 15 * SECOND_MS;

/** To the edge of a day in some zone, or of a period of an earlier deposit or result: some seconds before it or after it. */
function timeToPass(numbers: SeededNumbers, { deposits, results }: Walker): number {
	const side = numbers.from([-2 * CLEAR_MS, 2 * CLEAR_MS]);
	const now = trueMs();
	const until = (offsetMs: number) => DAY_MS - ((now + offsetMs) % DAY_MS);
	const earlier = [...deposits, ...results.values()];
	const edges = earlier.flatMap(({ atMs }) => Object.values(PERIODS).map((periodMs) => atMs + periodMs - now));
	const midnights = [until(5.5 * HOUR_MS), until(0), until(-new Date().getTimezoneOffset() * 60_000)];
	const next = numbers.from([...midnights, ...edges.filter((ms) => ms > HOUR_MS), numbers.below(6) * HOUR_MS]);
	let wait = Math.max(0, next + side);
	// The same side of midnight a period later would be the very edge of what happened there.
	while (edges.some((edge) => Math.abs(edge - wait) < CLEAR_MS)) wait += CLEAR_MS;
	return wait;
}

it.each([
	['India', 'Asia/Kolkata', 1, 0],
	['the east of America', 'America/New_York', 2, 210],
	['the other side of the date line', 'Pacific/Apia', 3, 120],
] as const)(
	'are enforced as they are shown, with a server in %s',
	{ tags: 'thorough' },
	async (_, zone, seed, daysLater) => {
		process.env['TZ'] = zone;
		pass(daysLater * DAY_MS);
		const numbers = new SeededNumbers(seed);
		const ofReceipts = new SeededNumbers(seed + 100);
		const player = await signUp(server);
		await server.beginSeeds(player);
		const walker = new Walker(player);
		const { DAY: depositDay, WEEK: depositWeek, MONTH: depositMonth } = DEPOSITED;
		await server.result('setLimits', { depositDay, depositWeek, depositMonth, lossDay: LOST }, player.token);
		for (let step = 0; step < STEPS; step++) {
			pass(timeToPass(numbers, walker));
			// A clock that is set forwards empties no limit, and one that is set backwards fills none.
			setWall(numbers.chance(40) ? numbers.from([-31, -8, -1.1, 1.1, 8, 31]) * DAY_MS : 0);
			await walker.logIn();
			expect(await walker.shown()).toEqual(walker.expected());
			const { max } = walker.expected();
			const deposit = numbers.from([max, max + 1, LEAST_DEPOSIT + numbers.below(1_500)]);
			if (deposit >= LEAST_DEPOSIT) await walker.deposit(deposit);
			if (ofReceipts.chance(50)) await walker.receipt(ofReceipts);
			for (let round = 0; round < 3; round++) await walker.play(20 + numbers.below(100));
			setWall(0);
		}
		expect([...walker.codes].toSorted()).toEqual(['DEPOSIT_LIMIT', 'LOSS_LIMIT', null].toSorted());
	},
);

it('a break ends, and a raised limit can be confirmed, when the time has passed and not when the clock is set', async () => {
	const player = await signUp(server);
	await server.beginSeeds(player);
	const play = async () =>
		(
			await server.raw(
				'playRound',
				{ game: 'dice', bets: [{ stake: 20, bet: 'under-5000' }], clientRequestId: freshRequestId() },
				player.token,
			)
		).code;
	const confirm = async () => (await server.call('confirmLimit', { name: 'stake' }, player.token)).code;
	await server.result('setLimits', { stake: 50 }, player.token);
	await server.result('setLimits', { stake: 500 }, player.token);
	await server.result('takeTimeOut', { hours: 24 }, player.token);
	const walker = new Walker(player);
	setWall(25 * HOUR_MS);
	await walker.logIn();
	expect([await play(), await confirm()]).toEqual(['TIMED_OUT', 'WRONG_STATE']);
	setWall(0);
	pass(DAY_MS + SECOND_MS);
	await walker.logIn();
	expect(await confirm()).toBeNull();
	expect(await play()).toBeNull();
});

it('of losses gain no room by a stake that comes back after the day in which it was placed', async () => {
	// Rounds that are left end when the test says so.
	await server.running.casino.leftRounds.stop();
	const player = await signUp(server);
	await server.beginSeeds(player);
	await server.result('setLimits', { lossDay: LOST }, player.token);
	const walker = new Walker(player);
	const play = async (game: string, bet: string, stake: number) =>
		(await server.raw('playRound', { game, bets: [{ bet, stake }], clientRequestId: freshRequestId() }, player.token))
			.code;
	expect(await play('mines', '1', LOST)).toBeNull();
	pass(DAY_MS + 60 * SECOND_MS);
	await walker.logIn();
	// No field was opened, and the stake may still be lost.
	expect([(await walker.shown()).lost, await play('dice', 'under-5000', 20)]).toEqual([LOST, 'LOSS_LIMIT']);
	await server.running.casino.leftRounds.check(server.running.exchange.now());
	expect(server.money(player)[0]).toBe(20_000);
	expect((await walker.shown()).lost).toBe(0);
	expect(await play('mines', '1', LOST + 1)).toBe('LOSS_LIMIT');
	expect(await play('mines', '1', LOST)).toBeNull();
});

interface WalkedRound {
	id: number;
	state: 'OPEN' | 'SETTLED' | 'VOID';
	/** Minor units. */
	net: number;
	stake: number;
}

/** Rounds of one wallet that stay open for days, with the walk's own list of what was gained when. */
class RoundWalk {
	readonly #wallet = new GameWallet(server.running.exchange);
	readonly #numbers: SeededNumbers;
	readonly #player: { walletId: SignedUp['userId']; pool: 'PLAY' };
	readonly #rounds: WalkedRound[] = [];
	readonly #results = new Map<number, { atMs: number; net: number }>();

	constructor(numbers: SeededNumbers, walletId: SignedUp['userId']) {
		this.#numbers = numbers;
		this.#player = { walletId, pool: 'PLAY' };
	}

	lost(periodMs: number, nowMs: number): number {
		const ended = [...this.#results.values()].filter(({ atMs }) => atMs >= nowMs - periodMs);
		const open = this.#rounds.filter(({ state }) => state === 'OPEN').map(({ net }) => ({ net: Math.min(0, net) }));
		return Math.max(0, -[...ended, ...open].reduce((sum, { net }) => sum + net, 0));
	}

	#gained(net: number, atMs: number): void {
		const hour = Math.floor(atMs / HOUR_MS);
		this.#results.set(hour, { atMs, net: (this.#results.get(hour)?.net ?? 0) + net });
	}

	async step(): Promise<void> {
		const numbers = this.#numbers;
		const bets = [{ bet: '1', stake: 100, payout: 0 }];
		const shown = { stake: 100, payout: 0, actions: [], result: '', outcome: null };
		const data = { game: 'mines', bets, ...shown, pair: 1, nonce: 0 };
		const atRisk = { game: 'mines', round: null, amount: 100 };
		const amount = 100 + 100 * numbers.below(50);
		const round = numbers.chance(50) ? numbers.from(this.#rounds) : undefined;
		if (!round) {
			const stake = amount;
			const { workflows = [] } = await this.#wallet.bet(this.#player, { data, stake }, {});
			this.#rounds.push({ id: workflows[0]?.id ?? 0, state: 'OPEN', net: -stake, stake });
			return;
		}
		if (round.state !== 'OPEN') {
			// A correction counts at its own time.
			const change = numbers.from([amount, -amount]);
			const claims = [`walked:${freshRequestId()}`];
			const { atMs } = await this.#wallet.adjust(this.#player, round, { data, amount: change, claims });
			return this.#gained(change, atMs);
		}
		const how = numbers.from(['act', 'settle', 'rollback'] as const);
		if (how === 'act') {
			const paid = numbers.from([{ stake: amount }, { payout: amount }]);
			await this.#wallet.act(this.#player, round.id, { data, ...paid }, {});
			round.net += 'stake' in paid ? -paid.stake : paid.payout;
			return;
		}
		const payout = how === 'settle' ? numbers.from([0, amount]) : round.stake;
		const step = { data, payout };
		const { atMs } =
			how === 'settle'
				? await this.#wallet.settle(this.#player, round.id, { ...step, atRisk }, {})
				: await this.#wallet.rollback(this.#player, round.id, step, {});
		round.state = how === 'settle' ? 'SETTLED' : 'VOID';
		this.#gained(round.net + payout, atMs);
	}
}

it('count rounds that stay open for days as the tables do, in memory and after a restart', async () => {
	const [db, clock] = [server.database.db, () => server.running.exchange.now()];
	await server.running.casino.leftRounds.stop();
	const player = await signUp(server);
	const numbers = new SeededNumbers(7);
	const walk = new RoundWalk(numbers, player.userId);
	// Some rounds are open when the limit is set.
	for (let step = 0; step < 6; step++) await walk.step();
	await server.result('setLimits', { lossMonth: 90_000 }, player.token);
	for (let step = 0; step < 60; step++) {
		pass(numbers.below(36) * HOUR_MS + numbers.below(3_600) * SECOND_MS);
		for (let act = numbers.below(4); act > 0; act--) await walk.step();
		const restarted = new Losses(db, clock);
		await restarted.follow([player.userId]);
		const periods = Object.keys(PERIODS) as Period[];
		const own = periods.map((period) => walk.lost(PERIODS[period], clock()));
		expect(periods.map((period) => server.running.funds.protection.limits.lost(player.userId, period))).toEqual(own);
		expect(periods.map((period) => restarted.lost([player.userId], period))).toEqual(own);
	}
});
