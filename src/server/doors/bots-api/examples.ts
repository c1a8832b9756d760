/** An example of each operation, which `/docs` shows and a test sends. Ids of markets and bets are to be replaced. */
import type { SERVICES } from '#server/doors/bots-api/rpc-routes.ts';

const MARKET = '1.1001';
const BET = '1';
const order = {
	selectionId: 1,
	handicap: 0,
	side: 'BACK',
	orderType: 'LIMIT',
	limitOrder: { size: 100, price: 3.05, persistenceType: 'LAPSE' },
};

/** Parameters by service and operation. */
export const EXAMPLES: Record<(typeof SERVICES)[number]['name'], Record<string, object>> = {
	SportsAPING: {
		listEventTypes: { filter: {} },
		listCompetitions: { filter: {} },
		listTimeRanges: { filter: {}, granularity: 'DAYS' },
		listEvents: { filter: { textQuery: 'India' } },
		listMarketTypes: { filter: {} },
		listCountries: { filter: {} },
		listVenues: { filter: {} },
		listMarketCatalogue: {
			filter: { marketTypeCodes: ['MATCH_ODDS'] },
			maxResults: 10,
			marketProjection: ['EVENT', 'MARKET_START_TIME', 'RUNNER_DESCRIPTION'],
		},
		listMarketBook: { marketIds: [MARKET], priceProjection: { priceData: ['EX_BEST_OFFERS'] } },
		listRunnerBook: { marketId: MARKET, selectionId: 1 },
		placeOrders: { marketId: MARKET, customerRef: 'example-1', instructions: [order] },
		cancelOrders: { marketId: MARKET, instructions: [{ betId: BET }] },
		updateOrders: { marketId: MARKET, instructions: [{ betId: BET, newPersistenceType: 'PERSIST' }] },
		replaceOrders: { marketId: MARKET, instructions: [{ betId: BET, newPrice: 3.1 }] },
		setOrderGroup: { name: 'quotes', most: 500 },
		listOrderGroups: {},
		listCurrentOrders: { marketIds: [MARKET] },
		listClearedOrders: { betStatus: 'SETTLED', groupBy: 'MARKET' },
		listMarketProfitAndLoss: { marketIds: [MARKET] },
		listExchangeRates: { fromCurrency: 'INR' },
	},
	AccountAPING: {
		getAccountFunds: {},
		getAccountDetails: {},
		getAccountStatement: { recordCount: 10 },
		listCurrencyRates: { fromCurrency: 'INR' },
		getDeveloperAppKeys: {},
		createDeveloperAppKeys: { appName: 'another bot', password: '…' },
	},
	HeartbeatAPING: { heartbeat: { preferredTimeoutSeconds: 30 } },
	SandboxAPING: { continue: {} },
	ScoresAPING: {
		listRaceDetails: { meetingIds: ['1'] },
		listAvailableEvents: {},
		listScores: { updateKeys: [{ eventId: '1', lastUpdateSequenceProcessed: 0 }] },
		listIncidents: { updateKeys: [{ eventId: '1', lastUpdateSequenceProcessed: 0 }] },
	},
};

/** A bot's messages on the stream, in their usual order. */
export const STREAM_EXAMPLES: readonly { op: string; [field: string]: unknown }[] = [
	{ op: 'authentication', id: 1, appKey: '…', session: '…' },
	{
		op: 'marketSubscription',
		id: 2,
		marketFilter: { marketIds: [MARKET] },
		marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladderLevels: 3 },
		conflateMs: 0,
		heartbeatMs: 5_000,
		segmentationEnabled: true,
	},
	{ op: 'orderSubscription', id: 3, orderFilter: { includeOverallPosition: true } },
	{ op: 'raceSubscription', id: 5 },
	{ op: 'cricketSubscription', id: 6 },
	{ op: 'heartbeat', id: 4, cancelOnDisconnectSeconds: 30 },
];
