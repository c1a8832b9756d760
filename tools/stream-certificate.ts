/**
 * `STREAM_TLS=self npm start`: a certificate for the stream of bots, from a certificate authority of its own. The
 * authority signs this one certificate, and its key is discarded, so that a client may trust it. X.509 in DER, RFC
 * 5280.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '#values/time.ts';

export interface StreamCertificate {
	/** Files in PEM. */
	authority: string;
	certificate: string;
	key: string;
}

/** The host name that clients use if their address of the stream cannot be changed. */
export const SERVICE_HOSTS = ['stream-api.betfair.com', 'stream-api-integration.betfair.com'] as const;

/** Some clients refuse certificates with a validity of more than 825 days. */
const GOOD_DAYS = 800;
/** A certificate that ends sooner is replaced. */
const LEAST_DAYS = 30;

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
	const content = Buffer.concat(parts);
	const { length } = content;
	const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const octets = (content: Uint8Array): Buffer => der(0x04, content);
/** @param unused bits at its end */
const bits = (content: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), content);
const TRUE = der(0x01, Buffer.from([0xff]));
const explicit = (number: number, content: Uint8Array): Buffer => der(0xa0 + number, content);
/** Of whole content octets: the numbers of an object identifier as its dotted text. */
function identifier(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
	const octetsOf = (number: number): number[] => {
		const groups = [number & 127];
		for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
			groups.unshift((left & 127) | 128);
		return groups;
	};
	return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(octetsOf)]));
}
/** Until 2049 a time is written with a two-digit year. */
const time = (atMs: number): Buffer =>
	der(0x17, Buffer.from(`${new Date(atMs).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`, 'latin1'));
const named = (name: string): Buffer =>
	sequence(der(0x31, sequence(identifier('2.5.4.3'), der(0x0c, Buffer.from(name)))));

const ECDSA_WITH_SHA256 = sequence(identifier('1.2.840.10045.4.3.2'));
const extension = (id: string, value: Uint8Array, isCritical = false): Buffer =>
	sequence(identifier(id), ...(isCritical ? [TRUE] : []), octets(value));
const keyId = (publicKey: Uint8Array): Buffer => createHash('sha1').update(publicKey).digest();

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
type Keys = ReturnType<typeof newKeys>;
const publicBytes = ({ publicKey }: Keys): Buffer => publicKey.export({ type: 'spki', format: 'der' });

interface Terms {
	issuer: string;
	subject: string;
	extensions: readonly Buffer[];
	fromMs: number;
	days: number;
}

function certificateOf(subject: Keys, issuer: Keys, terms: Terms): Buffer {
	const serial = randomBytes(16);
	// A number above zero, whose first octet is no padding.
	serial[0] = ((serial[0] as number) & 0x3f) | 0x40;
	const signed = sequence(
		explicit(0, der(0x02, Buffer.from([2]))),
		der(0x02, serial),
		ECDSA_WITH_SHA256,
		named(terms.issuer),
		sequence(time(terms.fromMs), time(terms.fromMs + terms.days * DAY_MS)),
		named(terms.subject),
		publicBytes(subject),
		explicit(3, sequence(...terms.extensions)),
	);
	return sequence(signed, ECDSA_WITH_SHA256, bits(sign('sha256', signed, issuer.privateKey)));
}

const pem = (certificate: Uint8Array): string => new X509Certificate(certificate).toString();

/** The address as octets; null for a name. */
function addressOctets(host: string): Buffer | null {
	if (isIP(host) === 4) return Buffer.from(host.split('.').map(Number));
	return host === '::1' ? Buffer.concat([Buffer.alloc(15), Buffer.from([1])]) : null;
}

/** A certificate for these hosts, and that of its authority. @param hosts names and addresses */
export function makeCertificate(hosts: readonly string[], nowMs: number) {
	const [authority, server] = [newKeys(), newKeys()];
	const issuer = `Backlay stream ${randomBytes(4).toString('hex')}`;
	// Clocks that are slightly behind accept it, too.
	const validity = { issuer, fromMs: nowMs - DAY_MS, days: GOOD_DAYS };
	const authorityKeyId = keyId(publicBytes(authority));
	const ofAuthority = certificateOf(authority, authority, {
		...validity,
		subject: issuer,
		extensions: [
			extension('2.5.29.19', sequence(TRUE), true),
			extension('2.5.29.15', bits(Buffer.from([0x06]), 1), true),
			extension('2.5.29.14', octets(authorityKeyId)),
		],
	});
	const names = hosts.map((host) => {
		const address = addressOctets(host);
		return address ? der(0x87, address) : der(0x82, Buffer.from(host, 'latin1'));
	});
	const ofServer = certificateOf(server, authority, {
		...validity,
		subject: 'Backlay stream',
		extensions: [
			extension('2.5.29.19', sequence(), true),
			extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true),
			extension('2.5.29.37', sequence(identifier('1.3.6.1.5.5.7.3.1'))),
			extension('2.5.29.17', sequence(...names)),
			extension('2.5.29.14', octets(keyId(publicBytes(server)))),
			extension('2.5.29.35', sequence(der(0x80, authorityKeyId))),
		],
	});
	const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
	return { authority: pem(ofAuthority), certificate: pem(ofServer), key };
}

const ownHosts = (): string[] => {
	const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
	const v4 = addresses.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : []));
	return [...new Set(['localhost', hostname(), '127.0.0.1', '::1', ...v4, ...SERVICE_HOSTS])];
};

/** Whether the existing certificate covers these hosts for long enough. */
function isGood({ certificate, authority, key }: StreamCertificate, hosts: readonly string[], nowMs: number): boolean {
	if (![certificate, authority, key].every((file) => existsSync(file))) return false;
	const known = new X509Certificate(readFileSync(certificate));
	const covers = (host: string) => (isIP(host) === 0 ? known.checkHost(host) : known.checkIP(host)) !== undefined;
	return Date.parse(known.validTo) - nowMs > LEAST_DAYS * DAY_MS && hosts.every(covers);
}

/**
 * The files of the stream's certificate in a folder, created if they are missing, about to expire, or for other hosts.
 */
export function streamCertificate(folder: string, hosts = ownHosts(), nowMs = Date.now()): StreamCertificate {
	const files = {
		authority: join(folder, 'authority.pem'),
		certificate: join(folder, 'stream.pem'),
		key: join(folder, 'stream-key.pem'),
	};
	if (isGood(files, hosts, nowMs)) return files;
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const made = makeCertificate(hosts, nowMs);
	writeFileSync(files.key, made.key, { mode: 0o600 });
	chmodSync(files.key, 0o600);
	writeFileSync(files.certificate, made.certificate);
	writeFileSync(files.authority, made.authority);
	return files;
}

/** Instructions for a player to make a program trust the certificate. */
export const certificateLines = ({ authority }: StreamCertificate): string[] => [
	`The stream's certificate authority: ${authority}`,
	`  SSL_CERT_FILE=${authority}         for programs in Python, Go, Rust and others`,
	`  NODE_EXTRA_CA_CERTS=${authority}   for programs in Node`,
	'  In /etc/hosts, for programs whose address of the stream cannot be changed (they take STREAM_PORT=443):',
	...SERVICE_HOSTS.map((host) => `    127.0.0.1 ${host}`),
];
