/** Runs public clients against a server of our own, and against the service's recorded answers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { selectionOfName } from '../../src/server/doors/bots-api/fields.ts';
import { type Bot, limit, openBot, result } from '../../test/bots-api/bot.ts';
import { openTestMatch } from '../../test/support/match.ts';
import { TestServer } from '../../test/support/server.ts';
import { sharedFolder } from '../../test/support/shared-folder.ts';
import { PASSWORD } from '../../test/support/sign-up.ts';
import { streamCertificate } from '../stream-certificate.ts';
import type { Findings } from './clients-table.ts';
import type { Client } from './known-clients.ts';
import { RecordedService } from './recorded-service.ts';

const MOVE_EVERY_MS = 200;
/** What the clients' backs on close stand against. */
const LAY_ON_CLOSE = {
	orderType: 'LIMIT_ON_CLOSE',
	selectionId: selectionOfName('India'),
	side: 'LAY',
	limitOnCloseOrder: { liability: 300, price: 20 },
};

/** Clients that follow a market act when it moves. */
async function moveMarket(
	server: TestServer,
	rival: Bot,
	{ marketId, signal }: { marketId: string; signal: AbortSignal },
) {
	const order = limit(selectionOfName('India'), 'BACK', 500, 10);
	while (!signal.aborted) {
		await result(server, rival, 'placeOrders', { marketId, instructions: [order] });
		await result(server, rival, 'cancelOrders', { marketId });
		await delay(MOVE_EVERY_MS, undefined, { signal }).catch(() => undefined);
	}
}

/** @param database of the server; a fresh one by default */
export async function runClients(
	clients: readonly Client[],
	database?: Parameters<typeof TestServer.start>[0],
): Promise<Findings[]> {
	await using started = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'backlay-clients-'));
	started.defer(() => rmSync(folder, { recursive: true, force: true }));
	const certificate = streamCertificate(folder);
	const tls = { cert: readFileSync(certificate.certificate, 'utf8'), key: readFileSync(certificate.key, 'utf8') };
	const stream = { port: 0, host: '127.0.0.1', tls, authenticateMs: 15_000 };
	const server = await TestServer.start(database, { stream });
	started.defer(() => server.dispose());
	const { path, isPresent } = sharedFolder('vectors/betfair-api', 'no client reads the recorded answers');
	const service = isPresent ? new RecordedService(path, certificate) : null;
	if (service) started.defer(() => service.close());
	const recorded = await service?.open();
	const findings: Findings[] = [];
	for (const { title, readsRecorded, run } of clients) {
		const marketId = `1.${(await openTestMatch(server, { startingPrice: true })).marketId}`;
		const [{ userName, appKey }, rival] = [await openBot(server), await openBot(server)];
		const login = { LAB_USER: userName, LAB_PASSWORD: PASSWORD, LAB_APP_KEY: appKey, LAB_MARKET: marketId };
		const at = (url: string, streamPort: number) => ({ ...login, LAB_URL: url, LAB_STREAM_PORT: String(streamPort) });
		await result(server, await openBot(server), 'placeOrders', { marketId, instructions: [LAY_ON_CLOSE] });
		const running = new AbortController();
		const moving = moveMarket(server, rival, { marketId, signal: running.signal });
		const ofServer = await run(at(server.url, server.running.streamPort ?? 0));
		running.abort();
		await moving;
		const ofRecorded =
			recorded && readsRecorded ? await run(at(recorded.url, recorded.streamPort)) : new Map<string, null>();
		// Where nothing is recorded there is nothing to read.
		const known = [...ofRecorded].filter(([operation]) => service?.has(operation));
		findings.push({ title, server: ofServer, recorded: new Map(known) });
	}
	return findings;
}
