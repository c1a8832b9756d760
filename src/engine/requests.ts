/**
 * Translates commands on bets for the kernel: writes the request that it reads, and names the refusal that it answers.
 */
import type { BetTerms } from '#engine/bet-detail.ts';
import { KEPT } from '#engine/bets.ts';
import type { PlaceBet, ReplaceBet } from '#engine/command.ts';
import type { Kernel } from '#engine/kernel.ts';
import { ORDERS, REFUSALS, REQUEST_ROW } from '#engine/kernel-layout.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { SELF_MATCH_CHOICES, type SelfMatchChoice } from '#engine/wallets.ts';
import type { BetId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
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
	atMs: AT_MS,
	expiresAtMs: EXPIRES_AT_MS,
	limit: LIMIT,
	untilMatched: UNTIL_MATCHED_AT,
	flags: FLAGS,
} = REQUEST_ROW;
const { PERSIST, FILL_OR_KILL, POST_ONLY, REPRICES, EXPIRES, ON_CLOSE, TAKES_START, UNTIL_MATCHED } = ORDERS;
const SELF_MATCH_FLAGS: Readonly<Record<SelfMatchChoice, number>> = {
	REFUSE: ORDERS.OWN_REFUSES,
	LAPSE_RESTING: ORDERS.OWN_LAPSES_RESTING,
	LAPSE_TAKING: ORDERS.OWN_LAPSES_TAKING,
};
/** Older than every version. */
const ANY_VERSION = Number.POSITIVE_INFINITY;

/** The limit of an order on close that takes any starting price. */
const ANY_PRICE = Number.POSITIVE_INFINITY;

/** The fields of a bet that the kernel decides by. */
export type BetRequest = Omit<PlaceBet, 'kind'> & { atMs?: number };

/** @param flags of ORDERS, in addition to those of the bet itself */
export function writeRequest(kernel: Kernel, bet: BetRequest, flags = 0): void {
	const { wide, words, request } = kernel;
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
	if (bet.onClose != null || bet.takesStart === true) writeStart(kernel, bet);
	if (bet.terms != null) writeTerms(kernel, bet.terms, bet.atMs ?? 0);
}

/** How it takes part in the auction of the starting price. */
function writeStart({ wide, words, request }: Kernel, { onClose, takesStart }: BetRequest): void {
	wide[request + LIMIT] = onClose?.limit ?? ANY_PRICE;
	words[request * 2 + FLAGS] =
		(words[request * 2 + FLAGS] as number) | (onClose ? ON_CLOSE : 0) | (takesStart ? TAKES_START : 0);
}

/** A bet that is restored has no time of a command: it expires after any. */
function writeTerms(
	{ wide, words, request }: Kernel,
	{ postOnly, expiresAtMs, selfMatch, untilMatched }: BetTerms,
	atMs: number,
): void {
	words[request * 2 + FLAGS] =
		(words[request * 2 + FLAGS] as number) |
		(postOnly === null ? 0 : POST_ONLY) |
		(postOnly === 'REPRICE' ? REPRICES : 0) |
		(expiresAtMs === null ? 0 : EXPIRES) |
		(untilMatched == null ? 0 : UNTIL_MATCHED) |
		(selfMatch === null ? 0 : SELF_MATCH_FLAGS[selfMatch]);
	wide[request + AT_MS] = atMs;
	wide[request + EXPIRES_AT_MS] = expiresAtMs ?? 0;
	wide[request + UNTIL_MATCHED_AT] = untilMatched ?? 0;
}

/** For the cancel of a bet: what it asks for stands in the request, as a call with four numbers takes long. */
export function writeCancel({ wide, request }: Kernel, betId: BetId, walletId: WalletId, size: AnyMinor): void {
	wide[request + BET_ID] = betId;
	wide[request + WALLET_ID] = walletId;
	wide[request + STAKE] = size;
}

/** For a bet that replaces another: the kernel writes the rest. @param ends when the old bet lapses; null for never */
export function writeNewPrice(
	{ wide, request }: Kernel,
	{ newBetId, price, atMs }: Pick<ReplaceBet, 'newBetId' | 'price'> & { atMs: number },
	{ expiresAtMs, untilMatched }: { expiresAtMs: number | null; untilMatched: AnyMinor | null },
): void {
	wide[request + BET_ID] = newBetId;
	wide[request + PRICE] = price;
	wide[request + AT_MS] = atMs;
	wide[request + EXPIRES_AT_MS] = expiresAtMs ?? 0;
	wide[request + UNTIL_MATCHED_AT] = untilMatched ?? 0;
}

/** The request of a bet; the report says whether it is fill-or-kill. */
export function readRequest({ wide, words, request }: Kernel): BetRequest {
	const read = (field: number) => wide[request + field] as number;
	const flags = words[request * 2 + FLAGS] as number;
	return {
		betId: read(BET_ID),
		walletId: read(WALLET_ID),
		marketId: read(MARKET_ID),
		runner: read(RUNNER),
		side: read(SIDE) as SideCode,
		price: read(PRICE),
		stake: read(STAKE),
		minFill: read(MIN_FILL),
		persist: (flags & PERSIST) !== 0,
		takesStart: (flags & TAKES_START) !== 0,
		terms: termsOf(flags, read(EXPIRES_AT_MS), read(UNTIL_MATCHED_AT)),
	};
}

/** The terms in a bet's flags; null where it has none. @param expiresAtMs if it expires @param untilMatched if it lapses with a volume */
function termsOf(flags: number, expiresAtMs: number, untilMatched: AnyMinor): BetTerms | null {
	if ((flags & KEPT) === 0) return null;
	return {
		postOnly: (flags & POST_ONLY) === 0 ? null : (flags & REPRICES) === 0 ? 'REFUSE' : 'REPRICE',
		expiresAtMs: (flags & EXPIRES) === 0 ? null : expiresAtMs,
		selfMatch: SELF_MATCH_CHOICES.find((choice) => (flags & SELF_MATCH_FLAGS[choice]) !== 0) ?? null,
		...((flags & UNTIL_MATCHED) === 0 ? {} : { untilMatched }),
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
