/**
 * Applies events to workflows: each event is a row of its machine, ordered by the exchange, and durable when the
 * promise resolves.
 */
import type pg from 'pg';
import type { TransferKind } from '#engine/effect.ts';
import type { Exchange, Receipt, RequestKey, SubmitTerms } from '#server/exchange/exchange.ts';
import type { StepRequest, Workflow, WorkflowRef } from '#server/exchange/order/workflow.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { workflowsByKey } from '#server/exchange/recovery/stored-workflows.ts';
import { type Happening, type Machine, stepOf } from '#server/money/funds/machine.ts';
import { FINDING } from '#server/money/funds/machines/finding.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import { isDemoPool, type Pool } from '#values/pools.ts';

/** The wallet of a new workflow; 0 for the house alone. */
export interface Owner {
	walletId: WalletId;
	pool: Pool;
}

interface HappenTerms extends SubmitTerms {
	key?: RequestKey;
	/** Steps of other workflows of the same wallet, applied atomically with it. */
	beside?: readonly StepRequest[];
}

export interface Happened {
	id: number;
	state: string;
	receipt: Receipt;
}

interface FundsLedgerOptions {
	exchange: Pick<Exchange, 'submit' | 'wallet' | 'workflow' | 'now' | 'pools'>;
	db: pg.Pool;
}

export class FundsLedger {
	readonly #options: FundsLedgerOptions;
	/** Acts on a player, an order or a campaign take turns. */
	readonly turns = new Turns();

	constructor(options: FundsLedgerOptions) {
		this.#options = options;
	}

	/** The time of the ledger's stamps. Periods are counted in it. */
	now(): number {
		return this.#options.exchange.now();
	}

	/** The durable workflow. @throws Refused NOT_FOUND, UnreadableWorkflow */
	async find<Kind extends TransferKind>(kind: Kind, id: number): Promise<Workflow<Kind>> {
		const { exchange, db } = this.#options;
		const workflow = exchange.workflow({ kind, id }) ?? (await workflowsByKey(db, [{ kind, id }]))[0];
		if (!workflow) throw new Refused('NOT_FOUND');
		return workflow;
	}

	/**
	 * Runs acts on a workflow one at a time; acts on a dispute take the turn of its payment.
	 * @throws Refused NOT_FOUND
	 */
	async inTurnOf<Result, Kind extends TransferKind>(
		{ kind, id }: WorkflowRef<Kind>,
		act: (workflow: Workflow<Kind>) => Promise<Result>,
	): Promise<Result> {
		const turn =
			kind === 'DISPUTE' ? `payment ${(await this.find('DISPUTE', id)).data.payment}` : `${kind.toLowerCase()} ${id}`;
		return await this.turns.take(turn, async () => await act(await this.find(kind, id)));
	}

	/** Begins a workflow by an event. @throws Refused */
	async begin<Facts, Amounts extends string>(
		machine: Machine<Facts, Amounts>,
		owner: Owner,
		happening: Happening<Facts, Amounts>,
		terms: HappenTerms = {},
	): Promise<Happened> {
		return await this.#submit(owner, stepOf(machine, null, happening), terms);
	}

	/**
	 * Applies an event to a workflow, unless it has changed since it was read.
	 * @throws Refused WRONG_STATE if the machine does not allow it, or another event came first
	 */
	async happen<Facts, Amounts extends string>(
		machine: Machine<Facts, Amounts>,
		workflow: Owner & Pick<Workflow, 'id' | 'state'>,
		happening: Happening<Facts, Amounts>,
		terms: HappenTerms = {},
	): Promise<Happened> {
		return await this.#submit(workflow, stepOf(machine, workflow, happening), terms);
	}

	async #submit(
		{ walletId, pool }: Owner,
		step: StepRequest,
		{ key, beside = [], ...terms }: HappenTerms,
	): Promise<Happened> {
		const request = { kind: 'transfer', walletId, pool, steps: [step, ...beside] } as const;
		const receipt = await this.#options.exchange.submit(request, key, terms);
		const made = receipt.workflows?.[0];
		if (!made) throw new Error('the receipt of a transfer names no workflow');
		return { id: made.id, state: made.state, receipt };
	}

	/** Whom a finding concerns that names no player: the house, in a served pool with accountable money of a provider. */
	houseOf(pools: readonly Pool[]): { walletId: 0; pool: Pool } {
		const answered = pools.filter((pool) => !isDemoPool(pool));
		const served = answered.find((pool) => this.#options.exchange.pools.includes(pool));
		return { walletId: 0, pool: served ?? answered[0] ?? 'PLAY' };
	}

	/** Records a finding for operators, once per name. Coins of the demo pool get no findings. */
	async report(name: string, owner: Owner, data: WorkflowData): Promise<void> {
		if (isDemoPool(owner.pool)) return;
		try {
			const claims = [`finding:${name}`];
			const happening = { event: 'find', facts: null, amounts: {}, actor: 'server', data: { name, ...data }, claims };
			await this.begin(FINDING, owner, happening);
		} catch (error) {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
		}
	}
}
