/** A provider as the operator configures it, in the environment: its secrets stand nowhere else. */
import * as v from 'valibot';

export interface Provider {
	/** In addresses and tables: small letters and digits. */
	id: string;
	/** As players read it. */
	name: string;
	/** How it speaks to the wallet. */
	dialect: 'backlay';
	/** Where its games are listed, and where they are played. Without a slash at the end. */
	url: string;
	/** Where the site exchanges the casino token for a launch token. */
	door: 'login' | 'token';
	/** Secrets by key id; several while they rotate. */
	keys: ReadonlyMap<string, string>;
}

/** A provider's game as the provider lists it. */
export interface ProviderGame {
	provider: Provider;
	/** The provider's own code and number of it. */
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
	/** Two letters each. */
	countries: readonly string[];
	/** False while the provider cannot be reached, or says that the game rests. */
	isEnabled: boolean;
}

const Configured = v.array(
	v.pipe(
		v.strictObject({
			id: v.pipe(v.string(), v.regex(/^[a-z0-9]{1,20}$/)),
			name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
			dialect: v.optional(v.picklist(['backlay']), 'backlay'),
			url: v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^?#]+[^/?#]$/)),
			door: v.optional(v.picklist(['login', 'token']), 'login'),
			keys: v.record(v.pipe(v.string(), v.minLength(1)), v.pipe(v.string(), v.minLength(32))),
		}),
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
			// Said below: the message must not repeat secrets.
		}
		addIssue({
			message: 'GAME_PROVIDERS must be a JSON array of {id, name, dialect, url, door, keys}; keys have 32 characters.',
		});
		return NEVER;
	}),
);
