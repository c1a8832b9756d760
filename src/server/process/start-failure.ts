/** The reason why a server cannot start, as a sentence for its operator. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** @param variable the setting of the port */
export function startFailure(error: unknown, variable = 'PORT'): string {
	const { code, port } = error as { code?: string; port?: number };
	if (code === 'EADDRINUSE') return `Port ${port} is taken. Stop what listens there, or name another with ${variable}.`;
	return error instanceof Error ? error.message : String(error);
}

/** @throws Error EADDRINUSE. @returns the port; for 0 the one that the system chose */
export async function freePort(port: number, host: string): Promise<number> {
	const server = createServer().listen(port, host);
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address ? address.port : port;
}
