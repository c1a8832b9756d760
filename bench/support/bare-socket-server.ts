/**
 * The lower bound of a hub, as a process of its own: `ws` alone. It echoes messages and broadcasts as often and as long
 * as the hub does for a market's book. Sends its port to the process that forked it.
 */
import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';

const BROADCAST_EVERY_MS = 50;
const BROADCAST = 'x'.repeat(400);

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
const clients = new Set<WebSocket>();
server.on('connection', (client) => {
	clients.add(client);
	client.on('message', (data) => client.send(String(data)));
	client.on('close', () => clients.delete(client));
});
setInterval(() => {
	for (const client of clients) client.send(BROADCAST);
}, BROADCAST_EVERY_MS);
process.on('disconnect', () => process.exit(0));

await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' && address ? address.port : 0);
