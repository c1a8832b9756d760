/** The server as a process: read what it is told, start, say where to click, stop when asked. */
import { readConfig } from '#server/config.ts';
import { defaultDataDir } from '#server/db/data-folder.ts';
import { startServer } from '#server/start.ts';
import { startGateway } from '#server/start-gateway.ts';

/** A drain that takes longer than this is cut short; what was accepted is durable by then or was never answered. */
const STOP_LIMIT_MS = 10_000;

function fail(error: unknown): never {
	const { code, port } = error as { code?: string; port?: number };
	if (code === 'EADDRINUSE')
		console.error(`Port ${port} is taken. Stop what listens there, or name another with PORT.`);
	else console.error(error instanceof Error ? error.message : String(error));
	process.exit(1);
}

let running: { stop(): Promise<void> } | null = null;

async function stop(code: number): Promise<void> {
	setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
	await running?.stop();
	process.exit(code);
}

function greet(url: string, production: boolean): void {
	const under = (host: string) => url.replace('localhost', host);
	console.log(`
Backlay is ready on ${url}
  Open it, pick the match that is in play, and press “Login with Demo ID”: every press makes a new demo player with ₹20,000 of play money.
  Other brands on the same server: ${['royal', 'dune', 'monsoon', 'akhada'].map((name) => under(`${name}.localhost`)).join(' ')}
${production ? '' : `  One-time codes of new players: ${url}/development/outbox\n`}  Operators: npm run operator -- --help
`);
}

try {
	const config = readConfig(process.argv.slice(2), process.env, defaultDataDir(process.env));
	const onStopped = (error: Error): void => {
		console.error(`Backlay has to stop: ${error.message}`);
		void stop(1);
	};
	if (config.gateway) {
		const gateway = await startGateway(config);
		running = gateway;
		console.log(`The hub's gateway is ready on ${gateway.url}`);
	} else {
		const server = await startServer(config, onStopped);
		running = server;
		greet(server.url, config.production);
	}
	for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
} catch (error) {
	fail(error);
}
