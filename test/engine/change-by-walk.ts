/** Changes the bets of a market by a walk: random steps in the order of the wallets, as the server takes them. */
import { needsAllBets } from '#engine/change-bets.ts';
import type { Command } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine, WalletToChange } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { SeededNumbers } from '../reference/random-commands.ts';

const NO_CHANGE = new Set<Command['kind']>([
	'resume-market',
	'settle-market',
	'begin-settlement',
	'void-market',
	'void-matches',
	'update-bet',
]);

type Change = Extract<
	Command,
	{
		kind: 'suspend-market' | 'turn-in-play' | 'close-market' | 'remove-runner' | 'return-runner' | 'correct-reduction';
	}
>;

/** Whether a command changes all bets of its market. */
export const isChange = (command: Command): command is Change => needsAllBets(command) && !NO_CHANGE.has(command.kind);

/** The wallets that are left, without the pauses. */
export function unchanged(engine: Engine, marketId: number): WalletToChange[] {
	const left: WalletToChange[] = [];
	const look = engine.walletsToChange(marketId);
	for (let next = look.next(); next.done !== true; next = look.next()) if (next.value) left.push(next.value);
	return left;
}

/** One step of a walk that is under way; some name wallets or bets that are changed already. */
function takeStep(engine: Engine, effects: Effects, marketId: number, numbers: SeededNumbers): void {
	const left = unchanged(engine, marketId);
	const [first] = left;
	const step = { atMs: 0, marketId };
	const before = engine.market(marketId)?.changing;
	if (first && first.bets.length > 1 && numbers.chance(30)) {
		const bets = first.bets.slice(0, 1 + numbers.below(first.bets.length));
		const again = before?.part ? [before.part.betId] : [];
		engine.apply({ kind: 'change-bets', ...step, walletId: first.walletId, bets: [...again, ...bets] }, effects);
		return;
	}
	const next = left.slice(0, 1 + numbers.below(left.length + 1)).map(({ walletId }) => walletId);
	const again = before && before.doneWallet > 0 && numbers.chance(30) ? [before.doneWallet] : [];
	const isLast = next.length >= left.length && numbers.chance(50);
	engine.apply(
		{ kind: 'change-wallets', ...step, wallets: [...again, ...next], ...(isLast ? { isLast } : {}) },
		effects,
	);
}

/** @param onStep called after the beginning and after each step */
export function changeByWalk(
	engine: Engine,
	effects: Effects,
	command: Change,
	numbers: SeededNumbers,
	onStep: () => void = () => {},
): Outcome {
	const begun = engine.apply({ ...command, inSteps: true }, effects);
	if (!begun.ok) return begun;
	onStep();
	while (engine.market(command.marketId)?.changing) {
		takeStep(engine, effects, command.marketId, numbers);
		onStep();
	}
	return begun;
}
