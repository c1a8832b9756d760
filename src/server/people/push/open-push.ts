/** Opens the notifications of players' browsers. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { PushNews } from '#server/people/push/push-news.ts';
import { PushSender } from '#server/people/push/push-sender.ts';
import { Subscriptions } from '#server/people/push/subscriptions.ts';
import { vapidKeyOf } from '#server/people/push/web-push.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Language } from '#values/languages.ts';

export interface Push {
	subscriptions: Subscriptions;
	news: PushNews;
	/** Base64url. */
	publicKey: string;
}

interface OpenPushOptions {
	db: pg.Pool;
	fixtures: Fixtures;
	players: {
		brandOf: (playerId: PlayerId) => string | null;
		languageOf: (playerId: PlayerId) => Language | null;
		isOpen: (loginId: string) => boolean;
	};
	brands: { byName(name: string): Brand | null };
	/** Whether the player is excluded or on a break, or the account closed or frozen. */
	isBarred: (playerId: PlayerId) => boolean;
	/** The server's secret, from which its key is made. */
	tokenKey: string;
	production: boolean;
	log: Logger;
	clock?: () => number;
}

export async function openPush(
	{ db, fixtures, players, brands, isBarred, tokenKey, production, log, clock = Date.now }: OpenPushOptions,
	started: AsyncDisposableStack,
): Promise<Push> {
	const subscriptions = new Subscriptions(db, clock);
	await subscriptions.load();
	const key = vapidKeyOf(tokenKey);
	const isOpen = (loginId: string) => players.isOpen(loginId);
	const brandOf = (playerId: PlayerId) => brands.byName(players.brandOf(playerId) ?? '');
	// A notification leads to the site, where these players may not play or which is closed.
	const mayNotify = (playerId: PlayerId) => brandOf(playerId)?.setting.siteSuspended === false && !isBarred(playerId);
	const sender = new PushSender({ subscriptions, key, isGuarded: production, isOpen, mayNotify, log, clock });
	started.defer(() => sender.stop());
	const news = new PushNews({
		subscriptions,
		sender,
		fixtures,
		brandOf,
		languageOf: (playerId) => players.languageOf(playerId),
		clock,
	});
	fixtures.onChange((change) => {
		// Without a database the goal is not told.
		news.onFixture(change).catch((error: unknown) => log.debug({ err: error }, 'a goal was not told'));
	});
	return { subscriptions, news, publicKey: key.publicKey.toString('base64url') };
}
