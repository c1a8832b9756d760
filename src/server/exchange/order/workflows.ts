/**
 * The workflows as the sequencer has ordered them. Every open one is in memory; a closed one is read from its table when a
 * step of it is asked for. A step is decided here: a workflow that is not in the state that the step starts from refuses
 * it, so two steps from one state cannot both happen, and nothing is left for the database to refuse.
 */

import type { Transfer, TransferMove } from '#engine/command.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { Request } from '#server/exchange/exchange.ts';
import {
	type CasinoWorkflow,
	type RoundAtRisk,
	type StepRequest,
	type TransferRequest,
	type Workflow,
	type WorkflowClaim,
	type WorkflowReceipt,
	type WorkflowRef,
	type WorkflowStep,
	workflowKey,
} from '#server/exchange/order/workflow.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import { isStorable } from '#values/storable.ts';

/** Closed workflows in memory, those used last. */
const MOST_CLOSED = 10_000;

interface Known {
	workflow: Workflow;
	/** Steps of batches that are not durable yet. */
	pending: number;
}

/** A transfer as it is applied: the engine's command, and what its steps leave. */
export interface PlannedTransfer {
	command: Transfer & { atMs: number };
	changes: readonly PlannedStep[];
}
export interface PlannedStep {
	workflow: Workflow;
	step: WorkflowStep;
	claims: readonly WorkflowClaim[];
	atRisk: RoundAtRisk | null;
}

export class Workflows {
	readonly #known = new Map<string, Known>();
	/** Open rounds of the casino with their games, by wallet. */
	readonly #openRounds = new Map<WalletId, Map<number, string>>();
	/** Closed and durable; the one used longest ago leaves the memory. */
	readonly #closed = recentlyUsed<string, true>(MOST_CLOSED, (key) => this.#known.delete(key));
	readonly #read: (keys: readonly WorkflowRef[]) => Promise<Workflow[]>;

	/** @param read from the table, in any order; one that is not there is left out */
	constructor(open: readonly Workflow[], read: (keys: readonly WorkflowRef[]) => Promise<Workflow[]>) {
		for (const workflow of open) {
			this.#known.set(workflowKey(workflow.kind, workflow.id), { workflow, pending: 0 });
			this.#noteRound(workflow);
		}
		this.#read = read;
	}

	/** A workflow in memory, as it durably is; null when the tables have to be asked. */
	durable<Kind extends TransferKind>({ kind, id }: WorkflowRef<Kind>): Workflow<Kind> | null {
		const known = this.#known.get(workflowKey(kind, id));
		return known?.pending === 0 ? (known.workflow as Workflow<Kind>) : null;
	}

	/** The workflows to be read before a command can be judged; null when all are in memory. */
	missing(request: Request): WorkflowRef[] | null {
		if (request.kind !== 'transfer') return null;
		const missing = request.steps.flatMap(({ workflow: kind, id }) =>
			id === undefined || this.#known.has(workflowKey(kind, id)) ? [] : [{ kind, id }],
		);
		return missing.length > 0 ? missing : null;
	}

	/** @throws Refused NOT_FOUND */
	async read(keys: readonly WorkflowRef[]): Promise<void> {
		const workflows = await retryFaults(() => this.#read(keys));
		if (workflows.length < keys.length) throw new Refused('NOT_FOUND');
		for (const workflow of workflows) {
			const key = workflowKey(workflow.kind, workflow.id);
			// A step that was ordered meanwhile is newer than what was read.
			if (!this.#known.has(key)) this.#known.set(key, { workflow, pending: 0 });
			this.#letGo(key);
		}
	}

	/**
	 * What a transfer does to its workflows, and its postings with their keys. Changes nothing.
	 * @param number of the command, which a new workflow gets for its id
	 * @throws Refused WRONG_STATE when a workflow is not where its step starts, VALIDATION_FAILED for a text that the
	 *   database cannot store
	 */
	plan(request: TransferRequest, atMs: number, number: number): PlannedTransfer {
		const { walletId, pool, steps } = request;
		const keys = new Set(steps.map(({ workflow, id = number }) => workflowKey(workflow, id)));
		if (keys.size < steps.length) throw new Error('a transfer names a workflow twice');
		const claims = steps.flatMap((step) => step.claims ?? []);
		if (new Set(claims).size < claims.length) throw new Error('a transfer claims a name twice');
		const changes = steps.map((step) => this.#change(request, step, atMs, number));
		const moves = steps.flatMap(({ moves: ofStep = [] }, at): TransferMove[] => {
			const { kind, id, postings } = (changes[at] as PlannedStep).workflow;
			return ofStep.map((move, index) => ({ ...move, kind, ref: id, step: postings - ofStep.length + index }));
		});
		return { command: { kind: 'transfer', atMs, walletId, pool, moves }, changes };
	}

	#change({ walletId, pool }: TransferRequest, step: StepRequest, atMs: number, number: number): PlannedStep {
		const { workflow: kind, id = number, from, to, isOpen, actor, data = {}, claims = [], moves = [] } = step;
		const before = this.#known.get(workflowKey(kind, id))?.workflow ?? null;
		if ((before?.state ?? null) !== from) throw new Refused('WRONG_STATE', { state: before?.state ?? null });
		if (before && before.walletId !== walletId) throw new Error(`${kind} ${id} is not of wallet ${walletId}`);
		// A batch that the database refuses would stop the exchange.
		if (!isStorable(data) || !isStorable(claims)) throw new Refused('VALIDATION_FAILED');
		// The steps of a kind make together what its schema says, which every later read compares.
		const workflow = {
			kind,
			id,
			walletId,
			pool,
			state: to,
			step: (before?.step ?? 0) + 1,
			postings: (before?.postings ?? 0) + moves.length,
			isOpen,
			openedAtMs: before?.openedAtMs ?? atMs,
			atMs,
			data: { ...before?.data, ...data },
		} as Workflow;
		return {
			workflow,
			step: { kind, id, step: workflow.step, from, to, actor, atMs, data },
			claims: claims.map((name) => ({ name, kind, id })),
			atRisk: step.atRisk ?? null,
		};
	}

	/** After the engine has applied the transfer. */
	ordered(changes: readonly PlannedStep[]): WorkflowReceipt[] {
		return changes.map(({ workflow }) => {
			const key = workflowKey(workflow.kind, workflow.id);
			const pending = (this.#known.get(key)?.pending ?? 0) + 1;
			this.#known.set(key, { workflow, pending });
			this.#noteRound(workflow);
			this.#closed.delete(key);
			const { kind, id, state, step } = workflow;
			return { kind, id, state, step };
		});
	}

	/** The games in which the wallet has an open round, durable or not. */
	openGames(walletId: WalletId): ReadonlySet<string> {
		return new Set(this.#openRounds.get(walletId)?.values());
	}

	#noteRound(workflow: Workflow): void {
		if (workflow.kind !== 'CASINO') return;
		const { id, walletId, isOpen, data } = workflow as CasinoWorkflow;
		const rounds = this.#openRounds.get(walletId) ?? new Map<number, string>();
		// The tombstone of a bet that never arrived is closed, and names no game.
		if (isOpen && 'game' in data) this.#openRounds.set(walletId, rounds.set(id, data.game));
		else if (rounds.delete(id) && rounds.size === 0) this.#openRounds.delete(walletId);
	}

	/** These steps are durable. */
	written(steps: readonly WorkflowStep[]): void {
		for (const { kind, id } of steps) {
			const key = workflowKey(kind, id);
			const known = this.#known.get(key);
			if (known) known.pending--;
			this.#letGo(key);
		}
	}

	/** A closed workflow without a step under way may be forgotten; the one used longest ago is. */
	#letGo(key: string): void {
		const known = this.#known.get(key);
		if (!known || known.workflow.isOpen || known.pending > 0) return;
		this.#closed.set(key, true);
	}
}
