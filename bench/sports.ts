/**
 * `npm run bench -- sports`: the cost of the server with all simulated sports in play at real time and 500 players at the
 * hub, spread over the fixtures in play, each watching all markets of one, its score and the lists. Prints one JSON
 * line: the share of a core that the server's process takes, and the messages it sends meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { demoTokens } from './support/demo-logins.ts';
import { print, round } from './support/figures.ts';
import { HubClient } from './support/hub-client.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const CONNECTIONS = 500;
const WARM_UP_MS = 40_000;
const MEASURED_MS = 45_000;
const MUST = { coreShare: 0.25 };

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir, { feeds: true });
	try {
		const watched = await channelsInPlay(server.port);
		const tokens = await demoTokens(server.port, CONNECTIONS);
		const clients = await Promise.all(
			tokens.map((token, at) => HubClient.open(server.port, token, watched[at % watched.length] ?? [])),
		);
		await delay(WARM_UP_MS);
		const heard = () => clients.reduce((sum, { messages }) => sum + messages, 0);
		const [cpu, messages] = [server.cpuSeconds(), heard()];
		await delay(MEASURED_MS);
		const seconds = MEASURED_MS / 1000;
		print({
			connections: CONNECTIONS,
			fixturesInPlay: watched.length,
			coreShare: round((server.cpuSeconds() - cpu) / seconds, 3),
			messagesPerSecond: round((heard() - messages) / seconds, 1),
			must: MUST,
		});
		await Promise.all(clients.map((client) => client.close()));
	} finally {
		await server.stop();
	}
});

/** The channels of each fixture in play, as its page subscribes to them. */
async function channelsInPlay(port: number): Promise<string[][]> {
	const tree = await get<'treeSportWithEvent'>(port, 'Event/TreeSportWithEvent');
	const inPlay = tree.flatMap(({ events }) => events).filter(({ status }) => status === 'IN_PLAY');
	return await Promise.all(
		inPlay.map(async ({ id }) => {
			const { markets } = await get<'getMarketsByEventId'>(port, `Market/GetByEventId?eventId=${id}`);
			return ['sports', `event:${id}`, ...markets.map((market) => `market:${market.id}`)];
		}),
	);
}

async function get<Name extends keyof Calls>(port: number, path: string): Promise<ResultOf<Calls[Name]>> {
	const answer = (await (await fetch(`http://127.0.0.1:${port}/${path}`)).json()) as { result: ResultOf<Calls[Name]> };
	return answer.result;
}
