/**
 * A bot in TypeScript, with fetch and a socket alone: it logs in, finds a market, follows its book and its own orders over
 * the stream, places a bet, asks for another price, cancels, and reports.
 *
 *   BOT_URL=http://localhost:3000 BOT_STREAM=localhost:3001 BOT_USER=… BOT_PASSWORD=… BOT_APP_KEY=… npm run --silent example-bot
 *
 * Node runs TypeScript from version 24 on; `npm run` takes the one that came with the packages.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const {
	BOT_URL = 'http://localhost:3000',
	BOT_STREAM = 'localhost:3001',
	BOT_USER = '',
	BOT_PASSWORD = '',
	BOT_APP_KEY = '',
	BOT_EVENT = '',
} = process.env;

/** An answer of the service; see its documentation. */
// biome-ignore lint/suspicious/noExplicitAny: a bot reads what the service documents
// oxlint-disable-next-line typescript/no-explicit-any -- as above
type Wire = any;

async function post(path: string, body: string | URLSearchParams, headers: Record<string, string>): Promise<Wire> {
	const init = { method: 'POST', body, headers: { 'X-Application': BOT_APP_KEY, ...headers } };
	return await (await fetch(BOT_URL + path, init)).json();
}

const form = new URLSearchParams({ username: BOT_USER, password: BOT_PASSWORD });
const { token: session, error: refusal } = await post('/api/login', form, {});
if (!session) throw new Error(`no log-in: ${refusal}`);

async function call(operation: string, params: object): Promise<Wire> {
	const message = { jsonrpc: '2.0', method: `SportsAPING/v1.0/${operation}`, params, id: 1 };
	const headers = { 'X-Authentication': session, 'Content-Type': 'application/json' };
	const answer = await post('/exchange/betting/json-rpc/v1', JSON.stringify(message), headers);
	if (answer.error) throw new Error(`${operation}: ${JSON.stringify(answer.error)}`);
	return answer.result;
}

const [market] = await call('listMarketCatalogue', {
	filter: { marketBettingTypes: ['ODDS'], marketTypeCodes: ['MATCH_ODDS'], textQuery: BOT_EVENT },
	maxResults: 50,
	marketProjection: ['RUNNER_DESCRIPTION', 'EVENT'],
});
const { marketId } = market;
console.log('market', market.event.name, market.marketName, marketId);

const [host, port] = BOT_STREAM.split(':');
const stream = connect(Number(port), host ?? 'localhost');
const lines = createInterface({ input: stream })[Symbol.asyncIterator]();
const say = (message: object) => stream.write(`${JSON.stringify(message)}\r\n`);

async function waitFor(isLike: (message: Wire) => boolean): Promise<Wire> {
	for (;;) {
		const { value, done } = await lines.next();
		if (done) throw new Error('the stream ended');
		const message = JSON.parse(value) as Wire;
		if (message.statusCode === 'FAILURE') throw new Error(value);
		if (isLike(message)) return message;
	}
}

say({ op: 'authentication', id: 1, appKey: BOT_APP_KEY, session });
const marketDataFilter = { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'] };
say({ op: 'marketSubscription', id: 2, marketFilter: { marketIds: [marketId] }, marketDataFilter });
const image = await waitFor(({ op, ct }) => op === 'mcm' && ct === 'SUB_IMAGE');
console.log('book', JSON.stringify(image.mc[0].rc).slice(0, 200));
say({ op: 'orderSubscription', id: 3 });
await waitFor(({ op, ct }) => op === 'ocm' && ct === 'SUB_IMAGE');

/** Waits for a message of the stream about a bet. */
const ownOrder = (betId: string) =>
	waitFor(({ oc = [] }) =>
		oc.some(({ orc = [] }: Wire) => orc.some(({ uo = [] }: Wire) => uo.some(({ id }: Wire) => id === betId))),
	);

const instruction = {
	orderType: 'LIMIT',
	selectionId: market.runners[0].selectionId,
	side: 'BACK',
	limitOrder: { size: 100, price: 990, persistenceType: 'LAPSE' },
	customerOrderRef: 'example',
};
const [placed] = (await call('placeOrders', { marketId, instructions: [instruction] })).instructionReports;
console.log('placed', placed.status, placed.betId);
await ownOrder(placed.betId);
const replaced = await call('replaceOrders', { marketId, instructions: [{ betId: placed.betId, newPrice: 980 }] });
const { betId } = replaced.instructionReports[0].placeInstructionReport;
console.log('replaced', replaced.status, betId);
await ownOrder(betId);
const cancelled = await call('cancelOrders', { marketId, instructions: [{ betId }] });
console.log('cancelled', cancelled.status, cancelled.instructionReports[0].sizeCancelled);
await ownOrder(betId);
console.log('open orders', (await call('listCurrentOrders', { marketIds: [marketId] })).currentOrders.length);
const { clearedOrders } = await call('listClearedOrders', { betStatus: 'CANCELLED', betIds: [betId] });
console.log('cleared', clearedOrders.length, 'done');
stream.destroy();
