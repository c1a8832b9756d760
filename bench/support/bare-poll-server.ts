/**
 * The lower bound of a poll, as a process of its own: node:http alone, which knows one tag and answers 304 to it. Sends
 * its port to the process that forked it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

const ETAG = '"bare"';

const server = createServer((request, response) => {
	response.setHeader('ETag', ETAG);
	response.statusCode = request.headers['if-none-match'] === ETAG ? 304 : 200;
	response.end();
});
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' && address ? address.port : 0);
