/** Advances the open workflows of one kind, each repeatedly with growing pauses, until they are closed. */
import type { Logger } from 'pino';
import type { TransferKind } from '#engine/effect.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { Owner } from '#server/money/funds/funds-ledger.ts';

const LONGEST_MS = 10 * 60_000;
/** Between two looks for what is due, at most; no longer than the first pause. */
const LONGEST_TICK_MS = 500;
const MOST_A_STEP = 20;
/** Consecutive failures before a finding is made: the pauses up to then add up to about ten minutes. */
const FAILURES_REPORTED = 8;

export interface WorkflowPollerOptions {
	kind: TransferKind;
	/** The states in which the server acts on its own. */
	states: readonly string[];
	advance: (id: number) => Promise<void>;
	/** The pause after the first attempt. */
	firstMs: number;
	/** The pause before the first attempt; none by default. */
	beforeMs?: number;
	/** A wall time just after which a workflow is due, regardless of its pause; null for none. */
	endsAtMs?: (workflow: Workflow) => number | null;
	/** Whether a settled market makes a wallet's workflows due. */
	isDueAtSettlement?: boolean;
	/** Whether a movement of its money makes a wallet's workflows due. */
	isDueAtMoney?: boolean;
	/** The number of workflows advanced concurrently; 20 by default. */
	mostAtOnce?: number;
	/** The wall clock. */
	clock: () => number;
	log: Logger;
	/** Reports a workflow that keeps failing. */
	stuck: (id: number, owner: Owner) => Promise<void>;
}

interface Turn {
	owner: Owner;
	/** Consecutive. */
	failures: number;
	/** On the monotonic clock, so that setting the wall clock lengthens no pause. */
	dueAtMs: number;
	waitMs: number;
	endsAtMs: number | null;
}

export class WorkflowPoller {
	readonly #options: WorkflowPollerOptions;
	/** By id. */
	readonly #turns = new Map<number, Turn>();
	/** By id: no workflow is advanced twice concurrently. */
	readonly #working = new Map<number, Promise<void>>();
	#timer: NodeJS.Timeout | null = null;

	/** @param open the open workflows at start */
	constructor(options: WorkflowPollerOptions, open: readonly Workflow[]) {
		this.#options = options;
		for (const workflow of open) this.#follow(workflow);
	}

	onCommitted({ workflows, settlements, wallets }: Pick<Committed, 'workflows' | 'settlements' | 'wallets'>): void {
		for (const workflow of workflows) if (workflow.kind === this.#options.kind) this.#follow(workflow);
		const { isDueAtSettlement = false, isDueAtMoney = false } = this.#options;
		const changed = isDueAtMoney ? wallets : isDueAtSettlement ? settlements : [];
		if (changed.length === 0 || this.#turns.size === 0) return;
		const due = new Set(changed.map(({ walletId }) => walletId));
		for (const turn of this.#turns.values()) {
			if (!due.has(turn.owner.walletId)) continue;
			turn.dueAtMs = 0;
			// What a settlement decides may count only when the last of its market's players is settled, some seconds later.
			if (isDueAtSettlement) turn.waitMs = this.#options.firstMs;
		}
	}

	start(): void {
		this.#timer = setInterval(() => this.#tick(), Math.min(LONGEST_TICK_MS, this.#options.firstMs)).unref();
	}

	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await Promise.all(this.#working.values());
	}

	#follow(workflow: Workflow): void {
		const { states, firstMs, beforeMs = 0, endsAtMs } = this.#options;
		const { id, walletId, pool, isOpen, state } = workflow;
		if (!isOpen || !states.includes(state)) {
			this.#turns.delete(id);
			return;
		}
		const dueAtMs = performance.now() + beforeMs;
		const owner = { walletId, pool };
		this.#turns.set(id, { owner, failures: 0, dueAtMs, waitMs: firstMs, endsAtMs: endsAtMs?.(workflow) ?? null });
	}

	#tick(): void {
		const { mostAtOnce = MOST_A_STEP } = this.#options;
		const free = mostAtOnce - this.#working.size;
		if (free === 0) return;
		const now = performance.now();
		const due: [id: number, turn: Turn][] = [];
		for (const [id, turn] of this.#turns) if (turn.dueAtMs <= now && !this.#working.has(id)) due.push([id, turn]);
		// Those that have been due for longest come first: more than can be advanced in their pauses hold up no other.
		due.sort(([, one], [, other]) => one.dueAtMs - other.dueAtMs);
		for (const [id, turn] of due.slice(0, free)) {
			turn.dueAtMs = now + this.#pauseOf(turn);
			turn.waitMs = Math.min(turn.waitMs * 2, LONGEST_MS);
			this.#working.set(
				id,
				this.#advance(id, turn).finally(() => this.#working.delete(id)),
			);
		}
	}

	#pauseOf({ waitMs, endsAtMs }: Turn): number {
		const untilEndMs = endsAtMs === null ? 0 : endsAtMs - this.#options.clock();
		return untilEndMs > 0 ? Math.min(waitMs, untilEndMs + 1) : waitMs;
	}

	async #advance(id: number, turn: Turn): Promise<void> {
		const { advance, stuck, kind, log } = this.#options;
		try {
			await advance(id);
			turn.failures = 0;
		} catch (error) {
			turn.failures++;
			log.debug({ err: error, kind, id }, 'a workflow is advanced again later');
			if (turn.failures !== FAILURES_REPORTED) return;
			log.warn({ err: error, kind, id }, 'a workflow keeps failing');
			await stuck(id, turn.owner).catch(() => (turn.failures = 0));
		}
	}
}
