/**
 * How often a password may be tried. A try is counted for what it comes from, never for the name alone, so that a stranger
 * cannot keep an owner out by trying the owner's name:
 *
 * - A device that logged in as this player before (`known-devices.ts`) is counted by itself.
 * - Any other try is counted for the account and its network together, and for the network in all its tries.
 * - Tries of strangers at one account are also counted together, which slows down a guess that comes from many networks.
 *   Known devices and logged-in players never wait for it.
 */
import { BackOff, type BackOffPolicy } from '#server/players/back-off.ts';
import { RateLimit, throttled } from '#server/players/rate-limit.ts';
import { networkOf } from '#values/network.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** One network at one account. */
const NETWORK: BackOffPolicy = { free: 10, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS };
/** A device or a login that has shown the password before: its owner mistypes, or its thief guesses. */
const KNOWN: BackOffPolicy = { free: 10, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS };
/**
 * All strangers at one account, 144 tries a day after the first ones. Forgets faster than one network at its longest wait
 * can try, so that a single network never makes other strangers wait.
 */
const STRANGERS: BackOffPolicy = { free: 30, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 10 * MINUTE_MS };
/** Passwords a network may try in a minute, whatever the names. */
const TRIES_A_MINUTE = 20;

export interface Try {
	/** The account's brand and folded name, whether or not there is such an account. */
	account: string;
	address: string;
	/** The device that logged in as this player before; null for a stranger. */
	deviceId: string | null;
}

const multiplied = (policy: BackOffPolicy, factor: number): BackOffPolicy => ({
	...policy,
	free: Math.max(1, Math.floor(policy.free * factor)),
});

/** 90,000 ms → "2 minutes". */
function inWords(waitMs: number): string {
	const seconds = Math.ceil(waitMs / SECOND_MS);
	const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const refuseFor = (waitMs: number): void => {
	if (waitMs > 0) throw throttled(waitMs, `Too many attempts. Please wait ${inWords(waitMs)} and try again.`);
};

export class LoginThrottle {
	readonly #networks: BackOff;
	readonly #known: BackOff;
	readonly #strangers: BackOff;
	readonly #addresses: RateLimit;

	/** @param factor multiplies how many tries are free */
	constructor(factor: number, clock: () => number) {
		this.#networks = new BackOff(multiplied(NETWORK, factor), clock);
		this.#known = new BackOff(multiplied(KNOWN, factor), clock);
		this.#strangers = new BackOff(multiplied(STRANGERS, factor), clock);
		this.#addresses = new RateLimit(TRIES_A_MINUTE * factor, { clock });
	}

	/** Counts a try before the password is looked at. @throws Refused THROTTLED, with the seconds to wait */
	begin(tried: Try): void {
		if (tried.deviceId !== null) return this.#beginKnown(deviceKey(tried));
		const key = networkKey(tried);
		refuseFor(this.#networks.waitMs(key));
		this.#addresses.take(networkOf(tried.address));
		this.#networks.count(key);
		// Counted for its network although it is refused: a network that keeps asking for the next turn waits longer for it,
		// so an owner on a new device gets one among many networks that guess.
		refuseFor(this.#strangers.waitMs(tried.account));
		this.#strangers.count(tried.account);
	}

	/** The password was right. */
	succeed(tried: Try): void {
		if (tried.deviceId !== null) return this.#known.forgive(deviceKey(tried));
		this.#networks.forgive(networkKey(tried));
		this.#strangers.uncount(tried.account);
	}

	/** The same for the current password of a logged-in player. @throws Refused THROTTLED */
	beginOf(loginId: string): void {
		this.#beginKnown(loginKey(loginId));
	}

	succeedOf(loginId: string): void {
		this.#known.forgive(loginKey(loginId));
	}

	#beginKnown(key: string): void {
		refuseFor(this.#known.waitMs(key));
		this.#known.count(key);
	}
}

const networkKey = ({ account, address }: Try): string => `${networkOf(address)}|${account}`;
const deviceKey = ({ account, deviceId }: Try): string => `device|${deviceId}|${account}`;
const loginKey = (loginId: string): string => `login|${loginId}`;
