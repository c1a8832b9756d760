/** The server as a process: read what it is told, start, say where to click, stop when asked. */
import { readConfig } from '#server/config.ts';
import { defaultDataDir } from '#server/db/data-folder.ts';
import { type RunningServer, startServer } from '#server/start.ts';

/** A drain that takes longer than this is cut short; what was accepted is durable by then or was never answered. */
const STOP_LIMIT_MS = 10_000;

function fail(error: unknown): never {
	console.error(error instanceof Error ? error.message : String(error));
	process.exit(1);
}

let running: RunningServer | null = null;

async function stop(code: number): Promise<void> {
	setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
	await running?.stop();
	process.exit(code);
}

try {
	const config = readConfig(process.argv.slice(2), process.env, defaultDataDir(process.env));
	running = await startServer(config, (error) => {
		console.error(`Backlay has to stop: ${error.message}`);
		void stop(1);
	});
	for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
	const under = (host: string) => (running as RunningServer).url.replace('localhost', host);
	console.log(`
Backlay is ready on ${running.url}
  Open it, pick the match that is in play, and press “Login with Demo ID”: every press makes a new demo player with ₹20,000 of play money.
  Other brands on the same server: ${['royal', 'dune', 'monsoon', 'akhada'].map((name) => under(`${name}.localhost`)).join(' ')}
${config.production ? '' : `  One-time codes of new players: ${running.url}/development/outbox\n`}  Operators: npm run operator -- --help
`);
} catch (error) {
	fail(error);
}
