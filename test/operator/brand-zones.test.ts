/**
 * Two brands on one server, each with days of its own, over the changes of London's clocks: coins, exclusions, the win of
 * the day, profit and loss, reports and postings go by the zone of the player's brand. The expected figures come from the list
 * of rounds that the test played, grouped by another calendar than the server's.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OperatorInput, OperatorResult } from '#contract/operators/operator-call.ts';
import type { ConsoleCallName, OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { CALLS } from '#contract/registry.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { adjust } from '../support/adjustment.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { bearer, TestServer } from '../support/server.ts';
import { PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type ResultOf<Name extends ConsoleCallName> = OperatorResult<(typeof OPERATOR_CALLS)[Name]>;
type InputOf<Name extends ConsoleCallName> = OperatorInput<(typeof OPERATOR_CALLS)[Name]>;

const LONDON = 'Europe/London';
const INDIA = 'Asia/Kolkata';
const STAKE = 100;

interface ZonedPlayer {
	zone: string;
	host: string;
	url: string;
	token: string;
	userId: number;
	userName: string;
}

interface Played {
	atMs: number;
	zone: string;
	/** What the player won, in hundredths. */
	won: number;
}

let server: TestServer;
let owner: ConsoleClient;
let inLondon: ZonedPlayer;
let inIndia: ZonedPlayer;
const rounds: Played[] = [];

const send = async <Result>(
	{ url, token }: Pick<ZonedPlayer, 'url' | 'token'>,
	name:
		| 'claimDailyCoins'
		| 'getDailyCoins'
		| 'playRound'
		| 'getSeeds'
		| 'rotateSeeds'
		| 'getCasinoGames'
		| 'placeBetV2'
		| 'getUserProfitLoss'
		| 'authenticate',
	input: object = {},
) => {
	const { method, path } = CALLS[name];
	const headers = { 'Content-Type': 'application/json', ...bearer(token) };
	return await server.send<Result>(`/${path}`, { method, body: JSON.stringify(input), headers }, url);
};

/** Both clocks move there, as time passes; logins have ended meanwhile. */
async function goTo(time: string): Promise<void> {
	vi.advanceTimersByTime(Math.max(0, Date.parse(time) - Date.now()));
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
	for (const player of [inLondon, inIndia]) {
		const form = { userNameOrEmailAddress: player.userName, password: PASSWORD };
		const { body } = await send<{ accessToken: string }>(player, 'authenticate', form);
		player.token = body.result?.accessToken ?? '';
	}
}

async function logIn(): Promise<void> {
	owner = new ConsoleClient(server.url);
	await owner.result('log-in', { name: 'owner', password: PASSWORD });
}

async function play(player: ZonedPlayer): Promise<void> {
	const input = { game: 'coin-flip', bets: [{ bet: 'heads', stake: STAKE }], clientRequestId: randomUUID() };
	const { body, code } = await send<{ round: { stake: number; payout: number } }>(player, 'playRound', input);
	if (!body.result) throw new Error(String(code));
	const { stake, payout } = body.result.round;
	rounds.push({ atMs: Date.now(), zone: player.zone, won: Math.round((payout - stake) * 100) });
}

async function beginSeeds(player: ZonedPlayer): Promise<void> {
	const { body } = await send<{ next: { commitment: string } }>(player, 'getSeeds');
	const { commitment } = body.result?.next ?? {};
	const { code } = await send(player, 'rotateSeeds', { clientSeed: 'a-seed-of-the-test', commitment });
	expect(code).toBeNull();
}

beforeAll(async () => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	vi.setSystemTime(Date.parse('2026-10-24T20:00:00Z'));
	server = await TestServer.start();
	const by = { actor: 'test', address: null };
	const passwordHash = await hashPassword(PASSWORD);
	await server.running.staff.directory.add({ name: 'owner', passwordHash, roles: ['owner'], brands: null }, by);
	await server.act('brand-set', { host: 'localhost', field: 'timeZone', value: LONDON });
	const london = await signUp(server);
	inLondon = { ...london, zone: LONDON, host: 'localhost', url: server.url };
	const india = await signUpElsewhere(server, '+919000099999', { proves: false });
	inIndia = { ...india, zone: INDIA, host: '127.0.0.1' };
	for (const player of [inLondon, inIndia]) await beginSeeds(player);
});
afterAll(async () => {
	await server.dispose();
	vi.useRealTimers();
});

const asked = <Name extends ConsoleCallName>(name: Name, input: InputOf<Name>) =>
	owner.result<ResultOf<Name>>(name, input as object);

/** Another calendar: 2026-10-25 01:00, as Sweden writes it. */
const hourOf = ({ atMs, zone }: Played): string => {
	const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
	return `${format.format(atMs).slice(0, 13)}:00`;
};

function sumsBy(nameOf: (round: Played) => string): [name: string, zone: string, won: number][] {
	const groups = Map.groupBy(rounds, (round) => `${nameOf(round)}|${round.zone}`);
	return [...groups]
		.map(([key, own]): [string, string, number] => {
			const [name = '', zone = ''] = key.split('|');
			return [name, zone, own.reduce((sum, { won }) => sum + won, 0)];
		})
		.sort();
}

it('refuses what is no time zone', async () => {
	const set = (value: string) => server.operator('brand-set', { host: 'localhost', field: 'timeZone', value });
	for (const value of ['London', '+01:00', 'Europe/Nowhere']) expect((await set(value)).code).toBe('VALIDATION_FAILED');
});

it('the win of the day is of the brand’s own day', async () => {
	const biggest = async (player: ZonedPlayer) => {
		const { body } = await send<{ live: { biggestWin: { payout: number } | null } }>(player, 'getCasinoGames');
		return body.result?.live.biggestWin ?? null;
	};
	const isWon = () => rounds.some(({ won }) => won > 0);
	while (!isWon()) await play(inLondon);
	expect([await biggest(inLondon), await biggest(inIndia)]).toEqual([await biggest(inLondon), await biggest(inLondon)]);
	expect(await biggest(inIndia)).not.toBeNull();
	// In India the next day began at 18:30 of UTC; there it is over 23 hours later than for London.
	await goTo('2026-10-25T00:30:00Z');
	expect([await biggest(inLondon), (await biggest(inIndia)) === null]).toEqual([null, false]);
});

it('reports have each brand’s results in its own days and hours, and the postings behind them', async () => {
	// Twice one o'clock in London, both sides of India's midnight, and the hour that only London's day of 25 hours has.
	for (const clock of ['00:30', '01:30', '18:29', '18:31', '22:30', '23:30']) {
		await goTo(`2026-10-25T${clock}:00Z`);
		for (const player of [inLondon, inIndia]) await play(player);
	}
	await goTo('2026-10-26T00:30:00Z');
	for (const player of [inLondon, inIndia]) await play(player);
	await logIn();
	const period = { from: '2026-10-23', to: '2026-10-28' };
	const rowsOf = async (by: 'day' | 'hour') =>
		(await asked('report-profit', { ...period, by }))
			.map(({ group, zone, playersWon }) => [group, zone, Math.round(playersWon * 100)])
			.sort();
	const wonIn = async (span: string, of: { zone?: string; brand?: string }) => {
		const asks = { from: span, to: span, ...of, kind: 'CASINO', account: 'cash' };
		const { credits, debits } = await asked('postings', asks);
		return Math.round((credits - debits) * 100);
	};
	const dayName = (round: Played) => hourOf(round).slice(0, 10);
	for (const [by, nameOf] of [['hour', hourOf] as const, ['day', dayName] as const]) {
		const sums = sumsBy(nameOf);
		expect(await rowsOf(by)).toEqual(sums);
		for (const [span, zone, won] of sums) {
			const brand = zone === LONDON ? inLondon.host : inIndia.host;
			expect([span, zone, await wonIn(span, { zone }), await wonIn(span, { brand })]).toEqual([span, zone, won, won]);
		}
	}
	// Today has the last hours of both.
	const { hours } = await asked('today', {});
	const isOfToday = ({ atMs }: Played) => atMs >= Date.parse('2026-10-25T00:59:00Z');
	const ofToday = rounds.filter(isOfToday).map((round) => `${hourOf(round)} ${round.zone}`);
	const zoneOf = (host: string) => (host === inLondon.host ? LONDON : INDIA);
	expect(new Set(hours.map(({ hour, host }) => `${hour} ${zoneOf(host)}`))).toEqual(new Set(ofToday));
});

it('an exclusion of six months ends by the clocks of the player’s brand', async () => {
	await goTo('2027-01-15T12:00:00Z');
	const endOf = async (player: Pick<ZonedPlayer, 'userId'>) => {
		const { protection } = server.running.funds;
		await protection.exclude(player.userId, 6, { actor: 'test', address: null });
		return new Date(Math.floor((protection.of(player.userId).excludedUntilMs ?? 0) / 60_000) * 60_000).toISOString();
	};
	const elsewhere = await signUpElsewhere(server, '+919000099998', { proves: false });
	expect(await endOf(await signUp(server))).toBe('2027-07-15T11:00:00.000Z');
	expect(await endOf(elsewhere)).toBe('2027-07-15T12:00:00.000Z');
});

it('coins of a day can be had once in its 23 hours, and in those of another zone', async () => {
	const claim = async (player: ZonedPlayer) => (await send(player, 'claimDailyCoins')).code;
	const spend = async (player: ZonedPlayer) => {
		const [cash] = server.money({ ...player, refreshToken: '' });
		if (cash !== 100) await adjust(server, player, 100 - cash);
	};
	const claimed = async () => {
		const codes = [await claim(inLondon), await claim(inIndia)];
		for (const player of [inLondon, inIndia]) await spend(player);
		return codes;
	};
	for (const player of [inLondon, inIndia]) await spend(player);
	await goTo('2027-03-27T12:00:00Z');
	expect(await claimed()).toEqual([null, null]);
	// Midnight in India.
	await goTo('2027-03-27T18:30:01Z');
	expect(await claimed()).toEqual(['ALREADY_CLAIMED', null]);
	const { body } = await send<{ nextAt: string }>(inLondon, 'getDailyCoins');
	expect(body.result?.nextAt).toBe('2027-03-28T00:00:00.000Z');
	await goTo('2027-03-28T00:00:01Z');
	expect(await claimed()).toEqual([null, 'ALREADY_CLAIMED']);
	await goTo('2027-03-28T22:59:00Z');
	expect(await claimed()).toEqual(['ALREADY_CLAIMED', null]);
	// London's next day comes an hour early.
	await goTo('2027-03-28T23:00:01Z');
	expect(await claimed()).toEqual([null, 'ALREADY_CLAIMED']);
});

it('profit and loss by day is of the brand’s own days, and a day of 25 hours is one', async () => {
	// London's clocks show 00:30 and, after their change, 23:30 of the same day; India's 05:00 of two days.
	for (const time of ['2027-10-30T23:30:00Z', '2027-10-31T23:30:00Z']) {
		await goTo(time);
		const match = await openTestMatch(server);
		for (const [player, side] of [[inIndia, 'LAY'] as const, [inLondon, 'BACK'] as const])
			expect((await send(player, 'placeBetV2', betOn(match, { side, stake: 50 }))).code).toBeNull();
		await match.settle(0);
	}
	const daysOf = async (player: ZonedPlayer) => {
		// A device abroad, as earlier versions of the site named its clock.
		const { body } = await send<{ days: object[] }>(player, 'getUserProfitLoss', { utcOffsetMinutes: -600 });
		return body.result?.days;
	};
	// 50 won at 2.00 each time, two per cent of it kept.
	expect(await daysOf(inLondon)).toEqual([{ day: '2027-10-31', markets: 2, net: 100, commission: 2, profit: 98 }]);
	const lost = { markets: 1, net: -50, commission: 0, profit: -50 };
	expect(await daysOf(inIndia)).toEqual([
		{ day: '2027-11-01', ...lost },
		{ day: '2027-10-31', ...lost },
	]);
});
