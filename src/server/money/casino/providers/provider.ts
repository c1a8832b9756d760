/** A provider as the operator configures it in the environment, the only place for its secrets. */
import { createPublicKey } from 'node:crypto';
import * as v from 'valibot';
import {
	LARGEST_PRIZE_MINOR,
	LARGEST_PRIZES_OF_PLAYER_MINOR,
	LARGEST_PRIZES_OF_PROVIDER_MINOR,
} from '#values/house-limits.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';

const DIALECT_NAMES = ['backlay', 'rsa', 'rgs', 'form', 'actions'] as const;
const LEAST_RSA_BITS = 2048;

export interface Provider {
	/** In addresses and tables: small letters and digits. */
	id: string;
	/** As shown to players. */
	name: string;
	/**
	 * Its protocol for the wallet: ours, signed with RSA, like the open RGS, in forms, or with several actions at once.
	 */
	dialect: (typeof DIALECT_NAMES)[number];
	/** Where its games are listed and played. Without a trailing slash. */
	url: string;
	/** Where the site exchanges the casino token for a launch token. */
	door: 'login' | 'token';
	/** By key id, several during a rotation: shared secrets, or with RSA the provider's public keys as PEM. */
	keys: ReadonlyMap<string, string>;
	/** Authenticates our request for the daily report at the provider's server; null if it has none. */
	reportKey: string | null;
	caps: PrizeCaps;
}

/** The provider's caps on money without a stake: promotions, corrections, wins of free bets. Minor units. */
export interface PrizeCaps {
	prize: AnyMinor;
	/** To and from one player in a day, UTC. */
	playerDay: AnyMinor;
	/** To and from all players. */
	providerDay: AnyMinor;
}

export const HOUSE_CAPS: PrizeCaps = {
	prize: LARGEST_PRIZE_MINOR,
	playerDay: LARGEST_PRIZES_OF_PLAYER_MINOR,
	providerDay: LARGEST_PRIZES_OF_PROVIDER_MINOR,
};

/** A provider's game as the provider lists it. */
export interface ProviderGame {
	provider: Provider;
	/** The provider's own code and number for it. */
	code: string;
	id: string;
	name: string;
	summary: string;
	rules: readonly string[];
	/** In per cent. */
	returnPercent: number;
	/** Rupees. */
	minStake: number;
	maxStake: number;
	maxPayout: number;
	/** The largest win of a free bet; null if the provider names none, and the house's limit applies. */
	maxFreeWin: number | null;
	/** Two letters each. */
	countries: readonly string[];
	/** False while the provider is unreachable or reports the game as resting. */
	isEnabled: boolean;
}

function isRsaKey(pem: string): boolean {
	try {
		const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
		return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_RSA_BITS;
	} catch {
		return false;
	}
}

const Secret = v.pipe(v.string(), v.minLength(32));

/** Configured in rupees, kept in minor units. */
const Cap = v.pipe(
	v.number(),
	v.safeInteger(),
	v.minValue(0),
	v.transform((rupees) => rupees * MINOR_PER_MAJOR),
);
const Caps = v.strictObject({
	prize: v.optional(Cap, HOUSE_CAPS.prize / MINOR_PER_MAJOR),
	playerDay: v.optional(Cap, HOUSE_CAPS.playerDay / MINOR_PER_MAJOR),
	providerDay: v.optional(Cap, HOUSE_CAPS.providerDay / MINOR_PER_MAJOR),
});

const Configured = v.array(
	v.pipe(
		v.strictObject({
			id: v.pipe(v.string(), v.regex(/^[a-z0-9]{1,20}$/)),
			name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
			dialect: v.optional(v.picklist(DIALECT_NAMES), 'backlay'),
			url: v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^?#]+[^/?#]$/)),
			door: v.optional(v.picklist(['login', 'token']), 'login'),
			keys: v.record(v.pipe(v.string(), v.minLength(1)), Secret),
			reportKey: v.optional(v.nullable(Secret), null),
			caps: v.optional(Caps, {}),
		}),
		v.check(({ dialect, keys }) => dialect !== 'rsa' || Object.values(keys).every(isRsaKey)),
		v.transform(({ keys, ...provider }): Provider => ({ ...provider, keys: new Map(Object.entries(keys)) })),
	),
);

/** `GAME_PROVIDERS`: a JSON array. */
export const GameProviders = v.pipe(
	v.string(),
	v.rawTransform(({ dataset, addIssue, NEVER }): Provider[] => {
		try {
			const providers = v.parse(Configured, JSON.parse(dataset.value));
			if (new Set(providers.map(({ id }) => id)).size === providers.length) return providers;
		} catch {
			// The cause is left out, because its message would repeat secrets.
		}
		addIssue({
			message:
				'GAME_PROVIDERS must be a JSON array of {id, name, dialect, url, door, keys, reportKey, caps}; secrets have 32 characters, RSA keys 2048 bits.',
		});
		return NEVER;
	}),
);
