/** Advances the open workflows of one kind, each again and again with growing pauses, until they are closed. */
import type { Logger } from 'pino';
import type { TransferKind } from '#engine/effect.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import type { WalletId } from '#values/ids.ts';

const LONGEST_MS = 10 * 60_000;
const TICK_MS = 500;
const MOST_AT_ONCE = 20;

export interface WorkflowPollerOptions {
	kind: TransferKind;
	/** The states in which the server does something by itself. */
	states: readonly string[];
	advance: (id: number) => Promise<void>;
	/** The pause after the first attempt. */
	firstMs: number;
	/** The pause before the first attempt; without it there is none. */
	beforeMs?: number;
	/** A wall time just after which a workflow is due, whatever its pause. */
	endsAtMs?: (workflow: Workflow) => number;
	/** Whether a wallet's workflows are due when a market is settled for it. */
	isDueAtSettlement?: boolean;
	/** Workflows that are advanced at the same time; 20 without it. */
	mostAtOnce?: number;
	/** The wall clock. */
	clock: () => number;
	log: Logger;
}

interface Turn {
	walletId: WalletId;
	/** On the monotonic clock, so no pause grows when the wall clock is set. */
	dueAtMs: number;
	waitMs: number;
	endsAtMs: number | null;
}

export class WorkflowPoller {
	readonly #options: WorkflowPollerOptions;
	/** By id. */
	readonly #turns = new Map<number, Turn>();
	readonly #working = new Set<Promise<void>>();
	#timer: NodeJS.Timeout | null = null;

	/** @param open the workflows that a restart found */
	constructor(options: WorkflowPollerOptions, open: readonly Workflow[]) {
		this.#options = options;
		for (const workflow of open) this.#follow(workflow);
	}

	onCommitted({ workflows, settlements }: Pick<Committed, 'workflows' | 'settlements'>): void {
		for (const workflow of workflows) if (workflow.kind === this.#options.kind) this.#follow(workflow);
		if (!this.#options.isDueAtSettlement || settlements.length === 0) return;
		const settled = new Set(settlements.map(({ walletId }) => walletId));
		for (const turn of this.#turns.values()) if (settled.has(turn.walletId)) turn.dueAtMs = 0;
	}

	start(): void {
		this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
	}

	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await Promise.all(this.#working);
	}

	#follow(workflow: Workflow): void {
		const { states, firstMs, beforeMs = 0, endsAtMs } = this.#options;
		const { id, walletId, isOpen, state } = workflow;
		if (!isOpen || !states.includes(state)) {
			this.#turns.delete(id);
			return;
		}
		const dueAtMs = performance.now() + beforeMs;
		this.#turns.set(id, { walletId, dueAtMs, waitMs: firstMs, endsAtMs: endsAtMs?.(workflow) ?? null });
	}

	#tick(): void {
		const { mostAtOnce = MOST_AT_ONCE } = this.#options;
		const now = performance.now();
		for (const [id, turn] of this.#turns) {
			if (this.#working.size >= mostAtOnce) return;
			if (turn.dueAtMs > now) continue;
			turn.dueAtMs = now + this.#pauseOf(turn);
			turn.waitMs = Math.min(turn.waitMs * 2, LONGEST_MS);
			const work = this.#advance(id).finally(() => this.#working.delete(work));
			this.#working.add(work);
		}
	}

	#pauseOf({ waitMs, endsAtMs }: Turn): number {
		const untilEndMs = endsAtMs === null ? 0 : endsAtMs - this.#options.clock();
		return untilEndMs > 0 ? Math.min(waitMs, untilEndMs + 1) : waitMs;
	}

	async #advance(id: number): Promise<void> {
		const { advance, kind, log } = this.#options;
		try {
			await advance(id);
		} catch (error) {
			log.debug({ err: error, kind, id }, 'a workflow is advanced again later');
		}
	}
}
