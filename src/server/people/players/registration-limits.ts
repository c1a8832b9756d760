/**
 * Limits registrations by the hour and text messages by the day: of one network, to one mobile, on one brand. A text
 * costs money and reaches a stranger, so each of the three is capped. One network can use up only a part of a mobile's
 * share, so the mobile's owner can still register while strangers enter that number. Some networks together can use up the
 * mobile, so codes for a browser that has logged in to the account count by the account instead.
 */
import type { Visitor } from '#server/people/players/players.ts';
import { RateLimit, type Taking } from '#server/people/players/rate-limit.ts';
import type { PlayerId } from '#values/ids.ts';
import { networkOf } from '#values/network.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** In an hour. */
const REGISTRATIONS = { network: 30, mobileFromNetwork: 15, mobile: 60, brand: 2000 } as const;
/** In a day. */
const TEXTS = { network: 60, mobileFromNetwork: 15, mobile: 60, brand: 10_000 } as const;
/** In a day, to one account's contacts, for the browsers that have logged in to it. */
const TEXTS_OF_ACCOUNT = 15;

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
			this.ofBrand(brand.host),
		];
	}

	ofBrand(host: string): Taking {
		return [this.#brand, host];
	}
}

export class RegistrationLimits {
	readonly #registrations: Caps;
	readonly #texts: Caps;
	readonly #textsOfAccount: RateLimit;

	/**
	 * @param factor multiplies the limits
	 */
	constructor(factor: number, clock: () => number) {
		this.#registrations = new Caps(REGISTRATIONS, factor, { windowMs: HOUR_MS, clock });
		this.#texts = new Caps(TEXTS, factor, { windowMs: DAY_MS, clock });
		this.#textsOfAccount = new RateLimit(TEXTS_OF_ACCOUNT * factor, { windowMs: DAY_MS, clock });
	}

	/** @throws Refused THROTTLED without counting anything */
	takeRegistration(mobile: string, visitor: Visitor, { sendsText }: { sendsText: boolean }): void {
		RateLimit.takeAll([
			...this.#registrations.takings(mobile, visitor),
			...(sendsText ? this.#texts.takings(mobile, visitor) : []),
		]);
	}

	/**
	 * A text to the account's own contact, for a browser that has logged in to it: strangers use up nothing of these.
	 * @throws Refused THROTTLED without counting anything
	 */
	takeForAccount(playerId: PlayerId, { brand }: Pick<Visitor, 'brand'>): void {
		RateLimit.takeAll([[this.#textsOfAccount, String(playerId)], this.#texts.ofBrand(brand.host)]);
	}

	/** @throws Refused THROTTLED without counting anything */
	takeResend(mobile: string, visitor: Visitor): void {
		RateLimit.takeAll(this.#texts.takings(mobile, visitor));
	}
}
