/**
 * The provider and a forger of the webhooks bench, as a process of their own: a few events, sent over and over, and as many
 * with a wrong signature. A message says how many a second, and for how long; the answer counts statuses.
 */

import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { BetConnection } from './bet-client.ts';
import { steadily } from './steadily.ts';

const CONNECTIONS = 32;
const EVENTS = 50;

const port = Number(process.argv[2]);
const { id, secret } = simulatorKey(process.env['TOKEN_KEY'] ?? '');

function requestOf(event: number, isForged: boolean): string {
	const word = {
		reference: `NONE${event}`,
		providerId: 'bench',
		status: 'SUCCESS',
		amount: 50_000,
		utr: String(500_000_000_000 + event),
	};
	const body = JSON.stringify({ eventId: `bench-${event}`, word });
	const timestamp = String(Date.now());
	const signature = signatureOf(isForged ? 'another secret' : secret, timestamp, Buffer.from(body));
	return (
		`POST /api/Payment/Webhook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
		`X-Payment-Key-Id: ${id}\r\nX-Payment-Timestamp: ${timestamp}\r\nX-Payment-Signature: ${signature}\r\n` +
		`Content-Length: ${body.length}\r\n\r\n${body}`
	);
}

const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => BetConnection.open(port)));
process.on('disconnect', () => process.exit(0));
process.on('message', async ({ perSecond, forMs }: { perSecond: number; forMs: number }) => {
	// Signed once: they stay within the window of a minute's bench.
	const requests = Array.from({ length: EVENTS * 2 }, (_, at) => requestOf(at >> 1, at % 2 === 1));
	const answers: Record<string, number> = {};
	let sent = 0;
	await steadily(perSecond, forMs, async () => {
		const connection = await BetConnection.from(idle, port);
		const { status } = await connection.send(requests[sent++ % requests.length] as string);
		answers[status] = (answers[status] ?? 0) + 1;
		idle.push(connection);
	});
	process.send?.(answers);
});
process.send?.('open');
