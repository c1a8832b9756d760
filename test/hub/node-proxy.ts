/**
 * One address before several processes, as a proxy in production would be set up: who negotiates goes to each in turn,
 * who shows a connection's token goes to the process that its first part names.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface NodeProxy {
	url: string;
	/** How many connections were negotiated at each. */
	negotiated: Map<string, number>;
	/** Breaks every upgraded line, as a network would. */
	cut(): void;
	stop(): Promise<void>;
}

/** @param nodes port of each process by its node id */
export async function startNodeProxy(nodes: ReadonlyMap<string, number>): Promise<NodeProxy> {
	const negotiated = new Map<string, number>();
	const upgraded = new Set<Duplex>();
	let turn = 0;
	const nodeOf = (incoming: IncomingMessage): string => {
		const id = new URL(incoming.url ?? '/', 'http://proxy').searchParams.get('id');
		if (id !== null) return id.split('.')[0] as string;
		const node = [...nodes.keys()][turn++ % nodes.size] as string;
		negotiated.set(node, (negotiated.get(node) ?? 0) + 1);
		return node;
	};
	const server = createServer((incoming, outgoing) => {
		const port = nodes.get(nodeOf(incoming));
		if (port === undefined) {
			outgoing.writeHead(404).end();
			return;
		}
		const { method, url, headers } = incoming;
		const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.destroy());
		outgoing.on('close', () => onward.destroy());
		incoming.pipe(onward);
	});
	server.on('upgrade', (incoming, socket, head) => {
		const port = nodes.get(nodeOf(incoming));
		if (port === undefined) {
			socket.destroy();
			return;
		}
		upgraded.add(socket);
		socket.on('close', () => upgraded.delete(socket));
		const onward = connect(port, '127.0.0.1', () => {
			const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
			for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
				lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
			}
			onward.write(`${lines.join('\r\n')}\r\n\r\n`);
			onward.write(head);
			onward.pipe(socket).pipe(onward);
		});
		onward.on('close', () => socket.destroy());
		onward.on('error', () => socket.destroy());
		socket.on('close', () => onward.destroy());
		socket.on('error', () => onward.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return {
		url: `http://localhost:${port}`,
		negotiated,
		cut: () => {
			for (const socket of upgraded) socket.destroy();
		},
		stop: async () => {
			for (const socket of upgraded) socket.destroy();
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
