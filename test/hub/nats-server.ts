/** A NATS server of the test's own, as a process, on a free port of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export interface NatsServer {
	url: string;
	stop(): Promise<void>;
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address ? address.port : 0;
}

/** @param port given when one is started again where another was */
export async function startNatsServer(program: string, port?: number): Promise<NatsServer & { port: number }> {
	const own = port ?? (await freePort());
	const child = spawn(program, ['--addr', '127.0.0.1', '--port', String(own)], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const exited = once(child, 'exit');
	await new Promise<void>((resolve, reject) => {
		createInterface({ input: child.stderr }).on('line', (line) => {
			if (line.includes('Server is ready')) resolve();
		});
		void exited.then(([code]) => reject(new Error(`nats-server ended with ${code}.`)));
	});
	return {
		port: own,
		url: `nats://127.0.0.1:${own}`,
		stop: async () => {
			child.kill('SIGKILL');
			await exited;
		},
	};
}
