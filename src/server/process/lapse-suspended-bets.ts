/** Ties brands to the exchange: unmatched bets, triggers and plans of players whose brand is suspended end. */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Players } from '#server/people/players/players.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { watchSuspendedBets } from '#server/world/brands/suspended-bets.ts';

interface LapseOptions {
	world: { brands: Brands };
	trading: { exchange: Exchange };
	accounts: { players: Pick<Players, 'brandOf'> };
	bus: Bus;
	log: Logger;
}

export function lapseSuspendedBets(
	{ world: { brands }, trading: { exchange }, accounts: { players }, bus, log }: LapseOptions,
	started: AsyncDisposableStack,
): void {
	const suspendedBets = watchSuspendedBets({
		brands,
		bus,
		log,
		walletsWithUnmatchedBets: (isMeant) => exchange.walletsWithUnmatchedBets(isMeant),
		walletsWithTriggers: (isMeant) => exchange.walletsWithTriggers(isMeant),
		brandOf: (walletId) => players.brandOf(walletId),
		lapse: async (walletId, bets) =>
			(await exchange.submit({ kind: 'lapse-all', walletId, ...(bets && { bets }) })).cancelled,
	});
	started.defer(() => suspendedBets.stop());
}
