/** The server as a process: reads its configuration, starts, prints its address, and stops on a signal. */

import { Difference } from '#server/exchange/standby/follower.ts';
import { DEMO_STAFF, seedDemoStaff } from '#server/people/staff/open-staff.ts';
import { putMainThreadFirst } from '#server/platform/machine/priority.ts';
import { defaultDataDir } from '#server/platform/postgres/data-folder.ts';
import { type Config, readConfig } from '#server/process/config.ts';
import type { RunningServer } from '#server/process/serve.ts';
import { startServer } from '#server/process/start.ts';
import { startFailure } from '#server/process/start-failure.ts';
import { startGateway } from '#server/process/start-gateway.ts';
import { startStandby } from '#server/process/start-standby.ts';

/** A drain that takes longer is cut short. Accepted commands are durable by then, or were never answered. */
const STOP_LIMIT_MS = 10_000;
/** Ctrl-C reaches a server below npm twice at once: from the terminal, and from npm. */
const SAME_SIGNAL_MS = 500;

function fail(error: unknown): never {
	console.error(startFailure(error));
	process.exit(1);
}

interface Running {
	stop(): Promise<void>;
}

let starting: Promise<Running> | null = null;
let isStopping = false;
/** When the first signal came, of the monotonic clock. */
let signalledMs: number | null = null;

/** A server that is still starting is stopped once it has started, so that it leaves no PostgreSQL behind. */
async function stop(code: number): Promise<void> {
	if (isStopping) return;
	isStopping = true;
	setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
	const running = await starting;
	await running?.stop();
	process.exit(code);
}

/** A second signal cuts the drain short. What that leaves is what kill -9 leaves, and the next start goes on from there. */
function onSignal(): void {
	const nowMs = performance.now();
	if (signalledMs !== null && nowMs - signalledMs > SAME_SIGNAL_MS) process.exit(1);
	signalledMs ??= nowMs;
	void stop(0);
}

function greet(url: string, { production, consoleHost }: Config): void {
	const under = (host: string) => url.replace('localhost', host);
	const lines = production
		? [consoleHost && `Operators’ console: on the host ${consoleHost}`]
		: [
				'Open it, pick the match that is in play, and press “Login with Demo ID”: every press makes a new demo player with ₹20,000 of play money.',
				`Other brands on the same server: ${['royal', 'dune', 'monsoon', 'akhada'].map((name) => under(`${name}.localhost`)).join(' ')}`,
				`One-time codes of new players: ${url}/development/outbox`,
				consoleHost &&
					`Operators’ console: ${under(consoleHost)} as “${DEMO_STAFF.names.join('” and “')}”, password ${DEMO_STAFF.password}`,
			];
	const shown = [...lines.filter(Boolean), 'Operators’ command line: npm run operator -- --help'];
	console.log(`\nBacklay is ready on ${url}\n${shown.map((line) => `  ${line}\n`).join('')}`);
}

async function start(): Promise<Running> {
	const config = readConfig(process.argv.slice(2), process.env, defaultDataDir(process.env));
	const onStopped = (error: Error): void => {
		console.error(`Backlay has to stop: ${error.message}`);
		void stop(error instanceof Difference ? Difference.EXIT_CODE : 1);
	};
	if (config.gateway) {
		const gateway = await startGateway(config);
		console.log(`A gateway is ready on ${gateway.url}`);
		return gateway;
	}
	const onServing = async (server: RunningServer): Promise<void> => {
		if (!config.production) await seedDemoStaff(server.staff, config.production);
		greet(server.url, config);
	};
	if (config.standby) {
		const standby = await startStandby(config, { onServing: (server) => void onServing(server), onStopped });
		console.log(`A standby follows the exchange; its health is on ${standby.url}`);
		return standby;
	}
	const server = await startServer(config, onStopped);
	await onServing(server);
	return server;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
putMainThreadFirst();
starting = start();
starting.catch(fail);
