/** The load beside a bench's market: in-play markets and fancies with 10,000 open bets. */
import type { Exchange, Request } from '#server/exchange/exchange.ts';

const MARKETS = 20;
const BETS_EACH = 250;
const FIRST_MARKET = 900_000;
const HOUSE = 900_000;
const PLAYERS = 200;
const FIRST_WALLET = 900_001;
const LINES = 60;

/** Opens them and places the bets, all of which rest. @param times multiplies the markets and bets */
export async function loadMarkets(exchange: Exchange, times = 1): Promise<void> {
	await Promise.all(
		Array.from({ length: PLAYERS * times + 1 }, async (_, at) => {
			const walletId = HOUSE + at;
			await exchange.submit({ kind: 'open-wallet', walletId, pool: 'DEMO' });
			await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 100_000_000_000 });
		}),
	);
	for (let market = 0; market < MARKETS * 2 * times; market++)
		await loadMarket(exchange, FIRST_MARKET + market, market % 2 === 1, PLAYERS * times);
}

async function loadMarket(exchange: Exchange, marketId: number, fancy: boolean, players: number): Promise<void> {
	await exchange.submit({
		kind: 'open-market',
		marketId,
		pools: ['DEMO'],
		runners: fancy ? LINES : 3,
		numberOfWinners: fancy ? -1 : 1,
		...(fancy ? { model: 'FANCY' as const, ladder: 'RATES' as const, houses: [HOUSE] } : {}),
		commissionBp: 200,
		minStake: 100,
		maxStake: 50_000_000,
		betDelayMs: 5_000,
		passiveGoesIn: true,
		profitRatioRule: true,
		selfMatch: 'REFUSE',
		suspended: false,
	});
	await exchange.submit({ kind: 'turn-in-play', marketId });
	await Promise.all(
		Array.from({ length: BETS_EACH }, (_, at): Promise<unknown> => {
			const bet: Request = {
				kind: 'place-bet',
				walletId: fancy ? HOUSE : FIRST_WALLET + ((marketId * BETS_EACH + at) % players),
				marketId,
				runner: fancy ? at % LINES : at % 3,
				side: 1,
				price: fancy ? 150 + (at % 50) : 150 + (at % 40),
				stake: 1_000,
				persist: true,
			};
			return exchange.submit(bet);
		}),
	);
}
