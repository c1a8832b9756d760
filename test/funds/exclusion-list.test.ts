/**
 * Registers of excluded persons, under the profile of the United Kingdom: asked before an account is opened and at each
 * log-in; and, in random order with all that can happen to a question, under one that is asked at each bet.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_RULES } from '#contract/rules-at.ts';
import { RealMoney } from '#server/money/funds/protection/real-money.ts';
import { ExclusionLists } from '#server/people/players/exclusion-lists.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { ExclusionStudio } from '#studio/exclusions/exclusion-studio.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS } from '#values/time.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { freshRequestId } from '../support/match.ts';
import type { Player } from '../support/server.ts';
import { codeSentTo, PASSWORD, signUp } from '../support/sign-up.ts';
import { RealMoneySite } from './real-money-site.ts';

const KEY = 'the key of the bridge';
const OPEN = 'OPEN';

let studio: ExclusionStudio;
let bridge: { url: string; key: string };
let site: RealMoneySite;
const server = () => site.server;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	studio = new ExclusionStudio(KEY);
	bridge = { url: await studio.listen(), key: KEY };
	site = await RealMoneySite.open({ exclusionList: bridge });
	const { brands } = server().running;
	await brands.makeReal('localhost');
	await brands.chooseProfile('localhost', { profile: 'uk', fromMs: now() + 1_000 }, now());
	pass(1_001);
});
afterAll(async () => {
	await site?.close();
	await studio.stop();
	vi.useRealTimers();
});
afterEach(() => {
	studio.mood = 'answers';
	studio.excluded.clear();
});

const now = () => server().running.exchange.now();
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	server().running.funds.ledger.now();
}

/** Verified by an operator. */
async function player(): Promise<Player & { userName: string; mobile: string }> {
	const one = await signUp(server());
	await server().act('verify-identity', { userName: one.userName, host: 'localhost', age: 30 });
	await server().beginSeeds(one);
	return one;
}
/** What a stake is refused with. */
async function stake(one: Player): Promise<string> {
	try {
		await site.call(
			'playRound',
			{ game: 'dice', bets: [{ stake: 10, bet: 'under-5000' }], clientRequestId: freshRequestId() },
			one,
		);
		return OPEN;
	} catch (error) {
		const text = String(error);
		return ['EXCLUSION_LIST', 'EXCLUDED'].find((word) => text.includes(`"${word}"`)) ?? OPEN;
	}
}
async function logIn({ userName }: { userName: string }): Promise<Player> {
	const asked = { userNameOrEmailAddress: userName, password: PASSWORD };
	const { accessToken, refreshToken, user } = await server().result('authenticate', asked);
	return { token: accessToken, refreshToken, userId: Number(user.userId) };
}

it('opens no account to a person in the register, nor while it is silent, and tells only who has the mobile', async () => {
	const mobile = '+919876500001';
	studio.excluded.add(mobile);
	const form = { userName: 'asha', password: PASSWORD, confirmPassword: PASSWORD, mobile };
	await server().result('register', form);
	expect(studio.questions).toEqual([]);
	const verify = async (otp: string) =>
		(await server().call('verificationUser', { userName: 'asha', mobile, otp })).code;
	expect(await verify('000000')).toBe('WRONG_CODE');
	const otp = await codeSentTo(server(), mobile);
	expect(await verify(otp)).toBe('EXCLUDED');
	expect(studio.questions).toEqual([{ list: 'GAMSTOP', mobile }]);
	studio.excluded.clear();
	studio.mood = 'fails';
	expect(await verify(otp)).toBe('REAL_MONEY_CLOSED');
	studio.mood = 'answers';
	expect(await verify(otp)).toBeNull();
});

it('takes no stake of a player whom the register names since, lets the balance leave, and says it in the journal once', async () => {
	const one = await player();
	expect(await stake(one)).toBe(OPEN);
	studio.excluded.add(one.mobile);
	// The answer of the log-in holds until the next one.
	expect(await stake(one)).toBe(OPEN);
	const again = await logIn(one);
	expect([await stake(again), await stake(one)]).toEqual(['EXCLUDED', 'EXCLUDED']);
	await expect(site.withdrawal(again)).rejects.toThrow('INSUFFICIENT_FUNDS');
	await logIn(one);
	const { rows } = await server().database.db.query(
		`select details from journal where act = 'LISTED' and subject = $1`,
		[`player ${one.userId}`],
	);
	expect(rows).toEqual([{ details: { list: 'GAMSTOP' } }]);
	studio.excluded.clear();
	expect(await stake(await logIn(one))).toBe(OPEN);
});

it('takes no stake after a log-in without an answer, and asks again with the next stake', async () => {
	const one = await player();
	studio.mood = 'fails';
	const silent = await logIn(one);
	expect(await stake(silent)).toBe('EXCLUSION_LIST');
	studio.mood = 'answers';
	expect(await stake(silent)).toBe(OPEN);
	const asked = studio.questions.length;
	expect(await stake(one)).toBe(OPEN);
	expect(studio.questions.length).toBe(asked);
});

it('is not asked about a mobile that an operator refuted: it says nothing about the player', async () => {
	const one = await player();
	studio.excluded.add(one.mobile);
	const { db } = server().database;
	await db.query(
		`insert into refuted_fact (player_id, kind, value, at, operator, reason) values ($1, 'mobile', $2, 0, '', '')`,
		[one.userId, one.mobile],
	);
	const asked = studio.questions.length;
	const again = await logIn(one);
	expect(studio.questions.length).toBe(asked);
	expect(await stake(again)).toBe('EXCLUSION_LIST');
});

it('is on the list of what a brand needs for real money where its profile names a register', async () => {
	const { items } = await server().act<{ items: { item: string; isSet: boolean }[] }>('real-money-readiness', {
		host: 'localhost',
	});
	expect(items.find(({ item }) => item === 'exclusionList')).toMatchObject({ isSet: true });
});

describe('one that is asked at each bet', () => {
	const ASKED_AT = ['sign-up', 'log-in', 'bet'] as const;

	it.each([1, 2, 3])(
		'takes a stake only if the last question was answered, within a day, with no; seed %s',
		async (seed) => {
			const numbers = new SeededNumbers(seed);
			const one = await signUp(server());
			let nowMs = 1_000_000;
			const noted: object[] = [];
			/** How often the player’s unmatched bets were cancelled. */
			let ended = 0;
			const lists = new ExclusionLists({
				config: bridge,
				db: server().database.db,
				journal: { write: async (act: object) => void noted.push(act) } as never,
				clock: () => nowMs,
				onListed: async () => {
					ended += 1;
				},
				log: { warn: () => undefined, error: () => undefined },
			});
			let list = 'BetStop';
			const brandNow = (): Brand => {
				const rules = [
					{ ...NO_RULES, from: '1970-01-01T00:00:00.000Z', exclusionList: { name: list, askedAt: [...ASKED_AT] } },
				];
				return { host: 'localhost', pool: 'REAL', setting: { ...server().brand.setting, rules } } as Brand;
			};
			const realMoney = new RealMoney({
				settingOf: () => brandNow().setting,
				poolOf: () => 'REAL',
				isIdentified: () => true,
				isOfStaff: () => false,
				listedIn: (playerId, name) => lists.of(playerId, name),
				clock: () => nowMs,
			});
			const who = { playerId: one.userId as never, pool: 'REAL' as const };
			const admitted = () => {
				try {
					realMoney.admit(who.playerId, 'GB');
					return 'FREE';
				} catch (error) {
					return error instanceof Refused && error.code === 'EXCLUDED' ? 'LISTED' : null;
				}
			};
			/** By a slower rule: the last question of this register, and its answer. */
			let expectedEnds = 0;
			let last: { list: string; said: 'LISTED' | 'FREE' | null; atMs: number } | null = null;
			for (let step = 0; step < 60; step += 1) {
				const drawn = numbers.below(6);
				if (drawn === 0) studio.mood = numbers.below(3) === 0 ? 'fails' : 'answers';
				if (drawn === 1) studio.excluded[numbers.below(2) === 0 ? 'add' : 'delete'](one.mobile);
				if (drawn === 2) nowMs += numbers.below(2) === 0 ? DAY_MS : 1_000;
				if (drawn === 3) list = numbers.below(4) === 0 ? 'GAMSTOP' : 'BetStop';
				if (drawn >= 4) {
					await (drawn === 4 ? lists.loggingIn(who, brandNow()) : lists.fresh(who, brandNow()));
					const said = studio.mood === 'fails' ? null : studio.excluded.has(one.mobile) ? 'LISTED' : 'FREE';
					if (said === 'LISTED') expectedEnds += 1;
					last = { list, said, atMs: nowMs };
				}
				const holds = last !== null && last.list === list && nowMs - last.atMs < DAY_MS;
				expect([step, admitted(), ended]).toEqual([step, holds ? (last?.said ?? null) : null, expectedEnds]);
			}
		},
	);
});
