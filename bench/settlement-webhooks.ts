/**
 * `npm run bench -- settlement-webhooks`: bets at a steady pace while markets of 300 players are settled, by turns with a brand's
 * endpoint that receives an event for each player, and without one. The figure is the ratio of the bets' 99th percentiles:
 * the median of the turns on each side. Then 1,000 events meet a receiver that is down for some seconds: `dead` says how
 * many of them came, and how often the one that came most often. Prints one JSON line.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import type { RunningServer } from '#server/process/serve.ts';
import { openMarket } from '#server/world/markets/open-market.ts';
import { Bettor } from './support/bettor.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { type Ask, openDoors } from './support/operator-doors.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const TURNS = 8;
const PLAYERS = 300;
const PLAYERS_OF_THE_LAST = 1_000;
const FIRST_PLAYER = 2_000_000;
const FUNDS = 100_000_00;
const STAKE = 100_00;
const BETTORS = 100;
const BETS_PER_SECOND = 300;
const WARM_UP_MS = 3_000;
/** A settlement and its deliveries end within it. */
const MEASURED_MS = 4_000;
const SETTLED_AFTER_MS = 200;
const DOWN_MS = 5_000;
const PATIENCE_MS = 120_000;
const MUST = { p99Ratio: 1.2, lost: 0, mostOfOne: 2 };
const HOST = '127.0.0.1';

const lastPlayer = FIRST_PLAYER + PLAYERS_OF_THE_LAST;

/** The players of play money; their wallets are opened by the next start. */
async function addPlayers(dataDir: string): Promise<void> {
	const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
	const db = connect(cluster.url('backlay'), { max: 1 });
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
		 select n, '${HOST}', 'settled ' || n, 'settled ' || n, false, 'PLAY', 0 from generate_series(${FIRST_PLAYER}, ${lastPlayer - 1}) as n`,
	);
	await db.end();
	await cluster.stop();
}

/** Markets in which players have matched bets, each with one: by turns a back and a lay. */
async function fillMarkets({ exchange, fixtures }: RunningServer): Promise<string[]> {
	const grants = Array.from({ length: PLAYERS_OF_THE_LAST }, (_, at) => {
		const walletId = FIRST_PLAYER + at;
		return exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS });
	});
	await Promise.all(grants);
	const [fixture] = fixtures.all();
	if (!fixture) throw new Error('there is no event');
	const markets: string[] = [];
	for (let turn = 0; turn <= 2 * TURNS; turn++) {
		const { listing } = await openMarket({ exchange, fixtures }, fixture, {
			name: `Settled ${turn}`,
			type: 'MATCH_ODDS',
			runners: ['IND', 'NEP'].map((id) => ({ id, name: id })),
			betDelaySeconds: 0,
			rules: 'Who wins the match.',
		});
		const players = turn === 2 * TURNS ? PLAYERS_OF_THE_LAST : PLAYERS;
		const bets = Array.from({ length: players }, (_, at) =>
			exchange.submit({
				kind: 'place-bet',
				walletId: FIRST_PLAYER + at,
				marketId: listing.id,
				runner: 0,
				side: at % 2 === 0 ? 0 : 1,
				price: 200,
				stake: STAKE,
				persist: false,
			}),
		);
		await Promise.all(bets);
		markets.push(String(listing.id));
	}
	return markets;
}

/** Counts deliveries by id, and drops every connection while it is down. */
async function openReceiver() {
	const received = new Map<string, number>();
	const state = { isDown: false, refused: 0 };
	const server = createServer((request, response) => {
		if (state.isDown) {
			state.refused++;
			request.socket.destroy();
			return;
		}
		const id = String(request.headers['webhook-id']);
		request.resume().on('end', () => {
			received.set(id, (received.get(id) ?? 0) + 1);
			response.writeHead(204).end();
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { received, state, url, close };
}

async function settle(ask: Ask, marketId: string): Promise<void> {
	await ask('close', { marketId });
	await ask('settle', { marketId, winners: ['IND'] });
}

async function whenIs(size: () => number, expected: number): Promise<number> {
	const from = performance.now();
	while (size() < expected && performance.now() - from < PATIENCE_MS) await delay(50);
	return Math.round(performance.now() - from);
}

await withDataDir(async (dataDir) => {
	await openBenchMarket(dataDir);
	await addPlayers(dataDir);
	let markets: string[] = [];
	const market = await openBenchMarket(dataDir, async (running) => {
		markets = await fillMarkets(running);
	});
	const receiver = await openReceiver();
	const server = await startServerChild(dataDir);
	try {
		const { asOperator, close } = await openDoors(server.port, dataDir, 'owner');
		const bettor = await Bettor.open(server.port, market, await demoTokens(server.port, BETTORS));
		await bettor.trade(WARM_UP_MS);
		const endpoint = { host: HOST, url: receiver.url, events: ['player.market-settled'] };
		const turn = async (hasEndpoint: boolean): Promise<number> => {
			const marketId = markets.shift() ?? '';
			const before = receiver.received.size;
			const added = hasEndpoint ? await asOperator<{ endpointId: string }>('webhook-add', endpoint) : null;
			const betting = bettor.took(BETS_PER_SECOND, MEASURED_MS);
			await delay(SETTLED_AFTER_MS);
			await settle(asOperator, marketId);
			const took = await betting;
			if (added) {
				await whenIs(() => receiver.received.size - before, PLAYERS);
				await asOperator('webhook-remove', { host: HOST, endpointId: added.endpointId });
			}
			return percentile(took, 0.99);
		};
		const p99s = { with: [] as number[], without: [] as number[] };
		for (let at = 0; at < TURNS; at++) {
			if (at % 2 === 0) p99s.with.push(await turn(true));
			p99s.without.push(await turn(false));
			if (at % 2 === 1) p99s.with.push(await turn(true));
		}
		const delivered = receiver.received.size;
		await asOperator('webhook-add', endpoint);
		receiver.received.clear();
		receiver.state.isDown = true;
		await settle(asOperator, markets.shift() ?? '');
		await delay(DOWN_MS);
		receiver.state.isDown = false;
		const allAfterMs = await whenIs(() => receiver.received.size, PLAYERS_OF_THE_LAST);
		const [withEndpoint, without] = [percentile(p99s.with, 0.5), percentile(p99s.without, 0.5)];
		print({
			betsPerSecond: BETS_PER_SECOND,
			delivered,
			expected: TURNS * PLAYERS,
			p99ms: { with: round(withEndpoint, 1), without: round(without, 1) },
			p99Ratio: round(withEndpoint / without, 2),
			dead: {
				events: PLAYERS_OF_THE_LAST,
				lost: PLAYERS_OF_THE_LAST - receiver.received.size,
				mostOfOne: Math.max(...receiver.received.values()),
				refused: receiver.state.refused,
				allAfterMs,
			},
			must: MUST,
		});
		bettor.close();
		close();
	} finally {
		receiver.close();
		await server.stop();
	}
});
