/**
 * The lower bound of a webhook, as a process of its own: node:http alone, which reads the body and answers. Sends its port
 * to the process that forked it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

const RECEIVED = JSON.stringify({ success: true, result: null, error: null, unAuthorizedRequest: false });

const server = createServer((request, response) => {
	request.resume();
	request.on('end', () => response.end(RECEIVED));
});
process.on('disconnect', () => process.exit(0));

// The flood's connections are idle between its turns.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' && address ? address.port : 0);
