/** The answer to what never became a request: broken HTTP, or a head beyond all measure. */
import type { Socket } from 'node:net';
import { answerOf } from '#server/http/envelope.ts';

/** Answers in the envelope like everything else, and closes. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
	if (!socket.writable || error.code === 'ECONNRESET') {
		socket.destroy();
		return;
	}
	const { status, body } = answerOf(error.code === 'HPE_HEADER_OVERFLOW' ? 'BODY_TOO_LARGE' : 'MALFORMED_JSON');
	const text = JSON.stringify(body);
	socket.end(
		`HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
			`Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
	);
}
