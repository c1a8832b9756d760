/** Answers bytes that never became a request: broken HTTP, an oversized head, or one that does not arrive. */
import type { Socket } from 'node:net';
import { answerOf } from '#server/doors/http/envelope.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';

/** Node's error codes that have a refusal of their own. */
const CODES: Record<string, ErrorCode> = {
	HPE_HEADER_OVERFLOW: 'BODY_TOO_LARGE',
	ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
};

/** Answers in the envelope and closes the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
	if (!socket.writable || error.code === 'ECONNRESET') {
		socket.destroy();
		return;
	}
	const { status, body } = answerOf(CODES[error.code ?? ''] ?? 'MALFORMED_JSON');
	const text = JSON.stringify(body);
	// A client that does not close its end is cut off.
	socket.once('finish', () => socket.destroy());
	socket.end(
		`HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
			`Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
	);
}
