/**
 * Every door that a barred player finds closed, with one bar after the other, and open to a player without one.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { DOORS, type Door } from '#server/people/persons/doors.ts';
import { logIn, rpc } from '../bots-api/bot.ts';
import { StreamClient } from '../bots-api/stream-client.ts';
import { betOf, StudioSite } from '../providers/studio-site.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { receiptPicture } from '../support/receipt.ts';
import { type Player, STREAM, type TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

type Account = Player & { userName: string; mobile: string };
/** What came of it: null when the door was open, or the code, or the word for what did not happen. */
type Attempt = () => Promise<string | null>;

const NOTHING = 'NOTHING';
const BONUS = { id: 'coins', title: 'Coins', kind: 'FREE_COINS', amount: 50, budget: 1_000_000 };
const RULES = { reward: 500, minDeposit: 0, minWagered: 0, maturityHours: 0, cap: 20 };
const TABLE = 'dragon-tiger';

let site: StudioSite;
let server: TestServer;
beforeAll(async () => {
	// No word about a payment arrives by itself.
	const payments = { orderMs: 60_000, simulatedDelayMs: 3_600_000, pollMs: 600_000, webhookKeys: {} };
	site = await StudioSite.open(undefined, { payments, stream: STREAM, tableSpeed: 10 });
	server = site.server;
	for (const [field, value] of Object.entries({ campaigns: [BONUS], referral: RULES }))
		await server.act('brand-set', { host: 'localhost', field, value: JSON.stringify(value) });
});
afterAll(() => site.close());

const codeOf = async (answer: Promise<{ code: string | null }>) => (await answer).code;
const keyed = () => ({ clientRequestId: freshRequestId() });
let utr = 700_000_000_000;

/** A table's bet in the window and outside of it, which has to be answered alike. */
async function atTable(place: () => Promise<string | null>, phaseOf: () => Promise<string>): Promise<string | null> {
	const codes: (string | null)[] = [];
	for (const isBetting of [true, false]) {
		await expect.poll(async () => (await phaseOf()) === 'BETTING', { timeout: 20_000, interval: 5 }).toBe(isBetting);
		codes.push(await place());
	}
	return codes[0] === codes[1] ? (codes[0] ?? null) : codes.join(' and ');
}

/** Each door: what a player prepares while nothing bars them, and the attempt afterwards. */
const TRIES: Readonly<Record<Door, (player: Account) => Promise<Attempt>>> = {
	BET: async ({ token }) => {
		const match = await openTestMatch(server);
		return () => codeOf(server.call('placeBetV2', betOn(match, { stake: 100 }), token));
	},
	ROUND: async ({ token }) => {
		const bets = [{ bet: 'under-5000', stake: 10 }];
		await server.beginSeeds({ token });
		return () => codeOf(server.raw('playRound', { game: 'dice', bets, ...keyed() }, token));
	},
	TABLE_BET: async ({ token }) => {
		let slot = 0;
		const crash = () => {
			slot += 1;
			return codeOf(server.raw('placeCrashBet', { slot, stake: 10, autoCents: null, ...keyed() }, token));
		};
		return () => atTable(crash, async () => (await server.result('getCrash', {})).state.phase);
	},
	LAUNCH: async ({ token }) => {
		const casinoToken = site.casinoTokenOf(token);
		return () => codeOf(server.call('casinoLogin', { casinoToken, gameCode: 'lantern-cups' }, token));
	},
	PROVIDER_STAKE: async (player) => {
		const session = await site.session(player);
		return async () => {
			const { status } = await site.ask('bet', betOf(session));
			return status === 'OK' ? null : status;
		};
	},
	UPI_ORDER:
		async ({ token }) =>
		() =>
			codeOf(server.call('generatePayment', { amount: 500, ...keyed() }, token)),
	UPI_PAYMENT: async (player) => {
		const { orderId } = await server.result('generatePayment', { amount: 600, ...keyed() }, player.token);
		const before = server.money(player)[0];
		return async () => {
			const paid = { providerId: 'p', amount: 60_000, currency: 'INR', utr: String(++utr) };
			const reference = referenceOf('BLP', Number(orderId));
			const { payments, providers } = server.running.funds;
			await payments.hear({ ...paid, reference, status: 'SUCCESS' }, providers.play);
			const { status } = await server.result('checkPayment', { orderId }, player.token);
			return status === 'SUCCESS' || server.money(player)[0] !== before ? null : status;
		};
	},
	RECEIPT: async ({ token }) => {
		const own = String(++utr);
		const image = (await receiptPicture({ utr: own, amount: '500' })).toString('base64');
		const { imageRef } = await server.result('storeImage', { image }, token);
		return () => codeOf(server.call('createDeposit', { amount: 500, utr: own, imageRef, ...keyed() }, token));
	},
	SIGN_UP_COINS:
		async ({ mobile }) =>
		async () => {
			const again = await signUp(server, { mobile });
			return server.money(again)[0] > 0 ? null : NOTHING;
		},
	DAILY_COINS:
		async ({ token }) =>
		() =>
			codeOf(server.call('claimDailyCoins', {}, token)),
	BONUS:
		async ({ token }) =>
		() =>
			codeOf(server.call('claimBonus', { id: BONUS.id }, token)),
	REFERRAL_CODE:
		async ({ token }) =>
		() =>
			codeOf(server.call('getReferrerCode', {}, token)),
	REFERRAL_LINK: async (player) => {
		const { code } = await server.result('getReferrerCode', {}, player.token);
		return async () => {
			await signUp(server, { referralCode: code });
			const [latest] = await server.running.funds.referrals.of(player.userId);
			return latest?.state === 'VOID' ? NOTHING : null;
		};
	},
	REFERRAL_CLAIM: async (player) => {
		const { code } = await server.result('getReferrerCode', {}, player.token);
		await signUp(server, { referralCode: code });
		const { items } = await server.result('getReferralDetails', {}, player.token);
		return () => codeOf(server.call('claimReferral', { userReferDetailId: items[0]?.id ?? '' }, player.token));
	},
	API_KEY: async (player) => {
		const asked = { name: 'bot', mayTrade: true, addresses: [], callsPerSecond: 10, password: PASSWORD };
		const { appKey, session } = await botOf(player);
		const headers = { 'X-Application': appKey, 'X-Authentication': session, 'Content-Type': 'application/json' };
		const byBot = async (operation: string, params: object) =>
			(await rpc(server, { headers }, operation, params)).error === undefined;
		return async () => {
			// The session itself goes on, so a barred player's bot is refused the key and nothing else.
			expect(await byBot('getDeveloperAppKeys', {})).toBe(true);
			const code = await codeOf(server.call('createApiKey', asked, player.token));
			const isOpen = await byBot('createDeveloperAppKeys', { appName: 'other', password: PASSWORD });
			return isOpen === (code === null) ? code : `${code} on the site, ${isOpen ? 'open' : 'closed'} to the bot`;
		};
	},
	BOT_LOGIN: async (player) => {
		const { appKey } = await botOf(player);
		return () =>
			logIn(server, player.userName, appKey).then(
				() => null,
				() => NOTHING,
			);
	},
	BOT_STREAM: async (player) => {
		const bot = await botOf(player);
		const authenticated = async () => {
			const client = await StreamClient.open(server);
			client.say({ op: 'authentication', id: 1, ...bot });
			const { statusCode } = await client.line(({ op, id }) => op === 'status' && id === 1);
			return { client, isOpen: statusCode === 'SUCCESS' };
		};
		const { client } = await authenticated();
		return async () => {
			const next = await authenticated();
			next.client.close();
			if (next.isOpen) client.close();
			// The one from before ends by itself.
			await client.end();
			return next.isOpen ? null : NOTHING;
		};
	},
};

async function botOf(player: Account): Promise<{ appKey: string; session: string }> {
	const asked = { name: 'bot', mayTrade: true, addresses: [], callsPerSecond: 100, password: PASSWORD };
	const { appKey } = await server.result('createApiKey', asked, player.token);
	return { appKey, session: await logIn(server, player.userName, appKey) };
}

/** The bars, and what a player does for each; some hold for later accounts, too. */
const BARS: readonly [code: string | null, isOfPerson: boolean, bar: (player: Account) => Promise<unknown>][] = [
	[null, false, async () => undefined],
	['EXCLUDED', true, ({ token }) => server.result('excludeSelf', { months: 6, password: PASSWORD }, token)],
	['TIMED_OUT', true, ({ token }) => server.result('takeTimeOut', { hours: 24 }, token)],
	['ACCOUNT_CLOSED', false, ({ token }) => server.result('closeAccount', { password: PASSWORD }, token)],
	[
		'ACCOUNT_FROZEN',
		false,
		({ userName }) => server.act('player-freeze', { userName, host: 'localhost', reason: 'a test' }),
	],
];

/** None, one of the person and one of the account alone; a break and a closed account are protection.test.ts's, too. */
const MAIN_BARS = new Set([null, 'EXCLUDED', 'ACCOUNT_FROZEN']);

type Attempts = readonly (readonly [Door, Attempt])[];

/** Bars a player who has prepared all attempts, and looks at the answers of the doors. */
async function expectAlike(
	[code, isOfPerson, bar]: (typeof BARS)[number],
	player: Account,
	attempts: Attempts,
): Promise<void> {
	await bar(player);
	const answers: Record<string, string | null> = {};
	for (const [door, attempt] of attempts) answers[door] = await attempt();
	const closed: Partial<Record<Door, string | null>> = {
		UPI_PAYMENT: 'REVIEW',
		PROVIDER_STAKE: 'USER_DISABLED',
		SIGN_UP_COINS: isOfPerson ? NOTHING : null,
		REFERRAL_LINK: NOTHING,
		BOT_LOGIN: NOTHING,
		BOT_STREAM: NOTHING,
	};
	const doors = Object.keys(DOORS) as Door[];
	const expected = doors.map((door) => [door, code === null ? null : door in closed ? closed[door] : code]);
	expect(answers).toEqual(Object.fromEntries(expected));
}

it('all doors answer alike, and at once, whatever the bar', async () => {
	const prepared: [(typeof BARS)[number], Account, Attempts][] = [];
	for (const bar of IS_WHOLE ? BARS : BARS.filter(([code]) => MAIN_BARS.has(code))) {
		const player = await signUp(server);
		const attempts: [Door, Attempt][] = [];
		for (const door of Object.keys(DOORS) as Door[]) attempts.push([door, await TRIES[door](player)]);
		prepared.push([bar, player, attempts]);
	}
	// Most of the time is waiting for the phases of tables.
	await Promise.all(prepared.map((one) => expectAlike(...one)));
});

it('what waits for the next round of a table is taken out when its player is barred', {
	tags: 'thorough',
}, async () => {
	const player = await signUp(server);
	const view = () => server.result('getTable', { game: TABLE }, player.token);
	await expect.poll(async () => (await view()).state.phase, { timeout: 20_000, interval: 5 }).toBe('DECIDED');
	const bets = [{ bet: 'tie', stake: 100 }];
	const { body } = await server.raw('placeTableBet', { game: TABLE, bets, ...keyed() }, player.token);
	expect((body.result as { bet: { state: string } } | null)?.bet.state).toBe('WAITING');
	await server.result('takeTimeOut', { hours: 24 }, player.token);
	expect((await view()).mine).toEqual([]);
});
