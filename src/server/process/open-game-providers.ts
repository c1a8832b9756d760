/**
 * Connects outside providers with the admission of stakes: they request one like a player's page, and the same reasons
 * refuse it.
 */
import { readyToStake } from '#server/calls/answer-calls.ts';
import { gameStakeAdmission } from '#server/calls/stake-admission.ts';
import type { Trading } from '#server/exchange/open-trading.ts';
import { openProviders, type Providers } from '#server/money/casino/providers/open-providers.ts';
import type { Accounts } from '#server/process/open-accounts.ts';
import type { Opening } from '#server/process/opening.ts';
import type { World } from '#server/world/open-world.ts';

interface BelowProviders {
	world: Pick<World, 'brands'>;
	trading: Pick<Trading, 'exchange'>;
	accounts: Pick<Accounts, 'players' | 'funds' | 'casino'>;
}

export function openGameProviders(
	{ config, database, log, takenOver }: Opening,
	{ world: { brands }, trading, accounts: { players, funds, casino } }: BelowProviders,
	started: AsyncDisposableStack,
): Providers {
	const judges = { players, funds, brands, gameRules: casino.gameRules, exchange: trading.exchange };
	const providers = openProviders({
		db: database.db,
		exchange: trading.exchange,
		log,
		tokenKey: config.tokenKey,
		gameProviders: config.gameProviders,
		games: takenOver?.games,
		roundAlarmMs: config.roundAlarmMs,
		ledger: funds.ledger,
		callDeadlineMs: config.callDeadlineMs,
		admission: ({ walletId: playerId, game, brand, country, loginId }, stake, inRound) =>
			gameStakeAdmission(judges, { playerId, game, brand, country, loginId, door: 'PROVIDER_STAKE' }, stake, inRound),
		ready: ({ walletId: playerId, brand: host }, untilMs) => {
			const brand = brands.byHost(host);
			const pool = trading.exchange.wallet(playerId)?.pool;
			if (!brand || !pool) return null;
			return readyToStake(
				{ players, protection: funds.protection },
				{ playerId, pool },
				{ visitor: { brand }, untilMs },
			);
		},
	});
	started.defer(() => providers.stop());
	return providers;
}
