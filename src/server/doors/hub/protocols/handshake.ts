/** The handshake: the client's first message, which is JSON in every protocol, and its answer. */
import type { Encoded, TransferFormat } from '#server/doors/hub/protocols/protocol.ts';

/** Ends a JSON record. */
export const SEPARATOR = 0x1e;
const LARGEST_HANDSHAKE_BYTES = 1024;

interface Handshake {
	protocol: string;
	version: number;
	/** The bytes that arrived behind it. */
	rest: Buffer;
}

/**
 * @param data the bytes of the connection so far
 * @returns null while the handshake is incomplete
 * @throws if it is not a handshake
 */
export function readHandshake(data: Buffer): Handshake | null {
	const end = data.indexOf(SEPARATOR);
	if (end > LARGEST_HANDSHAKE_BYTES || (end < 0 && data.length > LARGEST_HANDSHAKE_BYTES)) {
		throw new Error('a handshake without its end');
	}
	if (end < 0) return null;
	const { protocol, version } = Object(JSON.parse(data.toString('utf8', 0, end))) as Record<string, unknown>;
	if (typeof protocol !== 'string' || !Number.isInteger(version)) throw new Error('a handshake without a protocol');
	return { protocol, version: version as number, rest: data.subarray(end + 1) };
}

/** @param format of the chosen protocol, used by the bytes that follow */
export function handshakeAnswer(format: TransferFormat, error?: string): Encoded {
	return {
		bytes: Buffer.concat([Buffer.from(JSON.stringify(error ? { error } : {})), Buffer.of(SEPARATOR)]),
		format,
	};
}
