/** How many registrations and texts there may be: by network, mobile and brand, as time passes. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Visitor } from '#server/people/players/players.ts';
import { RegistrationLimits } from '#server/people/players/registration-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

const MOBILE = '+919800000000';

let nowMs: number;
let limits: RegistrationLimits;
beforeEach(() => {
	nowMs = 0;
	limits = new RegistrationLimits(1, () => nowMs);
});

const from = (address: string, host = 'localhost') => ({ address, brand: { host } }) as Visitor;
const network = (at: number) => from(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
const mobile = (at: number) => `+9198${String(at).padStart(8, '0')}`;

/** How often an act is let through before it is throttled, of N times. */
function letThrough(times: number, act: (at: number) => void): number {
	for (let at = 0; at < times; at++) {
		try {
			act(at);
		} catch (error) {
			if (error instanceof Refused && error.code === 'THROTTLED') return at;
			throw error;
		}
	}
	return times;
}

const registerWithoutText = (mobileOf: string, visitor: Visitor) =>
	limits.takeRegistration(mobileOf, visitor, { sendsText: false });

describe('registrations in an hour', () => {
	it('are thirty from one network', () => {
		const act = (at: number) => registerWithoutText(mobile(at), from('2001:db8::1'));
		expect(letThrough(100, act)).toBe(30);
		nowMs = HOUR_MS;
		expect(letThrough(100, act)).toBe(30);
	});

	it('are fifteen with one mobile from one network, and sixty from all', () => {
		expect(letThrough(100, () => registerWithoutText(MOBILE, network(0)))).toBe(15);
		expect(letThrough(100, (at) => registerWithoutText(MOBILE, network(at + 1)))).toBe(45);
		expect(letThrough(1, () => registerWithoutText(mobile(1), network(200)))).toBe(1);
	});

	it('are two thousand on one brand', () => {
		expect(letThrough(3000, (at) => registerWithoutText(mobile(at), network(at)))).toBe(2000);
		expect(letThrough(1, () => registerWithoutText(mobile(0), from('10.9.9.9', 'royal.localhost')))).toBe(1);
	});
});

describe('texts in a day', () => {
	/** Codes asked for again, each for another registration, a thousand an hour. */
	const textEachHour = (times: number, visitorOf: (at: number) => Visitor, mobileOf: (at: number) => string) =>
		letThrough(times, (at) => {
			if (at % 1000 === 999) nowMs += HOUR_MS;
			limits.takeResend(mobileOf(at), visitorOf(at));
		});

	it('are sixty from one network', () => {
		expect(textEachHour(100, () => from('10.1.1.1'), mobile)).toBe(60);
		nowMs += DAY_MS;
		expect(textEachHour(100, () => from('10.1.1.1'), mobile)).toBe(60);
	});

	it('are fifteen to one mobile from one network, and sixty from all', () => {
		expect(
			textEachHour(
				100,
				() => network(0),
				() => MOBILE,
			),
		).toBe(15);
		expect(
			textEachHour(
				100,
				(at) => network(at + 1),
				() => MOBILE,
			),
		).toBe(45);
	});

	it('are fifteen to an account for browsers that have logged in to it, whatever strangers had sent to its mobile', () => {
		for (let at = 0; at < 4; at++) letThrough(15, () => limits.takeResend(MOBILE, network(at)));
		expect(letThrough(1, () => limits.takeResend(MOBILE, network(9)))).toBe(0);
		expect(letThrough(100, () => limits.takeForAccount(1 as PlayerId, network(0)))).toBe(15);
		expect(letThrough(1, () => limits.takeForAccount(2 as PlayerId, network(0)))).toBe(1);
		nowMs += DAY_MS;
		expect(letThrough(100, () => limits.takeForAccount(1 as PlayerId, network(0)))).toBe(15);
	});

	it('are ten thousand on one brand', () => {
		expect(textEachHour(20_000, network, mobile)).toBe(10_000);
	});

	it('do not count a refused registration', () => {
		expect(letThrough(100, () => registerWithoutText(MOBILE, network(0)))).toBe(15);
		for (let tries = 0; tries < 50; tries++) letThrough(1, () => registerWithoutText(MOBILE, network(0)));
		expect(letThrough(100, (at) => registerWithoutText(mobile(at + 1), network(0)))).toBe(15);
	});
});
