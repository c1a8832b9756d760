/** Notifications of browsers, against a push service of the test that decrypts what it gets. */
import { createDecipheriv, createECDH, createHash, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { encryptedFor, vapidKeyOf } from '#server/people/push/web-push.ts';
import { football } from '#sports/football/football-play.ts';
import type { FootballCard } from '#sports/score-card.ts';
import type { FixtureId } from '#values/ids.ts';
import { FOOTBALL } from '#values/sports.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

/** A browser: its keys, and what it makes of a message (RFC 8291). */
class Browser {
	readonly #pair = createECDH('prime256v1');
	readonly secret = randomBytes(16);
	constructor() {
		this.#pair.generateKeys();
	}

	get keys() {
		return { p256dh: this.#pair.getPublicKey('base64url'), auth: this.secret.toString('base64url') };
	}

	read(body: Buffer): unknown {
		const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + body.readUInt8(20))];
		const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender]);
		const input = Buffer.from(hkdfSync('sha256', this.#pair.computeSecret(sender), this.secret, info, 32));
		const derived = (use: string, bytes: number) =>
			Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${use}\0`, bytes));
		const sealed = body.subarray(21 + sender.length);
		const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
		decipher.setAuthTag(sealed.subarray(-16));
		const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
		expect(plain.at(-1)).toBe(2);
		return JSON.parse(plain.subarray(0, -1).toString());
	}
}

interface Received {
	path: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

/** Answers with the next status of the list, or 201. */
class PushService {
	readonly received: Received[] = [];
	statuses: number[] = [];
	readonly #server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			this.received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
			response.writeHead(this.statuses.shift() ?? 201).end();
		});
	});

	async open() {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}
	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}
	close() {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}

const BY_TEST = { actor: 'test', address: null };

let server: TestServer;
const service = new PushService();
beforeAll(async () => {
	// Ten to ten in the evening in India, where the brand is: no player sleeps. Only the date is moved; timers run.
	vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.parse('2026-11-20T16:20:00Z') });
	await service.open();
	server = await TestServer.start(undefined, {
		payments: { orderMs: 60_000, simulatedDelayMs: 20, pollMs: 20, webhookKeys: {} },
	});
});
afterAll(async () => {
	await server.dispose();
	service.close();
	vi.useRealTimers();
});
beforeEach(() => {
	service.received.length = 0;
	service.statuses = [];
});

const asPlayer = async () => {
	const player = await signUp(server);
	await server.act('add-money', { userName: player.userName, grantId: player.userId, amount: 1000 });
	return player;
};

async function subscribe({ token }: Pick<Player, 'token'>, name: string, browser = new Browser()) {
	const endpoint = `${service.url}/${name}`;
	const state = await server.result('subscribePush', { endpoint, ...browser.keys }, token);
	return { browser, endpoint, state };
}
const arrived = async (count: number) => await expect.poll(() => service.received.length).toBe(count);
type FootballSide = FootballCard['teams'][number];
const browsersOf = async (token: string) => (await server.result('getPush', {}, token)).browsers;
async function isSubscribed(token: string, endpoint: string) {
	const browser = createHash('sha256').update(endpoint).digest('base64url');
	return (await server.result('getPush', { browser }, token)).isSubscribed;
}

/** A bet of the player rests, and another player takes it. */
async function matched(player: Player, other: Player) {
	const match = await openTestMatch(server);
	const { betId } = await server.result(
		'placeBetV2',
		betOn(match, { side: 'BACK', price: 2, stake: 100 }),
		player.token,
	);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake: 100 }), other.token);
	return { ...match, betId };
}

describe('a message', () => {
	it('is the one of the example of RFC 8291', () => {
		const [ua, sender] = [
			'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
			'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
		];
		const pair = createECDH('prime256v1');
		pair.setPrivateKey(Buffer.from(sender, 'base64url'));
		const keys = {
			publicKey: Buffer.from(ua, 'base64url'),
			secret: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
		};
		const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
		const body = encryptedFor(keys, 'When I grow up, I want to be a watermelon', { pair, salt });
		expect(body.toString('base64url')).toBe(
			'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
		);
	});

	it('is signed by a key that stays the same for the same secret', () => {
		const [one, again, other] = [vapidKeyOf('secret'), vapidKeyOf('secret'), vapidKeyOf('other')];
		expect(one.publicKey).toEqual(again.publicKey);
		expect(one.publicKey).not.toEqual(other.publicKey);
	});
});

describe('a subscribed browser', () => {
	it('subscribePush: success, is told of a matched and of a settled bet, without amounts, signed by the server’s key', async () => {
		const [player, other] = [await asPlayer(), await asPlayer()];
		const { browser, state } = await subscribe(player, 'told');
		const match = await matched(player, other);
		await arrived(1);
		const [{ path, headers, body }] = service.received as [Received];
		expect(path).toBe('/told');
		expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '14400' });
		const [, jwt = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
		expect(key).toBe(state.publicKey);
		const point = Buffer.from(state.publicKey, 'base64url');
		const jwk = {
			kty: 'EC',
			crv: 'P-256',
			x: point.subarray(1, 33).toString('base64url'),
			y: point.subarray(33).toString('base64url'),
		};
		const [head = '', claims = '', signature = ''] = jwt.split('.');
		const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
		expect(verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url'))).toBe(true);
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: service.url });
		expect(browser.read(body)).toMatchObject({ title: 'Your bet is matched', url: '/open-bets' });
		await match.settle(0);
		await arrived(2);
		const settled = browser.read((service.received[1] as Received).body);
		// No amount: a locked screen shows it to anyone.
		expect(settled).toEqual({
			title: 'A market of yours is settled',
			body: 'India v Nepal · Match Odds',
			url: '/bet-history',
			tag: `market-${match.marketId}`,
		});
	});

	it('setPushChoices: success, is told of what is on alone, and at night of nothing unless it is wanted', async () => {
		const [player, other] = [await asPlayer(), await asPlayer()];
		const { browser } = await subscribe(player, 'chosen');
		const choose = (choice: { off: ('MATCHED' | 'SETTLED')[]; atNight: boolean }) =>
			server.result('setPushChoices', choice, player.token);
		await choose({ off: ['MATCHED'], atNight: false });
		await matched(player, other);
		await choose({ off: [], atNight: false });
		const evening = Date.now();
		try {
			// Five past ten.
			vi.setSystemTime(Date.parse('2026-11-20T16:35:00Z'));
			await matched(player, other);
			await choose({ off: [], atNight: true });
			const { betId } = await matched(player, other);
			await arrived(1);
			expect(browser.read((service.received[0] as Received).body)).toMatchObject({ tag: `bet-${betId}` });
		} finally {
			vi.setSystemTime(evening);
		}
	});

	it('is asked again while its service is busy or away, and is forgotten once it is gone', async () => {
		const [player, other] = [await asPlayer(), await asPlayer()];
		const { browser } = await subscribe(player, 'busy');
		service.statuses = [503];
		await matched(player, other);
		await arrived(2);
		expect(browser.read((service.received[1] as Received).body)).toEqual(
			browser.read((service.received[0] as Received).body),
		);
		service.statuses = [410];
		await matched(player, other);
		await arrived(3);
		await expect.poll(() => browsersOf(player.token)).toBe(0);
		const { rows } = await server.running.db.query('select from push_subscription where player_id = $1', [
			player.userId,
		]);
		expect(rows).toHaveLength(0);
	});

	it('unsubscribePush: success; a browser is told nothing after its log-out, or once it is another player’s', async () => {
		const [player, other, third] = [await asPlayer(), await asPlayer(), await asPlayer()];
		const { browser, endpoint } = await subscribe(player, 'shared');
		// A stranger who knows the endpoint takes nothing away.
		await server.result('unsubscribePush', { endpoint }, other.token);
		expect(await browsersOf(player.token)).toBe(1);
		await subscribe(third, 'shared', browser);
		expect([await browsersOf(player.token), await browsersOf(third.token)]).toEqual([0, 1]);
		await server.result('unsubscribePush', { endpoint }, third.token);
		expect(await browsersOf(third.token)).toBe(0);
		const again = await server.result('authenticate', {
			userNameOrEmailAddress: player.userName,
			password: PASSWORD,
		});
		await subscribe({ token: again.accessToken }, 'left');
		await subscribe(player, 'stays');
		await server.result('logout', {}, again.accessToken);
		await matched(player, other);
		await arrived(1);
		expect(service.received.map(({ path }) => path)).toEqual(['/stays']);
		expect(await browsersOf(player.token)).toBe(1);
	});

	it('subscribePush: refusal of keys that are none; of an eleventh browser the oldest goes', async () => {
		const player = await asPlayer();
		const { p256dh, auth } = new Browser().keys;
		const wrong = Buffer.from(p256dh, 'base64url');
		wrong[64] = (wrong[64] ?? 0) ^ 1;
		for (const keys of [
			{ p256dh: 'AAAA', auth },
			{ p256dh, auth: 'AAAA' },
			{ p256dh: wrong.toString('base64url'), auth },
		])
			expect((await server.call('subscribePush', { endpoint: `${service.url}/x`, ...keys }, player.token)).code).toBe(
				'VALIDATION_FAILED',
			);
		for (let number = 0; number < 11; number++) await subscribe(player, `many-${number}`);
		expect(await browsersOf(player.token)).toBe(10);
		const stays = (number: number) => isSubscribed(player.token, `${service.url}/many-${number}`);
		expect([await stays(0), await stays(1), await stays(10)]).toEqual([false, true, true]);
	});
});

/** What the browser got, oldest first. */
const readBy = (browser: Browser) => service.received.map(({ body }) => browser.read(body));
/** What is sent later arrives later: nothing came before a notification of now. */
const nothingMore = async (count: number) => {
	const { match } = await told('last');
	await match.settle(0);
	await expect.poll(() => service.received.at(-1)?.path).toBe('/last');
	expect(service.received).toHaveLength(count + 1);
};
/** A player of a browser of that name, with a matched bet. */
async function told(name: string) {
	const [player, other] = [await asPlayer(), await asPlayer()];
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4.7, stake: 100 }), other.token);
	await server.result('placeBetV2', betOn(match, { price: 4.7, stake: 100 }), player.token);
	return { player, other, match, ...(await subscribe(player, name)) };
}

describe('a subscribed browser is told once', () => {
	it('of a withdrawal when it is paid, also on a break, without its amount, and of none that is refused', async () => {
		const player = await signUp(server);
		const { browser } = await subscribe(player, 'paid');
		const withdraw = async (amount: number) => {
			const details = { method: 'UPI', upiId: 'ravi@okbank' };
			const asked = { amount, details, clientRequestId: freshRequestId() };
			return (await server.raw('createWithdrawal', asked, player.token)).body.result?.id as string;
		};
		const decide = (id: string, event: string) =>
			server.send('/operator/api/payment-decide', {
				method: 'POST',
				body: JSON.stringify({ kind: 'WITHDRAWAL', id: id.split('-')[1], event, reason: 'looked at' }),
				headers: { ...server.operatorHeaders, 'X-Operator': 'asha' },
			});
		// The simulated bank refuses a paisa more than a round amount.
		const [rejected, failed, paid] = [await withdraw(700), await withdraw(1_000.01), await withdraw(1_000)];
		await decide(rejected, 'reject');
		await decide(failed, 'approve');
		const stateOf = async (id: string) =>
			(await server.result('getDepositWithdrawals', {}, player.token)).items.find((row) => row.id === id)?.status;
		await expect.poll(() => stateOf(failed), { timeout: 60_000 }).toBe('FAILED');
		await server.result('takeTimeOut', { hours: 24 }, player.token);
		await decide(paid, 'approve');
		await arrived(1);
		expect(readBy(browser)).toEqual([
			{ title: 'Your withdrawal is paid', body: '', url: '/dwrequests', tag: `withdrawal-${paid.split('-')[1]}` },
		]);
		await nothingMore(1);
	});

	it('of a cash-out target when the market is cashed out at it, and not before', async () => {
		const { player, other, match, browser } = await told('target');
		await server.result('setCashOutTarget', { marketId: match.marketId, target: 14 }, player.token);
		await server.result('placeBetV2', betOn(match, { price: 4.6, stake: 100 }), other.token);
		expect(service.received).toHaveLength(0);
		await server.result('placeBetV2', betOn(match, { price: 4.1, stake: 500 }), other.token);
		await arrived(1);
		expect(readBy(browser)).toEqual([
			{
				title: 'Your cash-out target is reached',
				body: 'India v Nepal · Match Odds',
				url: '/open-bets',
				tag: `target-${match.marketId}`,
			},
		]);
		await nothingMore(1);
	});

	it('of each goal of a match that its player pinned, and of no other match’s', async () => {
		const [fan, other] = [await asPlayer(), await asPlayer()];
		const changes = { sportId: FOOTBALL, title: 'Almaver v Bahía Norte' };
		const [pinned, unpinned] = [await openTestMatch(server, changes), await openTestMatch(server, changes)];
		await server.result('setPreferences', { pin: [pinned.eventId] }, fan.token);
		const { browser } = await subscribe(fan, 'fan');
		await subscribe(other, 'other');
		const { score } = football.begin(1, 1).state();
		/** Both matches, of which the first side has made that many goals. */
		const show = async (goals: number, version: number) => {
			if (score.sport !== 'football') throw new Error('This is no football.');
			const [home, away] = score.teams as [FootballSide, FootballSide];
			const card = { ...score, version, teams: [{ ...home, goals }, away] };
			for (const { eventId } of [pinned, unpinned])
				await server.running.fixtures.setScore(Number(eventId) as FixtureId, { ...card, eventId }, `${goals} goals`);
		};
		for (const [version, goals] of [0, 1, 1, 2].entries()) {
			await show(goals, version + 1);
			await arrived(goals);
		}
		expect(service.received.map(({ path }) => path)).toEqual(['/fan', '/fan']);
		expect(readBy(browser)).toEqual(
			[1, 2].map((goals) => ({
				title: 'Goal!',
				body: `Almaver v Bahía Norte · ${goals} goals`,
				url: `/markets/${pinned.eventId}`,
				tag: `goal-${pinned.eventId}`,
			})),
		);
		await nothingMore(2);
	});
});

describe('nothing is told to', () => {
	/** The market of the player is settled, and the player is not told. */
	const isNotTold = async ({ match }: { match: TestMatch }) => {
		await match.settle(0);
		await nothingMore(0);
	};

	it.each([
		['is on a break', ({ token }: Player) => server.result('takeTimeOut', { hours: 24 }, token)],
		['is excluded', ({ userId }: Player) => server.running.funds.protection.exclude(userId, 6, BY_TEST)],
		['is frozen', ({ userId }: Player) => server.running.funds.protection.freeze(userId, 'doubted', BY_TEST)],
	])('a player that %s', async (_, bar) => {
		const one = await told('barred');
		await bar(one.player);
		await isNotTold(one);
	});

	it('players of a suspended brand', async () => {
		const one = await told('suspended');
		const suspend = (value: string) => server.act('brand-set', { host: 'localhost', field: 'siteSuspended', value });
		await suspend('true');
		await one.match.settle(0);
		// The queue of notifications is in order, so what the sender held back is not sent afterwards.
		await suspend('false');
		await nothingMore(0);
	});
});

it.each([
	['getPush: not logged in', 'getPush', {}],
	['subscribePush: not logged in', 'subscribePush', { endpoint: 'https://push.example/a', ...new Browser().keys }],
	['unsubscribePush: not logged in', 'unsubscribePush', { endpoint: 'https://push.example/a' }],
	['setPushChoices: not logged in', 'setPushChoices', { off: [], atNight: false }],
] as const)('%s', async (_, name, input) => {
	expect((await server.raw(name, input)).code).toBe('NOT_LOGGED_IN');
});

it.each([
	['getPush: refusal of a token that is none', 'getPush', {}, 'LOGIN_EXPIRED'],
	['unsubscribePush: refusal of what is no address', 'unsubscribePush', { endpoint: 'push' }, 'VALIDATION_FAILED'],
	[
		'setPushChoices: refusal of a kind that is none',
		'setPushChoices',
		{ off: ['NONE'], atNight: true },
		'VALIDATION_FAILED',
	],
] as const)('%s', async (_, name, input, code) => {
	const { token } = await signUp(server);
	expect((await server.raw(name, input, name === 'getPush' ? 'none' : token)).code).toBe(code);
});

it('getPush: success, a browser is subscribed for the login that subscribed it alone', async () => {
	const [player, other] = [await signUp(server), await signUp(server)];
	const { endpoint, state } = await subscribe(player, 'of-one-login');
	const isOf = (token: string) => isSubscribed(token, endpoint);
	expect([state.isSubscribed, await isOf(player.token), await isOf(other.token)]).toEqual([true, true, false]);
	const again = await server.result('authenticate', { userNameOrEmailAddress: player.userName, password: PASSWORD });
	expect(await isOf(again.accessToken)).toBe(false);
	expect((await server.result('unsubscribePush', { endpoint }, player.token)).isSubscribed).toBe(false);
	expect(await server.result('getPush', {}, player.token)).not.toHaveProperty('isSubscribed');
});

it('getPush: success, of a player who chose nothing yet', async () => {
	const { token } = await signUp(server);
	expect(await server.result('getPush', {}, token)).toMatchObject({ off: [], atNight: false, browsers: 0 });
});
