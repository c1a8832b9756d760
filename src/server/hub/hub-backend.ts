/** What the hub asks of the rest of the server: brands, logins, the topics behind channels and their first images. */
import type { MarketBookImage } from '#contract/hub-messages.ts';
import type { Logins } from '#server/accounts/logins.ts';
import type { Brands } from '#server/brands/brands.ts';
import type { BusMessage } from '#server/bus.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import type { HubBackend, Viewer } from '#server/hub/hub.ts';
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

	function images(channel: string, viewer: Viewer): BusMessage[] {
		const [kind, id] = channel.split(':');
		if (kind === 'market') {
			const image = bookImage(Number(id), viewer.pool);
			return image ? [{ code: 'MarketBook', data: image }] : [];
		}
		const score = kind === 'event' ? fixtures.score(Number(id)) : null;
		return score ? [{ code: 'Score', data: score }] : [];
	}

	return {
		brandOf: (host) => {
			const brand = brands.byHost(host);
			return brand ? { host: brand.host, pool: brand.pool } : null;
		},
		findLogin: (token, brand) => logins.find(token, brand),
		topicOf: (channel, viewer) => {
			if (channel === 'sports') return 'sports';
			const [, kind, id] = /^(market|event):(\d{1,15})$/.exec(channel) ?? [];
			if (kind === 'market' && fixtures.market(Number(id))) return `market.${id}.${viewer.pool}`;
			return kind === 'event' && fixtures.fixture(Number(id)) ? `event.${id}` : null;
		},
		images,
		balance: (playerId) => {
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
