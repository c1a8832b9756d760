/** What players are notified of: read from durable batches, scores and reached targets. */

import type { PushKind } from '#contract/calls/push.ts';
import { zoneAt } from '#contract/rules-at.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { PushSender } from '#server/people/push/push-sender.ts';
import { PUSH_WORDS } from '#server/people/push/push-words.ts';
import type { Subscriptions } from '#server/people/push/subscriptions.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { CatalogueChange, Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { FixtureId, MarketId, PlayerId } from '#values/ids.ts';
import type { Language } from '#values/languages.ts';
import { hourOf } from '#values/zoned-calendar.ts';

/** Hours of the brand's zone in which nothing is sent unless the player wants it. */
const NIGHT = { from: 22, until: 8 };

interface PushNewsOptions {
	subscriptions: Subscriptions;
	sender: Pick<PushSender, 'send'>;
	fixtures: Pick<Fixtures, 'all' | 'market' | 'fixture' | 'marks'>;
	brandOf: (playerId: PlayerId) => Brand | null;
	languageOf: (playerId: PlayerId) => Language | null;
	clock: () => number;
}

interface News {
	kind: PushKind;
	body: string;
	url: string;
	tag: string;
}

export class PushNews {
	readonly #options: PushNewsOptions;
	/** How many marks of a fixture were seen. */
	readonly #seen = new Map<FixtureId, number>();

	constructor(options: PushNewsOptions) {
		this.#options = options;
		for (const { id } of options.fixtures.all()) this.#see(id);
	}

	onCommitted({ bets, betEvents, settlements, workflows }: Committed): void {
		const { subscriptions } = this.#options;
		if (subscriptions.isEmpty) return;
		const placed = new Set(betEvents.filter(({ event }) => event === 'PLACED').map(({ betId }) => betId));
		const matched = new Set(betEvents.filter(({ event }) => event === 'MATCHED').map(({ betId }) => betId));
		for (const { betId, walletId, marketId, remaining } of bets) {
			// The slip shows what is matched at once; parts are in the list of open bets.
			if (!matched.has(betId) || placed.has(betId) || remaining > 0) continue;
			this.#notifyOfMarket(walletId, marketId, 'MATCHED', { url: '/open-bets', tag: `bet-${betId}` });
		}
		for (const { walletId, marketId, net, profit } of settlements) {
			// A market that was reopened comes again, with zeros.
			if (net === 0 && profit === 0) continue;
			this.#notifyOfMarket(walletId, marketId, 'SETTLED', { url: '/bet-history', tag: `market-${marketId}` });
		}
		for (const { kind, id, walletId, state } of workflows) {
			if (kind !== 'WITHDRAWAL' || state !== 'PAID') continue;
			this.#notify(walletId, { kind: 'WITHDRAWAL_PAID', body: '', url: '/dwrequests', tag: `withdrawal-${id}` });
		}
	}

	/** A cash-out target was reached, and the market cashed out. */
	onTargetReached({ walletId, marketId }: { walletId: PlayerId; marketId: MarketId }): void {
		this.#notifyOfMarket(walletId, marketId, 'CASH_OUT', { url: '/open-bets', tag: `target-${marketId}` });
	}

	/** Resolves when the players who pinned the fixture are known. */
	async onFixture({ kind, id }: CatalogueChange): Promise<void> {
		if (kind === 'gone') this.#seen.delete(id);
		if (kind === 'loaded') this.#see(id);
		if (kind !== 'score') return;
		const { fixtures, subscriptions } = this.#options;
		const fixture = fixtures.fixture(id);
		const news = fixtures.marks(id).slice(this.#seen.get(id) ?? 0);
		this.#see(id);
		if (!fixture || subscriptions.isEmpty || !news.some((mark) => mark.kind === 'GOAL')) return;
		const body = [fixture.title, fixture.scoreLine].filter(Boolean).join(' · ');
		for (const playerId of await subscriptions.pinnedBy(String(id)))
			this.#notify(playerId, { kind: 'GOAL', body, url: `/markets/${id}`, tag: `goal-${id}` });
	}

	#see(id: FixtureId): void {
		this.#seen.set(id, this.#options.fixtures.marks(id).length);
	}

	#notifyOfMarket(playerId: PlayerId, marketId: MarketId, kind: PushKind, where: Pick<News, 'url' | 'tag'>): void {
		const { subscriptions, fixtures } = this.#options;
		if (!subscriptions.has(playerId)) return;
		const listing = fixtures.market(marketId);
		const title = listing ? fixtures.fixture(listing.fixtureId)?.title : undefined;
		this.#notify(playerId, { kind, body: [title, listing?.name].filter(Boolean).join(' · '), ...where });
	}

	#notify(playerId: PlayerId, { kind, ...news }: News): void {
		const { subscriptions, sender, brandOf, languageOf, clock } = this.#options;
		if (!subscriptions.has(playerId)) return;
		const { off, atNight } = subscriptions.choiceOf(playerId);
		const brand = brandOf(playerId);
		if (!brand || off.includes(kind)) return;
		const hour = hourOf(clock(), zoneAt(brand.setting, clock()));
		if (!atNight && (hour >= NIGHT.from || hour < NIGHT.until)) return;
		const title = PUSH_WORDS[languageOf(playerId) ?? brand.setting.defaultLanguage][kind];
		for (const subscription of subscriptions.of(playerId))
			sender.send(subscription, kind, { title, ...news }, `https://${brand.host}`);
	}
}
