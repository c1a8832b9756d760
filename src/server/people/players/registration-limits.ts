/**
 * Limits registrations by the hour and text messages by the day: of one network, to one mobile, on one brand. A text
 * costs money and reaches a stranger, so each of the three is capped. One network can use up only a part of a mobile's
 * share, so the mobile's owner can still register while strangers enter that number.
 */
import type { Visitor } from '#server/people/players/players.ts';
import { RateLimit, type Taking } from '#server/people/players/rate-limit.ts';
import { networkOf } from '#values/network.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** In an hour. */
const REGISTRATIONS = { network: 30, mobileFromNetwork: 15, mobile: 60, brand: 2000 } as const;
/** In a day. */
const TEXTS = { network: 60, mobileFromNetwork: 15, mobile: 60, brand: 10_000 } as const;

/** The caps of one kind of act. */
class Caps {
	readonly #network: RateLimit;
	readonly #mobileFromNetwork: RateLimit;
	readonly #mobile: RateLimit;
	readonly #brand: RateLimit;

	constructor(
		most: typeof REGISTRATIONS | typeof TEXTS,
		factor: number,
		timing: { windowMs: number; clock: () => number },
	) {
		const limit = (count: number) => new RateLimit(count * factor, timing);
		this.#network = limit(most.network);
		this.#mobileFromNetwork = limit(most.mobileFromNetwork);
		this.#mobile = limit(most.mobile);
		this.#brand = limit(most.brand);
	}

	takings(mobile: string, { address, brand }: Visitor): Taking[] {
		const network = networkOf(address);
		return [
			[this.#network, network],
			[this.#mobileFromNetwork, `${mobile}|${network}`],
			[this.#mobile, mobile],
			[this.#brand, brand.host],
		];
	}
}

export class RegistrationLimits {
	readonly #registrations: Caps;
	readonly #texts: Caps;

	/**
	 * @param factor multiplies the limits
	 */
	constructor(factor: number, clock: () => number) {
		this.#registrations = new Caps(REGISTRATIONS, factor, { windowMs: HOUR_MS, clock });
		this.#texts = new Caps(TEXTS, factor, { windowMs: DAY_MS, clock });
	}

	/** @throws Refused THROTTLED without counting anything */
	takeRegistration(mobile: string, visitor: Visitor, { sendsText }: { sendsText: boolean }): void {
		RateLimit.takeAll([
			...this.#registrations.takings(mobile, visitor),
			...(sendsText ? this.#texts.takings(mobile, visitor) : []),
		]);
	}

	/** @throws Refused THROTTLED without counting anything */
	takeResend(mobile: string, visitor: Visitor): void {
		RateLimit.takeAll(this.#texts.takings(mobile, visitor));
	}
}
