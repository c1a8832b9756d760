/** A passkey in software: what an authenticator answers (WebAuthn, level 3), and what a forged one would. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** CBOR of the few kinds that a key's answer has. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
	const head = (major: number, size: number) =>
		size < 24
			? Buffer.from([(major << 5) | size])
			: size < 256
				? Buffer.from([(major << 5) | 24, size])
				: Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
	if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
	if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
	if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
	const entries = [...value].flatMap(([key, entry]) => [cbor(key), cbor(entry as never)]);
	return Buffer.concat([head(5, value.size), ...entries]);
}

interface Circumstances {
	/** The page that asks. */
	origin: string;
	/** The relying party's id. */
	host?: string;
	/** Whether a finger, a face or a PIN was checked. */
	isVerified?: boolean;
}

export class SoftwareKey {
	readonly id = randomBytes(16).toString('base64url');
	readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	counter = 0;
	/** Many passkeys are on several devices and do not count: theirs is always 0. */
	readonly #isCounting: boolean;

	constructor({ isCounting = true } = {}) {
		this.#isCounting = isCounting;
	}

	/** The answer to the options for a new key. */
	added(challenge: string, { origin, host, isVerified = true }: Circumstances) {
		const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' });
		const cose = new Map<number, unknown>([
			[1, 2],
			[3, -7],
			[-1, 1],
			[-2, Buffer.from(x, 'base64url')],
			[-3, Buffer.from(y, 'base64url')],
		]);
		const id = Buffer.from(this.id, 'base64url');
		const data = Buffer.concat([
			this.#head(host ?? new URL(origin).hostname, isVerified, HAS_KEY),
			Buffer.alloc(16),
			Buffer.from([0, id.length]),
			id,
			cbor(cose),
		]);
		const attestation = new Map<string, unknown>([
			['fmt', 'none'],
			['attStmt', new Map()],
			['authData', data],
		]);
		return this.#answer({
			clientDataJSON: clientData('webauthn.create', challenge, origin),
			attestationObject: cbor(attestation).toString('base64url'),
		});
	}

	/** The answer to the options for a log-in; the counter rises. */
	shown(challenge: string, { origin, host, isVerified = true }: Circumstances) {
		if (this.#isCounting) this.counter += 1;
		const clientDataJSON = clientData('webauthn.get', challenge, origin);
		const data = this.#head(host ?? new URL(origin).hostname, isVerified, 0);
		const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
		return this.#answer({
			clientDataJSON,
			authenticatorData: data.toString('base64url'),
			signature: createSign('sha256').update(signed).sign(this.#pair.privateKey).toString('base64url'),
		});
	}

	#answer<Response extends { clientDataJSON: string }>(response: Response) {
		return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {}, response };
	}

	#head(host: string, isVerified: boolean, more: number): Buffer {
		const counter = Buffer.alloc(4);
		counter.writeUInt32BE(this.counter);
		return Buffer.concat([
			sha256(host),
			Buffer.from([USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more]),
			counter,
		]);
	}
}

const clientData = (type: string, challenge: string, origin: string): string =>
	Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
