/** What the hub asks, answered where the engine is: brands, logins, the images of channels, balances. */
import type { MarketBookImage } from '#contract/hub-messages.ts';
import type { Logins } from '#server/accounts/logins.ts';
import type { Brands } from '#server/brands/brands.ts';
import type { BusMessage } from '#server/bus.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import type { HubBackend } from '#server/hub/hub.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

export function createHubBackend(options: {
	exchange: Exchange;
	fixtures: Fixtures;
	logins: Logins;
	brands: Brands;
	bookImage: (marketId: number, pool: Pool) => MarketBookImage | null;
}): HubBackend {
	const { exchange, fixtures, logins, brands, bookImage } = options;

	function images(channel: string, pool: Pool): BusMessage[] | null {
		if (channel === 'sports') return [];
		const [kind, digits] = channel.split(':');
		const id = Number(digits);
		if (kind === 'market') {
			if (!fixtures.market(id)) return null;
			const image = bookImage(id, pool);
			return image ? [{ code: 'MarketBook', data: image, key: `book.${id}` }] : [];
		}
		if (!fixtures.fixture(id)) return null;
		const score = fixtures.score(id);
		return score ? [{ code: 'Score', data: score, key: `score.${id}` }] : [];
	}

	return {
		brandOf: async (host) => {
			const brand = brands.byHost(host);
			return brand ? { host: brand.host, pool: brand.pool } : null;
		},
		findLogin: async (token, brand) => logins.find(token, brand),
		images: async (channel, pool) => images(channel, pool),
		balance: async (playerId) => {
			const wallet = exchange.wallet(playerId);
			if (!wallet) return null;
			return {
				code: 'UserBalance',
				data: {
					Balance: majorFromPaise(wallet.cash),
					Exposure: majorFromPaise(wallet.exposure),
					Version: wallet.version,
				},
				key: 'balance',
			};
		},
	};
}
