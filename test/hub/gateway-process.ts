/** A gateway as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TOKEN_KEY } from '../support/server.ts';
import { serverProgram } from '../support/server-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface GatewayProcess {
	port: number;
	url: string;
	/** As an operator would stop it; resolves with its exit code. */
	stop(): Promise<number>;
	/** As a failing machine would. */
	kill(): Promise<void>;
}

export async function startGatewayProcess(options: {
	natsUrl: string;
	nodeId: string;
	/** More of it. */
	environment?: Readonly<Record<string, string>>;
}): Promise<GatewayProcess> {
	const args = ['--gateway', '--port', '0', '--host', '127.0.0.1', '--log-level', 'error'];
	const child = spawn(
		process.execPath,
		[serverProgram(), ...args, '--nats-url', options.natsUrl, '--node-id', options.nodeId],
		{
			cwd: ROOT,
			env: {
				...process.env,
				NODE_ENV: 'test',
				DATABASE_URL: '',
				TOKEN_KEY,
				RATE_LIMIT_FACTOR: '1000',
				...options.environment,
			},
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const exited = once(child, 'exit');
	const port = await new Promise<number>((resolve, reject) => {
		createInterface({ input: child.stdout }).on('line', (line) => {
			const found = /ready on http:\/\/localhost:(\d+)/.exec(line)?.[1];
			if (found) resolve(Number(found));
		});
		void exited.then(([code]) => reject(new Error(`The gateway ended with ${code}.`)));
	});
	return {
		port,
		url: `http://localhost:${port}`,
		stop: async () => {
			child.kill('SIGTERM');
			return (await exited)[0];
		},
		kill: async () => {
			child.kill('SIGKILL');
			await exited;
		},
	};
}
