/** Guessing a password, and keeping its owner out by trying it: what strangers reach, as time passes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LoginThrottle } from '#server/people/players/login-throttle.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS } from '#values/time.ts';

const ACCOUNT = 'localhost|asha';
const EVERY_MS = 1500;

let nowMs: number;
let throttle: LoginThrottle;
beforeEach(() => {
	nowMs = 0;
	throttle = new LoginThrottle(1, () => nowMs);
});

const stranger = (address: string) => ({ account: ACCOUNT, address, deviceId: null });
const OWNER_DEVICE = { account: ACCOUNT, address: '203.0.113.9', deviceId: 'a device of hers' };

/** Seconds that a try is told to wait; 0 when it is let through. */
function waitOf(act: () => void): number {
	try {
		act();
		return 0;
	} catch (error) {
		if (!(error instanceof Refused) || error.code !== 'THROTTLED') throw error;
		return Number(error.details['retryAfterSeconds']);
	}
}
const tryAs = (tried: Parameters<LoginThrottle['begin']>[0]) => waitOf(() => throttle.begin(tried));

/** Tries the account from these addresses, one after the other, for a time; answers how many passwords were looked at. */
function attack(addresses: readonly string[], forMs: number, meanwhile: () => void = () => undefined): number {
	let looked = 0;
	for (let tries = 0; nowMs < forMs; tries++) {
		if (tryAs(stranger(addresses[tries % addresses.length] as string)) === 0) looked++;
		nowMs += EVERY_MS;
		if (tries % 2400 === 0) meanwhile();
	}
	return looked;
}

describe('a stranger that tries a name every 1.5 s for a day', () => {
	it('has about a hundred passwords checked, and never makes the owner wait, at another address, on a known device or logged in', () => {
		const waits: number[] = [];
		const looked = attack(['198.51.100.7'], DAY_MS, () => {
			const owner = stranger('203.0.113.9');
			waits.push(
				tryAs(owner),
				tryAs(OWNER_DEVICE),
				waitOf(() => throttle.beginOf('her login')),
			);
			throttle.succeed(owner);
			throttle.succeed(OWNER_DEVICE);
			throttle.succeedOf('her login');
		});
		expect(looked).toBeLessThan(120);
		expect(waits).toHaveLength(24 * 3);
		expect(new Set(waits)).toEqual(new Set([0]));
	});

	it('waits longer each time, up to a quarter of an hour', () => {
		for (let tries = 0; tries < 10; tries++) tryAs(stranger('198.51.100.7'));
		const waits = Array.from({ length: 8 }, () => {
			const wait = tryAs(stranger('198.51.100.7'));
			nowMs += wait * 1000;
			tryAs(stranger('198.51.100.7'));
			return wait;
		});
		expect(waits.slice(0, 5)).toEqual([15, 30, 60, 120, 240]);
		expect(waits).toEqual(waits.toSorted((one, other) => one - other));
		expect(waits.at(-1)).toBe(900);
	});

	it('gains nothing from the other addresses of a /64', { tags: 'thorough' }, () => {
		const addresses = Array.from({ length: 1000 }, (_, at) => `2001:db8:1:2::${at.toString(16)}`);
		expect(attack(addresses, DAY_MS)).toBeLessThan(120);
	});
});

describe('strangers on thousands of networks that try one name together', () => {
	const networks = Array.from({ length: 5000 }, (_, at) => `10.${at >> 8}.${at & 255}.1`);

	it('have fewer than 200 passwords checked in a day, and lock out no known device, no login, and no stranger for long', () => {
		const waits: number[] = [];
		const looked = attack(networks, DAY_MS, () => {
			waits.push(
				tryAs(OWNER_DEVICE),
				waitOf(() => throttle.beginOf('her login')),
			);
			throttle.succeed(OWNER_DEVICE);
			throttle.succeedOf('her login');
		});
		expect(looked).toBeLessThan(200);
		expect(new Set(waits)).toEqual(new Set([0]));
		const wait = tryAs(stranger('203.0.113.9'));
		expect(wait).toBeGreaterThan(0);
		expect(wait).toBeLessThanOrEqual(600);
		nowMs += wait * 1000;
		expect(tryAs(stranger('203.0.113.9'))).toBe(0);
	});
});

describe('a known device', () => {
	it('that guesses is delayed as well', () => {
		for (let tries = 0; tries < 10; tries++) expect(tryAs(OWNER_DEVICE)).toBe(0);
		expect(tryAs(OWNER_DEVICE)).toBe(15);
		expect(tryAs(stranger('203.0.113.9'))).toBe(0);
	});
});
