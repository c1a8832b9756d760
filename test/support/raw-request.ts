/**
 * A request written by hand, for requests that a well-behaved client never sends; the server closes the connection
 * after its answer.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
	status: number;
	/** By name in lower case. */
	headers: Record<string, string>;
	body: string;
}

/** @param lines the request line and the headers, without the one that closes the connection */
export async function rawRequest(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	await once(socket, 'connect');
	const chunks: Buffer[] = [];
	socket.on('data', (chunk) => chunks.push(chunk));
	const closed = once(socket, 'close');
	socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
	await closed;
	const text = Buffer.concat(chunks).toString('utf8');
	const headEnd = text.indexOf('\r\n\r\n');
	const [first = '', ...rest] = text.slice(0, headEnd).split('\r\n');
	const headers = rest.map((line): [string, string] => {
		const colon = line.indexOf(':');
		return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
	});
	return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body: text.slice(headEnd + 4) };
}

/** A GET under that Host header. */
export const getUnder = (url: string, host: string, path: string, more: readonly string[] = []): Promise<RawAnswer> =>
	rawRequest(url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more]);
