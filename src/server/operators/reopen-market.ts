/**
 * Takes the settlement of a market back: the market is CLOSED again, or settled again at once. A market with few bets is one
 * command with everything that the ledger knows of its settlement. One with many is a walk, which reads the ledger itself.
 */
import type pg from 'pg';
import type { BeginReversal, ReversedWallet, Settlement } from '#engine/command.ts';
import type { MarketView } from '#engine/engine.ts';
import { isRepriceable } from '#engine/market-types/reduced-price.ts';
import { netOfParts, payableFor, profitExactParts } from '#engine/market-types/runner-result.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { extentOf, settledWallets, settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { stepOf } from '#values/pools.ts';

interface Parts {
	db: pg.Pool;
	exchange: Exchange;
}

/** What follows when the bets are back. */
type Afterwards = Pick<BeginReversal, 'next' | 'correction' | 'matches'>;

/**
 * @throws Refused WRONG_MARKET_STATE if the market is not settled, or the ledger's bets do not add up to the settlement
 */
export async function reopenMarket(db: pg.Pool, exchange: Exchange, marketId: MarketId): Promise<void> {
	await reverseSettlement({ db, exchange }, marketId, { next: null });
}

/**
 * Resolves when the market is CLOSED, or settled again.
 * @throws Refused WRONG_MARKET_STATE if the market is not settled, or the ledger's bets do not add up to the settlement; and
 *   the refusals of the engine
 */
export async function reverseSettlement(
	{ db, exchange }: Parts,
	marketId: MarketId,
	afterwards: Afterwards,
): Promise<void> {
	// The ledger knows what a settlement under way comes to when it is over.
	await exchange.settled(marketId);
	const extent = await extentOf(db, marketId);
	if (extent.betCount <= exchange.mostBetsAtOnce) {
		await exchange.submit(atOnce(marketId, afterwards, await settlementOf(db, marketId)));
		return;
	}
	await expectReversible({ db, exchange }, marketId, afterwards);
	await exchange.submit({ kind: 'begin-reversal', marketId, ...extent, ...afterwards });
}

function atOnce(marketId: MarketId, { next, correction, matches }: Afterwards, settlement: Settlement): Request {
	if (matches) return { kind: 'void-matches', marketId, matches, settlement };
	if (!next) return { kind: 'reopen-market', marketId, ...settlement };
	return { kind: 'resettle-market', marketId, ...settlement, ...next, ...(correction ? { correction } : {}) };
}

/**
 * Looks at everything before the market is touched: a walk that finds a wrong row half-way stops there.
 * @throws Refused WRONG_MARKET_STATE
 */
async function expectReversible(
	{ db, exchange }: Parts,
	marketId: MarketId,
	{ correction, matches = [] }: Afterwards,
): Promise<void> {
	const market = await exchange.recall(marketId);
	if (!market) throw new Refused('WRONG_MARKET_STATE');
	const touched = new Set(matches.flatMap(({ takerBetId, makerBetId }) => [takerBetId, makerBetId]));
	// The legs of a fill across runners are voided together or not at all.
	const isLeg = ({ walletId, bets }: ReversedWallet) =>
		market.crossMatching && market.houses.includes(walletId) && bets.some(({ betId }) => touched.has(betId));
	const isWrong = wrongPayments(market);
	for await (const wallet of settledWallets(db, marketId)) {
		const cannotCome = correction && !wallet.bets.every(isRepriceable);
		if (isWrong(wallet) || isLeg(wallet) || cannotCome) throw new Refused('WRONG_MARKET_STATE');
	}
}

/** Tells whether a wallet's bets, with its parts before, come to another amount than it was paid. */
function wrongPayments(market: MarketView): (wallet: ReversedWallet) => boolean {
	const { results, placesPaid, numberOfWinners, removed } = market;
	const payable = results && payableFor(results, placesPaid ?? numberOfWinners, market, new Map(removed));
	let exact = 0n;
	let step = 1;
	return ({ bets, payment, part }) => {
		if (!payable) return (payment?.net ?? 0) !== 0;
		for (const bet of bets) {
			step = stepOf(bet.pool);
			exact += BigInt(profitExactParts(bet, payable) ?? 0);
		}
		if (part?.isLast === false) return false;
		const net = netOfParts(exact, payable.parts, step);
		exact = 0n;
		// Everything unmatched lapsed before the settlement.
		return net !== (payment?.net ?? 0) || bets.some(({ remaining }) => remaining > 0);
	};
}
