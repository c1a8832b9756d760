/** Runs tasks of each player one after another: a round, an action and a change of seeds never overlap. */
import type { WalletId } from '#values/ids.ts';
export class InTurn {
	readonly #last = new Map<number, Promise<unknown>>();

	/** Runs the task when the player's earlier ones have ended, whether they succeeded or not. */
	async run<Result>(walletId: WalletId, task: () => Promise<Result>): Promise<Result> {
		const before = this.#last.get(walletId) ?? Promise.resolve();
		const running = before.then(task, task);
		const settled = running.catch(() => undefined);
		this.#last.set(walletId, settled);
		try {
			return await running;
		} finally {
			if (this.#last.get(walletId) === settled) this.#last.delete(walletId);
		}
	}
}
