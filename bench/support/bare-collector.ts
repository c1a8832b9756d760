/**
 * A collector of traces as a process of its own: it reads every message and confirms it. Sends its port to the process
 * that forked it, and the number of spans on request.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

let spanCount = 0;

const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', (chunk) => chunks.push(chunk));
	request.on('end', () => {
		spanCount += Buffer.concat(chunks).toString('latin1').split('"startTimeUnixNano"').length - 1;
		response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
	});
});
process.on('message', () => process.send?.(spanCount));
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' && address ? address.port : 0);
