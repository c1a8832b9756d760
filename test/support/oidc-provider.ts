/** A provider of OpenID Connect over http, with signing keys of its own: issues what a test says, true or false. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Person {
	sub: string;
	email?: string;
	email_verified?: boolean;
}

interface Issued {
	person: Person;
	nonce: string;
	challenge: string;
	redirectUri: string;
}

interface Key {
	kid: string;
	privateKey: KeyObject;
	jwk: object;
}

export class OidcProvider {
	readonly clientId = 'backlay-console';
	readonly clientSecret = 'a secret of this client alone';
	/** Changes of the claims of the next tokens. */
	changes: Record<string, unknown> = {};
	/** Signs tokens with a key that the key set does not have. */
	signsWithStranger = false;
	/** Takes a code again and again, against the standard. */
	keepsCodes = false;
	/** What the token endpoint was asked for. */
	readonly tokenRequests: URLSearchParams[] = [];
	#key = newKey();
	#port = 0;
	#server: Server;
	readonly #codes = new Map<string, Issued>();

	private constructor() {
		this.#server = createServer((request, response) => void this.#answer(request, response));
	}

	static async start(): Promise<OidcProvider> {
		const provider = new OidcProvider();
		await provider.resume();
		return provider;
	}

	get issuer(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	/** Listens, at the former port where there was one. */
	async resume(): Promise<void> {
		this.#server.listen(this.#port, '127.0.0.1');
		await once(this.#server, 'listening');
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	rotateKeys(): void {
		this.#key = newKey();
	}

	/** A person logs in on the page that the browser was sent to. @returns what the browser brings back */
	logIn(url: string, person: Person): Record<string, string> {
		const asked = new URL(url).searchParams;
		const one = (name: string) => asked.get(name) ?? '';
		if (one('client_id') !== this.clientId || one('response_type') !== 'code') throw new Error('another client');
		if (one('code_challenge_method') !== 'S256') throw new Error('no PKCE');
		const code = randomBytes(16).toString('hex');
		this.#codes.set(code, {
			person,
			nonce: one('nonce'),
			challenge: one('code_challenge'),
			redirectUri: one('redirect_uri'),
		});
		return { code, state: one('state'), iss: this.issuer };
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const say = (status: number, body: object) =>
			response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
		const { issuer } = this;
		if (request.url === '/.well-known/openid-configuration') {
			say(200, {
				issuer,
				authorization_endpoint: `${issuer}/authorize`,
				token_endpoint: `${issuer}/token`,
				jwks_uri: `${issuer}/keys`,
				response_types_supported: ['code'],
				subject_types_supported: ['public'],
				id_token_signing_alg_values_supported: ['RS256'],
				authorization_response_iss_parameter_supported: true,
			});
			return;
		}
		if (request.url === '/keys') return void say(200, { keys: [this.#key.jwk] });
		if (request.url !== '/token') return void say(404, {});
		const asked = new URLSearchParams(await text(request));
		this.tokenRequests.push(asked);
		const issued = this.#codes.get(asked.get('code') ?? '');
		if (!this.keepsCodes) this.#codes.delete(asked.get('code') ?? '');
		const verifier = createHash('sha256')
			.update(asked.get('code_verifier') ?? '')
			.digest('base64url');
		const isClient = asked.get('client_secret') === this.clientSecret;
		if (!issued || !isClient || verifier !== issued.challenge || asked.get('redirect_uri') !== issued.redirectUri)
			return void say(400, { error: 'invalid_grant' });
		const now = Math.floor(Date.now() / 1000);
		const { nonce, person } = issued;
		const claims = { iss: issuer, aud: this.clientId, iat: now, exp: now + 300, nonce, ...person, ...this.changes };
		const key = this.signsWithStranger ? { ...newKey(), kid: this.#key.kid } : this.#key;
		say(200, { access_token: 'x', token_type: 'Bearer', expires_in: 300, id_token: signed(claims, key) });
	}
}

function newKey(): Key {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const kid = randomBytes(4).toString('hex');
	return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } };
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function signed(claims: object, { kid, privateKey }: Key): string {
	const body = `${encoded({ alg: 'RS256', typ: 'JWT', kid })}.${encoded(claims)}`;
	return `${body}.${sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64url')}`;
}
