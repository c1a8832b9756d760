/** A NATS server of the test's own, as a process, on a free port of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface NatsServer {
	url: string;
	pid: number;
	stop(): Promise<void>;
}

/** For nats-server: whichever the system chooses. */
const ANY_PORT = -1;

/** @param asked given when one is started again where another was @param options more of its command line */
export async function startNatsServer(
	program: string,
	asked = ANY_PORT,
	options: readonly string[] = [],
): Promise<NatsServer & { port: number }> {
	const child = spawn(program, ['--addr', '127.0.0.1', '--port', String(asked), ...options], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const exited = once(child, 'exit');
	const port = await new Promise<number>((resolve, reject) => {
		let heard = 0;
		createInterface({ input: child.stderr }).on('line', (line) => {
			heard = Number(/client connections on 127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? heard);
			if (line.includes('Server is ready')) resolve(heard);
		});
		void exited.then(([code]) => reject(new Error(`nats-server ended with ${code}.`)));
	});
	return {
		port,
		url: `nats://127.0.0.1:${port}`,
		pid: child.pid ?? 0,
		stop: async () => {
			child.kill('SIGKILL');
			await exited;
		},
	};
}
