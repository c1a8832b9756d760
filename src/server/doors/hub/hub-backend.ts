/** Answers the hub's questions where the engine runs: brands, logins, images of channels, balances, notices. */
import type { MarketBookImage, SubscriptionRefusal } from '#contract/hub-messages.ts';
import type { HubBackend, HubViewer } from '#server/doors/hub/hub.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Logins } from '#server/people/players/logins.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { type SportKey, sportIsActive } from '#values/sports.ts';

const NO_SPORTS: ReadonlySet<SportKey> = new Set();

interface HubBackendOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	logins: Logins;
	sports: SportPermissions;
	brands: Brands;
	bookImage: (marketId: MarketId, pool: Pool) => MarketBookImage | null;
	/** The current state of a game's table; null for a game without one. */
	tableImages: (game: string, pool: Pool) => BusMessage[] | null;
	/** What a client that missed the last milliseconds has to hear of its player. */
	notices: (playerId: PlayerId, lastMs: number) => BusMessage[];
}

export function createHubBackend(options: HubBackendOptions): HubBackend {
	const { exchange, fixtures, logins, sports, brands, bookImage, tableImages, notices } = options;

	function images(channel: string, pool: Pool): BusMessage[] | null {
		if (channel === 'sports') return [];
		const [kind, digits = ''] = channel.split(':');
		if (kind === 'table') return tableImages(digits, pool);
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

	function sportOf(channel: string): number | null {
		const [kind, digits] = channel.split(':');
		const id = kind === 'market' ? fixtures.market(Number(digits))?.fixtureId : Number(digits);
		return fixtures.fixture(id ?? 0)?.sportId ?? null;
	}

	function refusal(channel: string, { brand, playerId }: HubViewer): SubscriptionRefusal | null {
		const setting = brands.byHost(brand)?.setting;
		if (!setting || setting.siteSuspended) return 'SITE_SUSPENDED';
		const sportId = sportOf(channel);
		if (sportId === null) return null;
		const closed = playerId === null ? NO_SPORTS : sports.closed(playerId);
		return sportIsActive(setting, closed, sportId) ? null : 'SPORT_NOT_ALLOWED';
	}

	return {
		refusals: async (channels, viewer) =>
			channels.flatMap((channel) => {
				const code = refusal(channel, viewer);
				return code === null ? [] : [{ channel, code }];
			}),
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
					Balance: majorFromMinor(wallet.cash),
					Exposure: majorFromMinor(wallet.exposure),
					Version: wallet.version,
				},
				key: 'balance',
			};
		},
		notices: async (playerId, _pool, lastMs) => notices(playerId, lastMs),
	};
}
