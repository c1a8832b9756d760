/**
 * The pools in which markets open, and those in which the house quotes them. The house has granted coins only, so it quotes
 * in no pool of real money. Real money is bet only where it has an engine of its own: an engine that serves it beside
 * DEMO or PLAY keeps its wallets, and opens no market for it.
 */
import type { Exchange } from '#server/exchange/exchange.ts';
import { isGrantedPool, type Pool } from '#values/pools.ts';

type Served = Pick<Exchange, 'pools'>;

/** Empty in an engine of real money. */
export const housePools = ({ pools }: Served): readonly Pool[] => pools.filter(isGrantedPool);

export function marketPools(exchange: Served): readonly Pool[] {
	const ofHouse = housePools(exchange);
	return ofHouse.length > 0 ? ofHouse : exchange.pools;
}
