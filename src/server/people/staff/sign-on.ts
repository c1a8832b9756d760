/**
 * The company's own log-in, by OpenID Connect: the authorization code flow with PKCE. It says who asks, in place of a
 * name and a password; who that is among the staff, what the member may do, and the second factor stay ours. Each
 * log-in asks the issuer for its keys again, so a key that was replaced is known at once.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { RateLimit } from '#server/people/players/rate-limit.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { Refused } from '#values/error-catalogue.ts';
import { networkOf } from '#values/network.ts';

export interface SignOnConfig {
	issuer: string;
	clientId: string;
	clientSecret: string;
	/** As members call it; the console's button says so. */
	name: string;
}

/** What the issuer vouches for. */
export interface SignedOn {
	issuer: string;
	subject: string;
	/** In lower case; null unless the issuer has verified it. */
	email: string | null;
}

interface Pending {
	metadata: client.ServerMetadata;
	redirectUri: string;
	verifier: string;
	nonce: string;
	/** Of the browser that began: another one cannot end it. */
	browserHash: string;
	untilMs: number;
}

interface SignOnOptions {
	config: SignOnConfig;
	/** Plain http is for tests alone. */
	production: boolean;
	/** Milliseconds that only rise. */
	clock?: () => number;
	rateLimitFactor: number;
}

/** How long a member may take at the issuer. */
const PENDING_MS = 10 * 60_000;
const MOST_PENDING = 500;
/** The issuer is asked for its addresses once for log-ins that begin together. */
const METADATA_MS = 30_000;
const TIMEOUT_SECONDS = 5;
/** Seconds by which the clocks may differ. */
const CLOCK_TOLERANCE = 60;
const BEGUN_A_MINUTE = 20;

export class SignOn {
	readonly #options: SignOnOptions;
	readonly #clock: () => number;
	/** By state: each is used once. */
	readonly #pending = new Map<string, Pending>();
	readonly #limit: RateLimit;
	#metadata: { found: Promise<client.ServerMetadata>; atMs: number } | null = null;

	constructor(options: SignOnOptions) {
		this.#options = options;
		this.#clock = options.clock ?? (() => performance.now());
		const timing = { windowMs: 60_000, clock: this.#clock };
		this.#limit = new RateLimit(BEGUN_A_MINUTE * options.rateLimitFactor, timing);
	}

	get name(): string {
		return this.#options.config.name;
	}

	get issuer(): string {
		return this.#options.config.issuer;
	}

	/**
	 * @param redirectUri of the console, where the issuer sends the browser back to
	 * @returns the issuer's address, and a token for a cookie of this browser
	 * @throws Refused SIGN_ON_AWAY, THROTTLED
	 */
	async begin(redirectUri: string, address: string): Promise<{ url: string; browser: string }> {
		this.#limit.take(networkOf(address));
		const metadata = await this.#discovered();
		const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
		const browser = randomBytes(32).toString('base64url');
		const untilMs = this.#clock() + PENDING_MS;
		this.#forgetOld();
		this.#pending.set(state, { metadata, redirectUri, verifier, nonce, browserHash: hashOf(browser), untilMs });
		const url = client.buildAuthorizationUrl(this.#configuration(metadata), {
			redirect_uri: redirectUri,
			scope: 'openid email',
			state,
			nonce,
			code_challenge: await client.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256',
		});
		return { url: url.href, browser };
	}

	/**
	 * Exchanges the issuer's code, and checks the identity's signature, audience, times and nonce.
	 * @param answer the parameters with which the browser came back
	 * @throws Refused SIGN_ON_REFUSED for every cause but an issuer that does not answer: SIGN_ON_AWAY
	 */
	async finish(answer: Readonly<Record<string, string>>, browser: string): Promise<SignedOn> {
		const { state = '' } = answer;
		const pending = this.#pending.get(state);
		// Only the browser that began may use it up.
		if (!pending || !isSameSecret(hashOf(browser), pending.browserHash)) throw new Refused('SIGN_ON_REFUSED');
		this.#pending.delete(state);
		if (pending.untilMs < this.#clock()) throw new Refused('SIGN_ON_REFUSED');
		const back = new URL(pending.redirectUri);
		for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
		const { verifier: pkceCodeVerifier, nonce: expectedNonce } = pending;
		const checks = { pkceCodeVerifier, expectedNonce, expectedState: state, idTokenExpected: true };
		try {
			const tokens = await client.authorizationCodeGrant(this.#configuration(pending.metadata), back, checks);
			const claims = tokens.claims();
			if (!claims) throw new Refused('SIGN_ON_REFUSED');
			const { email, email_verified: isVerified } = claims;
			const isKnown = typeof email === 'string' && isVerified === true;
			return { issuer: this.issuer, subject: claims.sub, email: isKnown ? email.toLowerCase() : null };
		} catch (error) {
			throw new Refused(isAway(error) ? 'SIGN_ON_AWAY' : 'SIGN_ON_REFUSED');
		}
	}

	/** Whether the issuer answers, for the doctor. */
	async answers(): Promise<boolean> {
		return await this.#discovered().then(
			() => true,
			() => false,
		);
	}

	/** @throws Refused SIGN_ON_AWAY */
	async #discovered(): Promise<client.ServerMetadata> {
		const now = this.#clock();
		if (!this.#metadata || now - this.#metadata.atMs > METADATA_MS) {
			const found = this.#discover();
			this.#metadata = { found, atMs: now };
			// What failed is asked for again at once.
			found.catch(() => {
				if (this.#metadata?.found === found) this.#metadata = null;
			});
		}
		try {
			return await this.#metadata.found;
		} catch {
			throw new Refused('SIGN_ON_AWAY');
		}
	}

	async #discover(): Promise<client.ServerMetadata> {
		const { issuer, clientId } = this.#options.config;
		const execute = this.#options.production ? [] : [client.allowInsecureRequests];
		const options = { timeout: TIMEOUT_SECONDS, execute };
		const configuration = await client.discovery(new URL(issuer), clientId, undefined, undefined, options);
		return configuration.serverMetadata();
	}

	/** A new one has fetched no keys yet. */
	#configuration(metadata: client.ServerMetadata): client.Configuration {
		const { config, production } = this.#options;
		const { clientId, clientSecret } = config;
		const about = { [client.clockTolerance]: CLOCK_TOLERANCE, client_secret: clientSecret };
		const configuration = new client.Configuration(metadata, clientId, about);
		configuration.timeout = TIMEOUT_SECONDS;
		// The signature counts, and not only the connection by which the token came.
		client.enableNonRepudiationChecks(configuration);
		if (!production) client.allowInsecureRequests(configuration);
		return configuration;
	}

	#forgetOld(): void {
		const now = this.#clock();
		for (const [state, { untilMs }] of this.#pending) {
			if (untilMs >= now && this.#pending.size < MOST_PENDING) return;
			this.#pending.delete(state);
		}
	}
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A connection that failed, or took too long; what the issuer answered is a refusal. */
function isAway(error: unknown): boolean {
	const { code = '', name = '' } = error as { code?: string; name?: string };
	return code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && code === '') || /^E[A-Z]+$/.test(code);
}
