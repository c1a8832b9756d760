/** Bots that place orders: players with an app key and a session, each on a connection of its own. */
import { selectionOfName } from '#server/doors/bots-api/fields.ts';
import { readConfig } from '#server/process/config.ts';
import { startServer } from '#server/process/start.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { BetConnection } from './bet-client.ts';
import type { BetLoad } from './bet-load.ts';
import { BetMix, STAKE_MINOR } from './bet-mix.ts';
import type { BenchMarket } from './server-child.ts';

const HOST = 'localhost';
const PASSWORD = 'a long enough Passw0rd!';
const MINOR_PER_MAJOR = 900_000_000;
const HEAD_END = '\r\n\r\n';

export interface BenchBot {
	appKey: string;
	token: string;
}

/** Bots of the folder's ledger, made with a server in this process that is then stopped: keys and sessions outlive it. */
export async function openBots(dataDir: string, count: number): Promise<BenchBot[]> {
	const config = readConfig(['--no-feeds', '--port', '0', '--log-level', 'error', '--data-dir', dataDir], {}, dataDir);
	const running = await startServer({ ...config, rateLimitFactor: 100_000 }, (error) => {
		throw error;
	});
	try {
		const { players, brands, exchange } = running;
		const brand = await brands.change(HOST, [{ field: 'maxOpenBets', value: '20000' }]);
		const cookies = { names: () => [], find: () => null, keep: () => {}, drop: () => {} };
		const visitor = { brand, address: '127.0.0.1', cookies };
		const bots: BenchBot[] = [];
		for (let at = 0; at < count; at++) {
			const userName = `bot-${at}`;
			const { playerId } = await players.createPlayer({ userName, password: PASSWORD, brand });
			await exchange.submit({
				kind: 'grant-coins',
				grantId: 1_000_000_000 + at,
				walletId: playerId,
				amount: MINOR_PER_MAJOR,
			});
			const asked = { name: 'bench', mayTrade: true, addresses: [], callsPerSecond: 100 };
			const { appKey } = await players.apiKeys.create(playerId, asked, '127.0.0.1');
			bots.push({ appKey, token: await players.authenticateBot({ userName, password: PASSWORD, appKey }, visitor) });
		}
		return bots;
	} finally {
		await running.stop();
	}
}

export interface BotLoad {
	port: number;
	market: BenchMarket;
	/** In every call. */
	instructions: number;
	/** Each sends its next call when its last is answered. */
	connections: number;
}

/** Puts the server under load for that long, on new connections; the bots take turns. Times are those of calls. */
export function botsOn(load: BotLoad, bots: readonly BenchBot[]): (forMs: number) => Promise<BetLoad> {
	const mix = new BetMix(bots.length);
	return async (forMs) => {
		const connections = await Promise.all(
			Array.from({ length: load.connections }, () => BetConnection.open(load.port)),
		);
		const took: number[] = [];
		const errors = new Map<string, number>();
		const start = performance.now();
		await Promise.all(
			connections.map(async (connection, first) => {
				for (let next = first; performance.now() < start + forMs; next += load.connections) {
					const request = placeOrdersRequest(load, bots, next % bots.length, mix);
					const from = performance.now();
					const { status, body } = await connection.send(request);
					if (status === 200 && isDone(body)) took.push(performance.now() - from);
					else {
						const name = `${status} ${/"errorCode":"(\w+)"/.exec(body)?.[1] ?? body.slice(0, 100)}`;
						errors.set(name, (errors.get(name) ?? 0) + 1);
					}
				}
				connection.close();
			}),
		);
		return { took, errors, seconds: (performance.now() - start) / 1000 };
	};
}

/** The status of the whole call precedes the reports. */
const isDone = (body: string): boolean => body.slice(0, body.indexOf('"instructionReports"')).includes('"SUCCESS"');

/** A call of one bot with bets of the mix: every other bot backs, the others lay. */
function placeOrdersRequest(
	{ port, market, instructions }: BotLoad,
	bots: readonly BenchBot[],
	at: number,
	mix: BetMix,
): string {
	const orders = Array.from({ length: instructions }, () => {
		const { runner, price } = mix.next();
		const limitOrder = { size: STAKE_MINOR / 100, price: decimalFromPrice(price), persistenceType: 'LAPSE' };
		const side = at % 2 === 0 ? 'BACK' : 'LAY';
		return {
			orderType: 'LIMIT',
			selectionId: selectionOfName(market.runnerIds[runner] ?? ''),
			handicap: 0,
			side,
			limitOrder,
		};
	});
	const params = { marketId: `1.${market.marketId}`, instructions: orders };
	const body = JSON.stringify({ jsonrpc: '2.0', method: 'SportsAPING/v1.0/placeOrders', params, id: 1 });
	return (
		`POST /exchange/betting/json-rpc/v1 HTTP/1.1\r\nHost: ${HOST}:${port}\r\nX-Application: ${bots[at]?.appKey}\r\n` +
		`X-Authentication: ${bots[at]?.token}\r\nContent-Type: application/json\r\n` +
		`Content-Length: ${body.length}${HEAD_END}${body}`
	);
}
