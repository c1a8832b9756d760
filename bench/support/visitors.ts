/**
 * Visitors of the reads bench, as a process of their own: each requests a price history once a second on a connection
 * of its own.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BetConnection } from './bet-client.ts';

const [port, count] = process.argv.slice(2, 4).map(Number) as [number, number];
const path = process.argv[4] ?? '';
const EVERY_MS = 1000;
const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

const answers = new Map<number, number>();
const connections = await Promise.all(Array.from({ length: count }, () => BetConnection.open(port)));
process.on('disconnect', () => process.exit(0));
process.on('message', () => process.send?.(Object.fromEntries(answers)));
process.send?.('open');
await Promise.all(
	connections.map(async (connection, at) => {
		await delay((at / count) * EVERY_MS);
		for (;;) {
			const from = performance.now();
			const { status } = await connection.send(request);
			answers.set(status, (answers.get(status) ?? 0) + 1);
			await delay(Math.max(0, EVERY_MS - (performance.now() - from)));
		}
	}),
);
