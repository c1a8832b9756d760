/** Moves open workflows of one kind on, each again and again with growing pauses, until they are closed. */
import type { Logger } from 'pino';
import type { TransferKind } from '#engine/effect.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Workflow } from '#server/exchange/workflow.ts';

const LONGEST_MS = 10 * 60_000;
const TICK_MS = 500;
const MOST_AT_ONCE = 20;

interface Turn {
	walletId: number;
	dueAtMs: number;
	waitMs: number;
}

export interface OpenWorkflowPollerOptions {
	kind: TransferKind;
	/** Those of which the server does something by itself. */
	states: readonly string[];
	advance: (id: number) => Promise<void>;
	firstMs: number;
	log: Logger;
}

export class OpenWorkflowPoller {
	readonly #options: OpenWorkflowPollerOptions;
	/** By id; the clock is monotonic, so nothing waits longer when somebody sets the other. */
	readonly #turns = new Map<number, Turn>();
	readonly #working = new Set<Promise<void>>();
	#timer: NodeJS.Timeout | null = null;

	/** @param open those that a restart found */
	constructor(options: OpenWorkflowPollerOptions, open: readonly Workflow[]) {
		this.#options = options;
		for (const workflow of open) this.#follow(workflow);
	}

	onCommitted({ workflows }: Pick<Committed, 'workflows'>): void {
		for (const workflow of workflows) if (workflow.kind === this.#options.kind) this.#follow(workflow);
	}

	/** The workflows of these wallets are due now. */
	hurry(walletIds: ReadonlySet<number>): void {
		if (walletIds.size === 0) return;
		for (const turn of this.#turns.values()) if (walletIds.has(turn.walletId)) turn.dueAtMs = 0;
	}

	start(): void {
		this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
	}

	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await Promise.all(this.#working);
	}

	#follow({ id, walletId, isOpen, state }: Workflow): void {
		if (isOpen && this.#options.states.includes(state)) {
			this.#turns.set(id, { walletId, dueAtMs: 0, waitMs: this.#options.firstMs });
		} else this.#turns.delete(id);
	}

	#tick(): void {
		const now = performance.now();
		for (const [id, turn] of this.#turns) {
			if (this.#working.size >= MOST_AT_ONCE) return;
			if (turn.dueAtMs > now) continue;
			turn.dueAtMs = now + turn.waitMs;
			turn.waitMs = Math.min(turn.waitMs * 2, LONGEST_MS);
			const work = this.#options
				.advance(id)
				.catch((error: unknown) => this.#options.log.debug({ err: error, id }, 'a workflow is looked at again later'))
				.finally(() => this.#working.delete(work));
			this.#working.add(work);
		}
	}
}
