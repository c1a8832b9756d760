/**
 * Factors of persons, staff and players alike: security keys and passkeys (WebAuthn), codes of apps, recovery codes. This
 * file has the rules of WebAuthn; who owns a key, and where it is stored, is the matter of its users.
 */
import {
	type AuthenticationResponseJSON,
	type AuthenticatorTransport,
	generateAuthenticationOptions,
	generateRegistrationOptions,
	type RegistrationResponseJSON,
	verifyAuthenticationResponse,
	verifyRegistrationResponse,
	type WebAuthnCredential,
} from '@simplewebauthn/server';

/** The site that the browser names in the signed data. */
export interface Site {
	/** The relying party's id: without scheme and port. */
	host: string;
	/** With both. */
	origin: string;
}

/** EdDSA, ES256 and RS256, as COSE numbers them: every key has one of them, and Node has them without experiments. */
const ALGORITHMS = [-8, -7, -257];

/**
 * What a key is for. A second factor follows a password, so a touch is enough. A passkey stands alone: the browser finds
 * it without a name, and the key has checked its owner by a finger, a face or a PIN.
 */
type KeyUse = 'SECOND_FACTOR' | 'PASSKEY';

/** The challenge that was given out, or a question whether one was. */
type ExpectedChallenge = string | ((challenge: string) => boolean);

interface StoredKey {
	/** Base64url. */
	keyId: string;
	transports: string[];
}

interface Expected {
	challenge: ExpectedChallenge;
	site: Site;
	use: KeyUse;
}

const demandOf = (use: KeyUse) => (use === 'PASSKEY' ? 'required' : 'discouraged');

/** The browser's options for a new key. A key that is already registered reports that. */
export const addingOptions = ({
	rpName,
	host,
	userName,
	userHandle,
	own,
	use,
	challenge,
}: {
	rpName: string;
	host: string;
	userName: string;
	/** Names the account to the key; nothing personal. */
	userHandle: Buffer;
	own: readonly StoredKey[];
	use: KeyUse;
	/** Made by the library if it is missing. */
	challenge?: Uint8Array<ArrayBuffer>;
}) =>
	generateRegistrationOptions({
		rpName,
		rpID: host,
		userName,
		userID: new Uint8Array(userHandle),
		attestationType: 'none',
		supportedAlgorithmIDs: ALGORITHMS,
		excludeCredentials: own.map(({ keyId: id }) => ({ id })),
		authenticatorSelection: { userVerification: demandOf(use), residentKey: demandOf(use) },
		...(challenge ? { challenge } : {}),
	});

/** The new key, or null if the answer is not valid for that site and challenge. */
export async function addedKey(
	response: RegistrationResponseJSON,
	{ challenge, site, use }: Expected,
): Promise<WebAuthnCredential | null> {
	const added = await verifyRegistrationResponse({
		response,
		expectedChallenge: challenge,
		expectedOrigin: site.origin,
		expectedRPID: site.host,
		supportedAlgorithmIDs: ALGORITHMS,
		requireUserVerification: use === 'PASSKEY',
		// The library throws for every invalid answer.
	}).catch(() => null);
	return added?.verified ? added.registrationInfo.credential : null;
}

/** The browser's options for showing one of these keys; none of a name for a passkey, which the browser finds. */
export const showingOptions = ({
	host,
	own,
	use,
	challenge,
}: {
	host: string;
	own: readonly StoredKey[];
	use: KeyUse;
	challenge?: Uint8Array<ArrayBuffer>;
}) =>
	generateAuthenticationOptions({
		rpID: host,
		allowCredentials: own.map(({ keyId: id, transports }) => ({
			id,
			transports: transports as AuthenticatorTransport[],
		})),
		userVerification: demandOf(use),
		...(challenge ? { challenge } : {}),
	});

/**
 * The new counter of a key that signed the challenge; null for any other answer, one with a counter that did not rise
 * among them: it comes from a copy of the key.
 */
export async function shownCounter(
	response: AuthenticationResponseJSON,
	{ keyId: id, publicKey, counter }: { keyId: string; publicKey: Uint8Array<ArrayBuffer>; counter: number },
	{ challenge, site, use }: Expected,
): Promise<number | null> {
	const shown = await verifyAuthenticationResponse({
		response,
		expectedChallenge: challenge,
		expectedOrigin: site.origin,
		expectedRPID: site.host,
		credential: { id, publicKey, counter },
		requireUserVerification: use === 'PASSKEY',
	}).catch(() => null);
	return shown?.verified ? shown.authenticationInfo.newCounter : null;
}

/**
 * The site of a brand as the browser that answered names it: any port of the brand's host, by HTTPS, or by HTTP on the
 * same machine, as browsers allow it. Another origin is none of the brand's, so no answer is valid for it.
 */
export function brandSite(host: string, clientDataJson: string): Site {
	const named = namedOrigin(clientDataJson);
	const isLocal = host === 'localhost' || host.endsWith('.localhost');
	const isOwn = named?.hostname === host && (named.protocol === 'https:' || (isLocal && named.protocol === 'http:'));
	return { host, origin: isOwn ? named.origin : `https://${host}` };
}

function namedOrigin(clientDataJson: string): URL | null {
	try {
		const { origin } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { origin?: unknown };
		return URL.parse(String(origin));
	} catch {
		return null;
	}
}
