/**
 * The rate limit of password attempts. Attempts are counted by their origin, never by the name alone, so that a
 * stranger cannot lock an owner out by trying the owner's name:
 *
 * - A device that logged in as this player before (`known-devices.ts`) has a count of its own, and so has a bot with
 *   one of the player's own app keys.
 * - Any other attempt counts for the account and its network together, and for the network across all accounts.
 * - Attempts of strangers at one account are also counted together, which slows down a guess from many networks. Known
 *   devices and logged-in players are never delayed by it.
 */
import { AttemptBackOff, type BackOffPolicy } from '#server/people/players/back-off.ts';
import { RateLimit, throttled } from '#server/people/players/rate-limit.ts';
import { networkOf } from '#values/network.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** One network at one account. */
const NETWORK: BackOffPolicy = { free: 10, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS };
/** A device or login that showed the password before: either its owner mistypes, or its thief guesses. */
const KNOWN: BackOffPolicy = { free: 10, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 15 * MINUTE_MS };
/**
 * All strangers at one account: 144 attempts a day after the free ones. It forgets faster than one network at its
 * longest wait can try, so a single network never makes other strangers wait.
 */
const STRANGERS: BackOffPolicy = { free: 30, firstWaitMs: 15 * SECOND_MS, longestWaitMs: 10 * MINUTE_MS };
/** Password attempts of a network per minute, across all names. */
const TRIES_A_MINUTE = 20;

interface Try {
	/** The account's brand and folded name, whether or not the account exists. */
	account: string;
	address: string;
	/** The device that logged in as this account before, or the player's own app key; null for a stranger. */
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
	readonly #networks: AttemptBackOff;
	readonly #known: AttemptBackOff;
	readonly #strangers: AttemptBackOff;
	readonly #addresses: RateLimit;

	/**
	 * @param factor multiplies the free attempts
	 */
	constructor(factor: number, clock: () => number) {
		this.#networks = new AttemptBackOff(multiplied(NETWORK, factor), clock);
		this.#known = new AttemptBackOff(multiplied(KNOWN, factor), clock);
		this.#strangers = new AttemptBackOff(multiplied(STRANGERS, factor), clock);
		this.#addresses = new RateLimit(TRIES_A_MINUTE * factor, { clock });
	}

	/** Counts an attempt before the password is checked. @throws Refused THROTTLED, with the seconds to wait */
	begin(tried: Try): void {
		if (tried.deviceId !== null) return this.#beginKnown(deviceKey(tried));
		const key = networkKey(tried);
		refuseFor(this.#networks.waitMs(key));
		this.#addresses.take(networkOf(tried.address));
		this.#networks.count(key);
		// A refused attempt counts for its network, too: a network that keeps trying waits longer, so that an owner on a
		// new device gets a turn among many guessing networks.
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
