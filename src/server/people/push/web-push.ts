/**
 * Notifications of players' browsers. This file has the protocol: messages are encrypted for the browser alone (RFC 8291
 * over RFC 8188) and signed by the server's key (VAPID, RFC 8292), so the push service between reads and forges none.
 */
import {
	createCipheriv,
	createECDH,
	createPrivateKey,
	type ECDH,
	hkdfSync,
	type KeyObject,
	randomBytes,
	sign,
} from 'node:crypto';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const SECRET_BYTES = 16;
const SALT_BYTES = 16;
const RECORD_BYTES = 4096;
/** The delimiter of the last record. */
const LAST_RECORD = 2;
/** At most a day by RFC 8292. */
const SIGNED_FOR_SECONDS = 12 * 3600;

/** A browser's keys. */
export interface PushKeys {
	/** P-256, uncompressed. */
	publicKey: Buffer;
	secret: Buffer;
}

/** The server's key. */
export interface VapidKey {
	/** P-256, uncompressed. */
	publicKey: Buffer;
	privateKey: KeyObject;
}

/** Whether these are keys of a browser: a point of the curve, and a secret of its length. */
export function arePushKeys({ publicKey, secret }: PushKeys): boolean {
	if (publicKey.length !== POINT_BYTES || secret.length !== SECRET_BYTES) return false;
	try {
		const any = createECDH(CURVE);
		any.generateKeys();
		any.computeSecret(publicKey);
		return true;
	} catch {
		return false;
	}
}

/** The same key for the same secret, so that subscriptions outlive a start. */
export function vapidKeyOf(serverSecret: string): VapidKey {
	const pair = createECDH(CURVE);
	// All but one number of four thousand million is a key; another number is tried then.
	for (let attempt = 0; ; attempt++) {
		try {
			pair.setPrivateKey(Buffer.from(hkdfSync('sha256', serverSecret, '', `web push ${attempt}`, 32)));
			break;
		} catch (error) {
			if (attempt > 9) throw error;
		}
	}
	const publicKey = pair.getPublicKey();
	const coordinate = (from: number) => publicKey.subarray(from, from + 32).toString('base64url');
	const d = pair.getPrivateKey().toString('base64url').padStart(43, 'A');
	const key = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d };
	return { publicKey, privateKey: createPrivateKey({ key, format: 'jwk' }) };
}

/**
 * The body of a push message: one record, readable by that browser alone.
 * @param text at most some 3,900 bytes
 * @param fixed of the RFC's example; random for each message otherwise
 */
export function encryptedFor(
	{ publicKey, secret }: PushKeys,
	text: string,
	fixed: { pair?: ECDH; salt?: Buffer } = {},
): Buffer {
	const pair = fixed.pair ?? freshPair();
	const salt = fixed.salt ?? randomBytes(SALT_BYTES);
	const own = pair.getPublicKey();
	const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, own]);
	const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(publicKey), secret, info, 32));
	const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16));
	const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12));
	const cipher = createCipheriv('aes-128-gcm', key, nonce);
	const plain = Buffer.concat([Buffer.from(text), Buffer.from([LAST_RECORD])]);
	const head = Buffer.alloc(SALT_BYTES + 5);
	salt.copy(head);
	head.writeUInt32BE(RECORD_BYTES, SALT_BYTES);
	head.writeUInt8(own.length, SALT_BYTES + 4);
	return Buffer.concat([head, own, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function freshPair(): ECDH {
	const pair = createECDH(CURVE);
	pair.generateKeys();
	return pair;
}

/**
 * The header that names the sender to a push service.
 * @param contact an address of the sender, such as https://example.org
 */
export function vapidHeader(
	{ publicKey, privateKey }: VapidKey,
	endpoint: string,
	contact: string,
	nowMs: number,
): string {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const claims = {
		aud: new URL(endpoint).origin,
		exp: Math.floor(nowMs / 1000) + SIGNED_FOR_SECONDS,
		sub: contact,
	};
	const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
	const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
	return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey.toString('base64url')}`;
}
