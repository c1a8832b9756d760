/**
 * State machines as tables. A row says which event leads from which states to another, under which guard, with which
 * postings. Every step of a workflow is a row of its machine, and anything else is refused. docs/FUNDS.md shows the
 * same rows.
 */
import type { TransferAccount, TransferKind } from '#engine/effect.ts';
import type { StepMove, StepRequest, Workflow } from '#server/exchange/order/workflow.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { Refused } from '#values/error-catalogue.ts';

/** A condition on an event, over facts that were read for it. */
export interface Guard<Facts> {
	/** For the table in docs/FUNDS.md. */
	text: string;
	holds(facts: Facts): boolean;
}

/** One posting of a row. An amount of zero posts nothing. */
interface MoveRule<Amounts extends string> {
	debit: TransferAccount;
	credit: TransferAccount;
	/** The name of one of the event's amounts. */
	amount: Amounts;
	/** Cash may go below zero, because the player has spent the money. */
	mayOverdraw?: true;
}

export interface Row<Facts = never, Amounts extends string = string> {
	/** Empty for the first step of a workflow. */
	from: readonly string[];
	event: string;
	guard?: Guard<Facts>;
	/** Null: the state does not change. */
	to: string | null;
	/** The cause of the event, for the table. */
	by: string;
	moves?: readonly MoveRule<Amounts>[];
	/** The workflow closes: the server does nothing more about it, in any state. */
	closes?: true;
}

export interface Machine<Facts = never, Amounts extends string = string> {
	kind: TransferKind;
	title: string;
	/** The states in which the server still acts on its own. */
	open: readonly string[];
	/** In the order in which guards are checked. */
	rows: readonly Row<Facts, Amounts>[];
}

/** An event with the input of its row. */
export interface Happening<Facts, Amounts extends string> {
	event: string;
	facts: Facts;
	amounts: Readonly<Partial<Record<Amounts, number>>>;
	actor: string;
	data?: WorkflowData;
	claims?: readonly string[];
}

/** Declares a machine; the function exists to type its facts and amounts. */
export const machine = <Facts, Amounts extends string>(definition: Machine<Facts, Amounts>): Machine<Facts, Amounts> =>
	definition;

/**
 * The step that applies an event to a workflow, or begins one.
 * @throws Refused WRONG_STATE when no row allows it
 */
export function stepOf<Facts, Amounts extends string>(
	{ kind, open, rows }: Machine<Facts, Amounts>,
	workflow: Pick<Workflow, 'id' | 'state'> | null,
	{ event, facts, amounts, actor, data, claims }: Happening<Facts, Amounts>,
): StepRequest {
	const state = workflow?.state ?? null;
	const row = rows.find(
		({ from, event: of, guard }) =>
			of === event && (state === null ? from.length === 0 : from.includes(state)) && (guard?.holds(facts) ?? true),
	);
	if (!row) throw new Refused('WRONG_STATE', { state, event });
	const to = row.to ?? (state as string);
	return {
		workflow: kind,
		...(workflow ? { id: workflow.id } : {}),
		from: state,
		to,
		isOpen: open.includes(to) && !row.closes,
		actor,
		...(data ? { data } : {}),
		...(claims ? { claims } : {}),
		moves: (row.moves ?? []).flatMap((rule) => moveOf(rule, amounts)),
	};
}

function moveOf<Amounts extends string>(
	{ debit, credit, amount: name, mayOverdraw }: MoveRule<Amounts>,
	amounts: Readonly<Partial<Record<Amounts, number>>>,
): StepMove[] {
	const amount = amounts[name];
	if (amount === undefined) throw new Error(`the event names no amount "${name}"`);
	return amount === 0 ? [] : [{ debit, credit, amount, ...(mayOverdraw ? { mayOverdraw } : {}) }];
}
