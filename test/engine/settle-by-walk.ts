/** Settles or voids a market by a walk: random steps in a random order, losers before winners, as the server takes them. */
import type { SettleMarket, VoidMarket } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine, UnsettledWallet } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { SeededNumbers } from '../reference/random-commands.ts';

const UNKNOWN_WALLET = 999_999;
/** More than a walk takes. */
const MOST_STEPS = 2_000;
type Ending = (SettleMarket | VoidMarket) & { atMs: number };

/** The wallets that are left, without the pauses. */
export function unsettled(engine: Engine, marketId: number): UnsettledWallet[] {
	const left: UnsettledWallet[] = [];
	const look = engine.unsettledWallets(marketId);
	for (let next = look.next(); next.done !== true; next = look.next()) if (next.value) left.push(next.value);
	return left;
}

const shuffled = <T>(items: readonly T[], numbers: SeededNumbers): T[] =>
	items
		.map((item) => ({ item, at: numbers.below(1_000_000) }))
		.toSorted((a, b) => a.at - b.at)
		.map(({ item }) => item);

/** The beginning of the walk that ends the market as this command would at once. */
export function beginWalk(engine: Engine, effects: Effects, { kind: _kind, ...ending }: Ending): Outcome {
	return engine.apply({ results: null, ...ending, kind: 'begin-settlement' }, effects);
}

/** One step of a walk that is under way; some name wallets or bets that are settled already. */
function takeStep(engine: Engine, effects: Effects, marketId: number, numbers: SeededNumbers): void {
	const left = unsettled(engine, marketId);
	const losers = left.filter(({ wins }) => !wins);
	const next = shuffled(losers.length > 0 ? losers : left, numbers);
	const [first] = next as [UnsettledWallet];
	const step = { atMs: 0, marketId };
	if (first.bets > 1 && numbers.chance(30)) {
		const own = shuffled(engine.someBets(first.walletId, marketId, first.bets), numbers);
		const bets = [...own.slice(0, 1 + numbers.below(own.length)), ...own.slice(0, numbers.below(2))];
		engine.apply({ kind: 'settle-bets', ...step, walletId: first.walletId, bets }, effects);
		return;
	}
	const named = next.slice(0, 1 + numbers.below(next.length)).map(({ walletId }) => walletId);
	const wallets = [...named, ...named.slice(0, numbers.below(2)), ...(numbers.chance(20) ? [UNKNOWN_WALLET] : [])];
	engine.apply({ kind: 'settle-wallets', ...step, wallets }, effects);
}

/** @throws when the market stays SETTLING */
export function walkToEnd(
	engine: Engine,
	effects: Effects,
	marketId: number,
	numbers: SeededNumbers,
	onStep: () => void,
): void {
	for (let steps = 0; engine.market(marketId)?.status === 'SETTLING'; steps++) {
		if (steps === MOST_STEPS || unsettled(engine, marketId).length === 0)
			throw new Error(`market ${marketId} stays SETTLING`);
		takeStep(engine, effects, marketId, numbers);
		onStep();
	}
}

/** @param onStep called after the beginning and after each step */
export function settleByWalk(
	engine: Engine,
	effects: Effects,
	ending: Ending,
	numbers: SeededNumbers,
	onStep: () => void = () => {},
): Outcome {
	const begun = beginWalk(engine, effects, ending);
	if (!begun.ok) return begun;
	onStep();
	walkToEnd(engine, effects, ending.marketId, numbers, onStep);
	return begun;
}
