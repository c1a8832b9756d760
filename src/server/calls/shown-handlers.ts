/**
 * Public reads: lists, the tree, markets with their prices, scores and settings. They need no part of the server but
 * `Shown`, so a gateway answers those of visitors with the same handlers.
 */
import { eventHandlers } from '#server/calls/event.ts';
import type { Shown } from '#server/calls/handler.ts';
import { marketHandlers } from '#server/calls/market.ts';
import { priceHandlers } from '#server/calls/odds.ts';
import { scoreHandlers } from '#server/calls/score.ts';
import { settingHandlers } from '#server/calls/setting.ts';

export const shownHandlers = (shown: Shown) => ({
	...eventHandlers(shown),
	...marketHandlers(shown),
	...priceHandlers(shown),
	...scoreHandlers(shown),
	...settingHandlers(),
});
