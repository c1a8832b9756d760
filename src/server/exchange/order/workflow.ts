/**
 * A workflow is anything that moves money other than bets, from its first step to its last: a payment order, a withdrawal,
 * a bonus, a round of the casino. Its steps commit in the batch of their postings, so its state and its money never
 * disagree. Which steps there are is decided where the workflow belongs (server/money/funds, the casino).
 */
import type { TransferAccount, TransferKind } from '#engine/effect.ts';
import type { DataOf, WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

/** How a workflow stands. Its kind says what its data is. */
export type Workflow<Kind extends TransferKind = TransferKind> = { [Each in Kind]: WorkflowOf<Each> }[Kind];

interface WorkflowOf<Kind extends TransferKind> {
	kind: Kind;
	/** Unique within its kind, and rising. */
	id: number;
	/** 0 when only the house is concerned. */
	walletId: WalletId;
	pool: Pool;
	state: string;
	/** Number of its last step, from 1. */
	step: number;
	/** How many postings its steps have made. */
	postings: number;
	/** Something is still to happen: it is in memory, and is found again by a restart. */
	isOpen: boolean;
	openedAtMs: number;
	/** Of its last step. */
	atMs: number;
	data: DataOf<Kind>;
}

/** A workflow of the casino whose data is of one shape. */
export type CasinoWorkflow<Data = DataOf<'CASINO'>> = Omit<Workflow<'CASINO'>, 'data'> & { data: Data };

/** Names a workflow. */
export interface WorkflowRef<Kind extends TransferKind = TransferKind> {
	kind: Kind;
	id: number;
}

/** A step as it is written. */
export interface WorkflowStep {
	kind: TransferKind;
	id: number;
	step: number;
	/** Null for the first. */
	from: string | null;
	to: string;
	/** "player", "server", "provider", or the operator's name. */
	actor: string;
	atMs: number;
	/** The changed fields of the workflow's data. */
	data: WorkflowData;
}

/** A name that can be taken once for ever, with the workflow that took it. */
export interface WorkflowClaim {
	name: string;
	kind: TransferKind;
	id: number;
}

export interface StepMove {
	debit: TransferAccount;
	credit: TransferAccount;
	/** Minor units, above zero. */
	amount: AnyMinor;
	/** Cash may go below zero: a correction of what the player has already spent. */
	mayOverdraw?: true;
}

/** What the player's bets on a round of the casino could lose together. */
export interface RoundAtRisk {
	game: string;
	/** The number of a round that everybody plays; null for one that is the workflow's alone. */
	round: number | null;
	/** Minor units. */
	amount: AnyMinor;
}

/** A step as it is asked for. */
export interface StepRequest {
	workflow: TransferKind;
	/** Left out for the first step of a new workflow, which then gets an id. */
	id?: number;
	/** The state that the workflow has to be in; null for a new one. */
	from: string | null;
	to: string;
	isOpen: boolean;
	actor: string;
	/** Added to what the workflow knows. */
	data?: WorkflowData;
	/** Names that nothing else may ever take, such as `utr:412345678901` or `coins:1003:2026-11-22`. */
	claims?: readonly string[];
	moves?: readonly StepMove[];
	/** Of a step that decides a round of the casino, or corrects what it had at risk. */
	atRisk?: RoundAtRisk;
}

/** One or more steps with their postings, of one wallet: all of them, or none. */
export interface TransferRequest {
	kind: 'transfer';
	/** 0 when only house accounts are concerned. */
	walletId: WalletId;
	pool: Pool;
	/** Each of another workflow. */
	steps: readonly StepRequest[];
}

/** The part of a receipt about a workflow. */
export type WorkflowReceipt = Pick<Workflow, 'kind' | 'id' | 'state' | 'step'>;

/** Refers to a workflow in maps. */
export const workflowKey = (kind: TransferKind, id: number): string => `${kind} ${id}`;
