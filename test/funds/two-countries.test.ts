/**
 * Two brands on one server, one of the United Kingdom in pounds and one of Italy in euros, with a player of each: from the
 * instant at which both get their profiles, with a bet, a round and limits under way, over the end of summer time. Each
 * goes by its own rules, currency and clock, whatever the other one does.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import type { InputOf } from '#contract/call.ts';
import type { CallName, Calls } from '#contract/registry.ts';
import type { Currency } from '#values/currency-codes.ts';
import { HOME_POOLS, POOLS } from '#values/pools.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { expectSound } from '../support/audit.ts';
import { BrandDoor } from '../support/brand-door.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const BEGIN = '2026-10-24T10:00:00Z';
const SWITCHED = '2026-10-24T12:00:00Z';
/** What each has; the stakes of bets before the switch are no multiples of fifty cents. */
const STAKE = 1.2;
const DEPOSIT_LIMIT = 100;

let server: TestServer;

class Visitor {
	readonly door: BrandDoor;
	readonly #userName: string;
	readonly #password = randomBytes(12).toString('base64url');
	token = '';
	userId = 0;

	constructor(host: string) {
		this.door = new BrandDoor(server, host);
		this.#userName = `visitor-${randomBytes(6).toString('hex')}`;
	}

	async register(): Promise<void> {
		const brand = server.running.brands.byHost(this.door.host);
		if (!brand) throw new Error(`there is no brand of ${this.door.host}`);
		const asked = { userName: this.#userName, password: this.#password, brand };
		this.userId = (await server.running.players.createPlayer(asked)).playerId;
		await this.logIn();
	}

	async logIn(): Promise<void> {
		const form = { userNameOrEmailAddress: this.#userName, password: this.#password };
		this.token = (await this.door.result('authenticate', form)).accessToken;
	}

	async code<Name extends CallName>(name: Name, input: InputOf<Calls[Name]>): Promise<string | null> {
		return (await this.door.raw(name, input, this.token)).code;
	}

	result<Name extends CallName>(name: Name, input: InputOf<Calls[Name]>) {
		return this.door.result(name, input, this.token);
	}

	bet(match: TestMatch, changes: Record<string, unknown>): Promise<string | null> {
		return this.code('placeBetV2', betOn(match, changes));
	}

	flip(): Promise<string | null> {
		const bets = [{ bet: 'heads', stake: 1 }];
		return this.code('playRound', { game: 'coin-flip', bets, clientRequestId: freshRequestId() });
	}

	/** Refused, or in the balance. */
	async deposit(amount: number): Promise<string | null> {
		const before = this.cash;
		const { code } = await this.door.raw('generatePayment', { amount, clientRequestId: freshRequestId() }, this.token);
		if (code === null) await expect.poll(() => this.cash, { interval: 20 }).toBe(round(before + amount));
		return code;
	}

	get cash(): number {
		return server.money({ token: this.token, refreshToken: '', userId: this.userId })[0];
	}

	async usedOfDay(): Promise<number | undefined> {
		const { limits } = await this.result('getProtection', {});
		return limits.find(({ name }) => name === 'depositDay')?.used ?? undefined;
	}
}

interface Country {
	currency: Currency;
	profile: ProfileName;
	host: string;
	zone: string;
	player: Visitor;
	rival: Visitor;
}

const round = (amount: number): number => Math.round(amount * 100) / 100;
const now = () => server.running.exchange.now();
let britain: Country;
let italy: Country;
const both = (): readonly Country[] => [britain, italy];

async function country(about: Omit<Country, 'player' | 'rival'>): Promise<Country> {
	const { host, currency, zone } = about;
	await server.act('brand-add', { host, currency });
	await server.act('brand-set', { host, field: 'timeZone', value: zone });
	const [player, rival] = [new Visitor(host), new Visitor(host)];
	for (const visitor of [player, rival]) {
		await visitor.register();
		const { next } = await visitor.result('getSeeds', {});
		await visitor.result('rotateSeeds', { clientSeed: 'a-seed-of-two', commitment: next.commitment });
	}
	return { ...about, player, rival };
}

async function goTo(time: string): Promise<void> {
	vi.advanceTimersByTime(Math.max(0, Date.parse(time) - Date.now()));
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
	for (const { player, rival } of both()) for (const visitor of [player, rival]) await visitor.logIn();
}

beforeAll(async () => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	vi.setSystemTime(Date.parse(BEGIN));
	server = await TestServer.start(undefined, {
		payments: { orderMs: 300_000, simulatedDelayMs: 0, pollMs: 600_000, webhookKeys: {} },
		pools: [...HOME_POOLS, ...POOLS.filter((pool) => /-(GBP|EUR)$/.test(pool))],
	});
	britain = await country({ currency: 'GBP', profile: 'uk', host: 'pound.test', zone: 'Europe/London' });
	italy = await country({ currency: 'EUR', profile: 'italy', host: 'euro.test', zone: 'Europe/Rome' });
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
	vi.useRealTimers();
});

it('begins each profile at its instant, beside bets, rounds and limits under way', async () => {
	const match = await openTestMatch(server);
	for (const { player, rival, host, profile } of both()) {
		expect([await player.deposit(50), await rival.deposit(50)]).toEqual([null, null]);
		await player.result('setLimits', { depositDay: DEPOSIT_LIMIT, depositWeek: 1_000, depositMonth: 2_000 });
		expect(await player.bet(match, { price: 3, stake: STAKE })).toBeNull();
		const bets = [{ bet: '3', stake: 1 }];
		await player.result('playRound', { game: 'mines', bets, clientRequestId: freshRequestId() });
		await server.running.brands.chooseProfile(host, { profile, fromMs: Date.parse(SWITCHED) }, now());
	}
	await goTo('2026-10-24T11:59:00Z');
	expect(await italy.player.bet(match, { price: 3, stake: 0.7 })).toBeNull();
	await goTo('2026-10-24T12:00:01Z');
	// New stakes go by the country: Italy's are multiples of fifty cents.
	expect(await italy.player.bet(match, { price: 3, stake: 0.7 })).toBe('STAKE_STEP');
	expect(await britain.player.bet(match, { price: 3, stake: 0.7 })).toBeNull();
	// What stood before is matched as it was taken, 1.20 and 0.70 at 3.
	for (const { rival } of both()) expect(await rival.bet(match, { side: 'LAY', price: 3, stake: 2 })).toBeNull();
	const before = both().map(({ player }) => player.cash);
	await match.settle(0);
	// Twice the matched stake less two per cent, and the stake comes back.
	const won = both().map(({ player }, at) => round(player.cash - (before[at] ?? 0)));
	expect(won).toEqual([round(1.9 + 3.8 - 0.08), round(1.9 + 3.8 - 0.08)]);
	// The round goes on; the next one is slow in the United Kingdom alone.
	for (const { player } of both()) {
		const { rounds } = await player.result('getOpenRounds', {});
		const [open] = rounds;
		expect(open).toMatchObject({ game: 'mines', stake: 1 });
		const act = { roundId: open?.roundId ?? '', action: open?.next[0] ?? '', clientRequestId: freshRequestId() };
		expect(await player.code('actInRound', act)).toBeNull();
	}
	for (const { rival } of both()) expect(await rival.flip()).toBeNull();
	const next = [await britain.rival.flip(), await italy.rival.flip()];
	expect([next[0] === null, next[1]]).toEqual([false, null]);
});

it('counts a day of 25 hours by the calendar in London, and the last 24 hours in Rome', async () => {
	// Deposits of the switch's day count in Rome until they are 24 hours old.
	await goTo('2026-10-24T23:30:00Z');
	expect(await Promise.all(both().map(({ player }) => player.usedOfDay()))).toEqual([0, 50]);
	expect(await britain.player.deposit(60)).toBeNull();
	expect(await italy.player.deposit(60)).toBe('DEPOSIT_LIMIT');
	await goTo('2026-10-25T10:30:00Z');
	expect(await italy.player.deposit(60)).toBeNull();
	// London's clocks show 23:30 of the same day, 24 hours after the deposit.
	await goTo('2026-10-25T23:30:01Z');
	expect(await Promise.all(both().map(({ player }) => player.usedOfDay()))).toEqual([60, 60]);
	expect(await britain.player.deposit(50)).toBe('DEPOSIT_LIMIT');
	await goTo('2026-10-26T00:00:01Z');
	expect(await britain.player.deposit(50)).toBeNull();
	expect(await italy.player.deposit(50)).toBe('DEPOSIT_LIMIT');
	await goTo('2026-10-26T10:30:01Z');
	expect(await italy.player.deposit(50)).toBeNull();
});

it('reports each country by its own days and in its own money', async () => {
	const asked = { from: '2026-10-24', to: '2026-10-24', by: 'day' };
	const rows = await server.act<ResultOf<'report-profit'>>('report-profit', asked);
	const days = rows.map(({ group, pool, zone, playersWon }) => [group, pool, zone, typeof playersWon]);
	expect(days).toEqual([
		['2026-10-24', 'PLAY-EUR', 'Europe/Rome', 'number'],
		['2026-10-24', 'PLAY-GBP', 'Europe/London', 'number'],
	]);
});
