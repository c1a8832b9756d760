/** Deposits, payments, withdrawals and rounds, with their postings. */
import { checkedWorkflows, WORKFLOW_COLUMNS, type WorkflowRow } from '#server/exchange/recovery/stored-workflows.ts';
import { type MoneyKind, type MoneyWorkflow, REASON_FOR_PLAYER } from '#server/money/funds/funds-rows.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { gameName } from '#server/operators/casino-acts.ts';
import type { SubjectRef } from '#server/operators/references/read-reference.ts';
import {
	type FindSubject,
	postingsWhere,
	type Subject,
	type SubjectPosting,
	zoneOfPlayer,
} from '#server/operators/references/subject.ts';
import { moneyText, timeText } from '#server/operators/references/texts/answer-texts.ts';
import type { AnswerTexts } from '#server/operators/references/texts/en.ts';
import type { AnyMinor } from '#values/money.ts';

type Kind = MoneyKind | 'CASINO';

const SUBJECT_OF = { PAYMENT: 'payment', DEPOSIT: 'deposit', WITHDRAWAL: 'withdrawal', CASINO: 'round' } as const;

const OF_WORKFLOW = 'posting.kind = workflow.kind and ref = workflow.id';

type WithPostings<K extends Kind> = WorkflowRow<K> & {
	postingRows: SubjectPosting[];
	reason: string | null;
};

/** One statement, so that the state and the postings are of one instant. */
async function stored<K extends Kind>({ reads }: OperatorOptions, kind: K, id: number) {
	const { rows } = await reads.query<WithPostings<K>>(
		`select ${WORKFLOW_COLUMNS}, ${postingsWhere(OF_WORKFLOW, 'all')} as "postingRows", ${REASON_FOR_PLAYER} as reason
		 from workflow where kind = $1 and id = $2`,
		[kind, id],
	);
	const [row] = rows;
	const [workflow] = checkedWorkflows<K>(rows);
	return row && workflow ? { workflow, postings: row.postingRows, reason: row.reason } : null;
}

/** What the postings together have left in an account, minor units. */
const leftIn = (postings: readonly SubjectPosting[], account: string): AnyMinor =>
	postings.reduce(
		(sum, { debit, credit, amount }) => sum + (credit === account ? amount : 0) - (debit === account ? amount : 0),
		0,
	);

/** Where the money is by the ledger, so that it never contradicts the postings beside it. */
function place({ places }: AnswerTexts, { kind, pool }: MoneyWorkflow, postings: readonly SubjectPosting[]): string {
	const found = (['hold', 'payout', 'bank', 'unmatched'] as const).find((account) => leftIn(postings, account) > 0);
	if (found !== undefined) return places[found](moneyText(pool, leftIn(postings, found)));
	const inBalance = leftIn(postings, 'cash');
	if (inBalance > 0) return places.balance(moneyText(pool, inBalance));
	return kind === 'WITHDRAWAL' ? places.returned : places.nothing;
}

/** The sentence of a state; none for a state of an earlier release. */
const stateText = (states: Readonly<Record<string, string>>, state: string): string[] =>
	states[state] ? [states[state]] : [];

function named(workflow: MoneyWorkflow, texts: AnswerTexts): string {
	const { kind, id, pool, data } = workflow;
	const amount = moneyText(pool, (kind === 'PAYMENT' ? data.paid : undefined) ?? data.amount);
	if (kind === 'DEPOSIT') return texts.deposit.asked(id, amount, data.utr);
	if (kind === 'PAYMENT') return texts.payment.asked(referenceOf('BLP', id), amount);
	return texts.withdrawal.asked(referenceOf('BLW', id), amount, data.masked);
}

/** @returns null for an unknown id */
const findMoney =
	(kind: MoneyKind): FindSubject =>
	async (parts, id): Promise<Subject | null> => {
		const found = await stored(parts, kind, id);
		if (!found) return null;
		const { postings, reason } = found;
		const workflow = found.workflow as MoneyWorkflow;
		const { state, openedAtMs, atMs, data, walletId, pool } = workflow;
		const zone = zoneOfPlayer(parts, walletId);
		const utr = kind === 'DEPOSIT' ? undefined : data.utr;
		return {
			kind: SUBJECT_OF[kind],
			id,
			playerId: walletId,
			about: `${moneyText(pool, data.amount)}, ${state}`,
			answer: async () => ({
				say: (texts) => [
					named(workflow, texts),
					texts.askedOn(timeText(texts.locale, openedAtMs, zone)),
					...stateText(texts[SUBJECT_OF[kind]].states, state),
					...(reason === null ? [] : [texts.reason(reason)]),
					place(texts, workflow, postings),
					texts.since(timeText(texts.locale, atMs, zone)),
					...(utr === undefined ? [] : [texts.bankReference(utr)]),
				],
				postings,
			}),
		};
	};

const findRound: FindSubject = async (parts, id) => {
	const found = await stored(parts, 'CASINO', id);
	if (!found || !('game' in found.workflow.data)) return null;
	const { workflow, postings } = found;
	const game = gameName(parts, found.workflow.data.game);
	const moved = (account: 'debit' | 'credit') =>
		postings.reduce((sum, posting) => sum + (posting[account] === 'cash' ? posting.amount : 0), 0);
	return {
		kind: 'round',
		id,
		playerId: workflow.walletId,
		about: game,
		answer: async () => ({
			say: (texts) => [
				texts.round.played(game, id),
				texts.askedOn(timeText(texts.locale, workflow.openedAtMs, zoneOfPlayer(parts, workflow.walletId))),
				...stateText(texts.round.states, workflow.state),
				texts.round.staked(moneyText(workflow.pool, moved('debit'))),
				...(moved('credit') > 0
					? [texts.round.paid(moneyText(workflow.pool, moved('credit')))]
					: workflow.isOpen
						? []
						: [texts.round.paidNothing]),
			],
			postings,
		}),
	};
};

export const WORKFLOW_SUBJECTS = {
	payment: findMoney('PAYMENT'),
	deposit: findMoney('DEPOSIT'),
	withdrawal: findMoney('WITHDRAWAL'),
	round: findRound,
} satisfies Partial<Record<SubjectRef['kind'], FindSubject>>;

/** The deposits, payments and withdrawals with a bank's reference. */
export async function subjectsWithUtr({ reads }: OperatorOptions, utr: string): Promise<SubjectRef[]> {
	const { rows } = await reads.query<{ kind: MoneyKind; id: number }>(
		`select kind, id from workflow where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr' and data ->> 'utr' = $1
		 union all select kind, id from workflow where kind = 'WITHDRAWAL' and data ? 'utr' and data ->> 'utr' = $1 limit 20`,
		[utr],
	);
	return rows.map(({ kind, id }) => ({ kind: SUBJECT_OF[kind], id }));
}
