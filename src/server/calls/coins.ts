import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { DailyCoins } from '#server/money/funds/coins.ts';
import { majorFromMinor } from '#values/money.ts';

const view = ({ amount, floor, nextAtMs }: DailyCoins) => ({
	amount: majorFromMinor(amount),
	floor: majorFromMinor(floor),
	nextAt: isoTime(nextAtMs),
});

export const coinsHandlers = ({ funds, exchange }: Parts): HandlersOf<'getDailyCoins' | 'claimDailyCoins'> => ({
	getDailyCoins: async (_, caller) =>
		view(await funds.coins.due(playerOf(caller).playerId, caller.visitor.brand.setting)),
	claimDailyCoins: async (_, caller) => {
		const { playerId } = playerOf(caller);
		const { brand } = caller.visitor;
		funds.protection.admit(playerId, 'DAILY_COINS');
		// A crash after sign-up may have prevented the grant.
		await funds.coins.welcome(playerId, brand);
		const given = await funds.coins.claim(playerId, brand.setting);
		const due = await funds.coins.due(playerId, brand.setting);
		const balance = majorFromMinor(exchange.wallet(playerId)?.cash ?? 0);
		return { ...view(due), given: majorFromMinor(given), balance };
	},
});
