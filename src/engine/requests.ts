/**
 * Translates commands on bets for the kernel: writes the request that it reads, and names the refusal that it answers.
 */
import type { PlaceBet } from '#engine/command.ts';
import type { Kernel } from '#engine/kernel.ts';
import { ORDERS, REFUSALS, REQUEST_ROW } from '#engine/kernel-layout.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

// Copied here: every bet passes, and an imported constant is fetched and checked at each use.
const {
	betId: BET_ID,
	walletId: WALLET_ID,
	marketId: MARKET_ID,
	runner: RUNNER,
	side: SIDE,
	price: PRICE,
	stake: STAKE,
	minFill: MIN_FILL,
	marketVersion: MARKET_VERSION,
	flags: FLAGS,
} = REQUEST_ROW;
const { PERSIST, FILL_OR_KILL } = ORDERS;
/** Older than every version. */
const ANY_VERSION = Number.POSITIVE_INFINITY;

/** The fields of a bet that the kernel decides by. */
export type BetRequest = Omit<PlaceBet, 'kind'>;

/** @param flags of ORDERS, in addition to those of the bet itself */
export function writeRequest({ wide, words, request }: Kernel, bet: BetRequest, flags = 0): void {
	wide[request + BET_ID] = bet.betId;
	wide[request + WALLET_ID] = bet.walletId;
	wide[request + MARKET_ID] = bet.marketId;
	wide[request + RUNNER] = bet.runner;
	wide[request + SIDE] = bet.side;
	wide[request + PRICE] = bet.price;
	wide[request + STAKE] = bet.stake;
	wide[request + MIN_FILL] = bet.minFill ?? bet.stake;
	wide[request + MARKET_VERSION] = bet.marketVersion ?? ANY_VERSION;
	words[request * 2 + FLAGS] = flags | (bet.persist ? PERSIST : 0) | (bet.fillOrKill === true ? FILL_OR_KILL : 0);
}

/** For a bet that replaces another: the kernel writes the rest. */
export function writeNewPrice({ wide, request }: Kernel, betId: BetId, price: AnyPrice): void {
	wide[request + BET_ID] = betId;
	wide[request + PRICE] = price;
}

/** The request of a bet; the report says whether it is fill-or-kill. */
export function readRequest({ wide, words, request }: Kernel): BetRequest {
	const read = (field: number) => wide[request + field] as number;
	return {
		betId: read(BET_ID),
		walletId: read(WALLET_ID),
		marketId: read(MARKET_ID),
		runner: read(RUNNER),
		side: read(SIDE) as SideCode,
		price: read(PRICE),
		stake: read(STAKE),
		minFill: read(MIN_FILL),
		persist: ((words[request * 2 + FLAGS] as number) & PERSIST) !== 0,
	};
}

type KernelRefusal = Exclude<keyof typeof REFUSALS, 'ACCEPTED'>;

/** By the kernel's number. The type ensures that each is a code of the catalogue. */
const CODES: EngineRefusal[] = [];
for (const [code, number] of Object.entries(REFUSALS) as [KernelRefusal, number][]) CODES[number] = code;

export const refuse = (code: EngineRefusal, details?: Record<string, unknown>): Outcome =>
	details ? { ok: false, code, details } : { ok: false, code };

/** The code of a number that the kernel answered, which is not ACCEPTED. */
export function refusalOf(number: number): EngineRefusal {
	const code = CODES[number];
	if (code === undefined || number === REFUSALS.ACCEPTED) throw new Error(`the kernel answers no refusal: ${number}`);
	return code;
}
