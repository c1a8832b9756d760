/** The life of a login: rotation, its ten seconds of grace, and its end. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LoginStore } from '#server/people/players/login-store.ts';
import type { Player } from '#server/people/players/player.ts';
import { LocalBus } from '#server/platform/bus/bus.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

const BRAND = 'localhost';
const player: Player = {
	playerId: 1,
	brand: BRAND,
	userName: 'asha',
	passwordHash: 'x',
	isDemo: false,
	pool: 'PLAY',
	stakes: null,
	language: null,
};

let database: FreshDatabase;
let now = 1_000_000;
let logins: LoginStore;
beforeAll(async () => {
	database = await freshDatabase();
	await database.db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
		 values (1, $1, 'asha', 'asha', false, 'PLAY', 0)`,
		[BRAND],
	);
});
afterAll(() => database.drop());
beforeEach(() => {
	logins = new LoginStore({
		db: database.db,
		players: { byId: () => player },
		bus: new LocalBus(),
		journal: new Journal({ db: database.db, ledgerKey: 'a key for this test', epoch: 0 }),
		tokenKey: 'a key for this test',
		clock: () => now,
		ledgerClock: () => now,
	});
});

const refused = (refreshToken: string) =>
	expect(logins.refresh(refreshToken, BRAND, '192.0.2.1')).rejects.toMatchObject({ code: 'LOGIN_EXPIRED' });

describe('a refresh token', () => {
	it('used twice within ten seconds gives the same successor, and its access token still works', async () => {
		const first = await logins.open(player, true);
		const second = await logins.refresh(first.refreshToken, BRAND, '192.0.2.1');
		now += 9_999;
		expect(logins.find(first.accessToken, BRAND)).not.toBeNull();
		expect(await logins.refresh(first.refreshToken, BRAND, '192.0.2.1')).toEqual(second);
	});

	it('used again after ten seconds ends the login', async () => {
		const first = await logins.open(player, true);
		const second = await logins.refresh(first.refreshToken, BRAND, '192.0.2.1');
		now += 10_000;
		expect(logins.find(first.accessToken, BRAND)).toBeNull();
		expect(logins.find(second.accessToken, BRAND)).not.toBeNull();
		await refused(first.refreshToken);
		expect(logins.find(second.accessToken, BRAND)).toBeNull();
		await refused(second.refreshToken);
	});

	it('of the generation before the last ends it even within ten seconds', async () => {
		const first = await logins.open(player, true);
		const second = await logins.refresh(first.refreshToken, BRAND, '192.0.2.1');
		const third = await logins.refresh(second.refreshToken, BRAND, '192.0.2.1');
		await refused(first.refreshToken);
		expect(logins.find(third.accessToken, BRAND)).toBeNull();
	});

	it('is invalid under another host', async () => {
		const { refreshToken, accessToken } = await logins.open(player, true);
		await expect(logins.refresh(refreshToken, '127.0.0.1', '192.0.2.1')).rejects.toMatchObject({
			code: 'LOGIN_EXPIRED',
		});
		expect(logins.find(accessToken, '127.0.0.1')).toBeNull();
		expect(logins.find(accessToken, BRAND)).not.toBeNull();
	});
});

describe('a login', () => {
	it.each([
		['thirty days where the device is to remember', true, 30 * DAY_MS],
		['twelve hours where it is not', false, 12 * HOUR_MS],
	])('can be refreshed for %s', async (_, remember, lasts) => {
		const start = now;
		let { refreshToken } = await logins.open(player, remember);
		now = start + lasts - 1;
		({ refreshToken } = await logins.refresh(refreshToken, BRAND, '192.0.2.1'));
		now = start + lasts;
		await refused(refreshToken);
	});

	it('that ends while it is being written is not created', async () => {
		now += 1;
		const [opened] = await Promise.allSettled([
			logins.open(player, true),
			logins.end(logins.of(player.playerId), 'PASSWORD_CHANGED'),
		]);
		expect(opened).toMatchObject({ status: 'rejected', reason: { code: 'WRONG_CREDENTIALS' } });
		const { rows } = await database.db.query('select login_id from login where rotated_at = $1', [now]);
		expect(rows).toEqual([]);
	});
});
