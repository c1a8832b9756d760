/** Keeping a member of staff out by trying the member's name for an hour, at full rate, as time passes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeviceCookie } from '#server/people/players/known-devices.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { openStaff } from '#server/people/staff/open-staff.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import { HOUR_MS } from '#values/time.ts';
import { TestServer } from '../support/server.ts';

const NAME = 'besieged';
const PASSWORD = 'Correct-horse-9';
const EVERY_MS = 1_200;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
	// Its journal and that of the test would give one number twice.
	await server.stop();
});
afterAll(() => server.dispose());

/** A browser that keeps what it is given. */
function browser() {
	const held = new Map<string, string>();
	return {
		names: () => [...held.keys()],
		find: (name: string) => held.get(name) ?? null,
		keep: ({ name, value }: DeviceCookie) => void held.set(name, value),
		drop: (name: string) => void held.delete(name),
	};
}

it.each([
	['one network', 1],
	['a thousand networks', 1_000],
])('strangers on %s never keep a member out of a known browser', async (_, networks) => {
	let nowMs = Date.now();
	const { running, database } = server;
	const journal = new Journal({ db: database.db, ledgerKey: 'a key for this test', epoch: running.exchange.epoch() });
	const staff = await openStaff({
		db: database.db,
		journal,
		keys: running.staff.keys,
		tokenKey: 'a key for this test alone',
		production: false,
		rateLimitFactor: 1,
		signOn: null,
		clock: () => nowMs,
	});
	const name = `${NAME} by ${networks}`;
	const passwordHash = await hashPassword(PASSWORD);
	await staff.directory.add({ name, passwordHash, roles: ['owner'], brands: null }, { actor: 'test', address: null });
	const [own, another] = [browser(), browser()];
	const logIn = async (password: string, address: string, cookies = browser()) => {
		const visit = { address, userAgent: '', device: '', cookies };
		try {
			const { token } = await staff.access.logIn(name, password, visit);
			staff.access.welcome(token, cookies);
			return 'IN';
		} catch (error) {
			if (error instanceof Refused) return error.code;
			throw error;
		}
	};
	expect(await logIn(PASSWORD, '203.0.113.9', own)).toBe('IN');
	const strangers = new Set<string>();
	const owners = new Set<string>();
	const untilMs = nowMs + HOUR_MS;
	for (let tries = 0; nowMs < untilMs; tries++, nowMs += EVERY_MS) {
		const at = tries % networks;
		strangers.add(await logIn('wrong', `10.${at >> 8}.${at & 255}.1`));
		// The owner comes back every five minutes, from where the strangers are, too.
		if (tries % 250 === 249) owners.add(await logIn(PASSWORD, networks === 1 ? '10.0.0.1' : '203.0.113.9', own));
	}
	expect(owners).toEqual(new Set(['IN']));
	expect(strangers).toEqual(new Set(['WRONG_CREDENTIALS', 'THROTTLED']));
	expect(await logIn(PASSWORD, '10.0.0.1', another)).toBe('THROTTLED');
});
