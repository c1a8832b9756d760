/**
 * Webhooks to the systems of brands. What is told is durable with what it tells: events of a batch are rows of the
 * batch (here), those about accounts are rows of the journal. `spread-events` makes deliveries of both, and the sender
 * posts these until they are taken.
 */
import { randomUUID } from 'node:crypto';
import type { WebhookDataOf, WebhookKind } from '#contract/webhook-events.ts';
import type { BatchRows, EventRow } from '#server/exchange/order/batch-rows.ts';
import { type Workflow, type WorkflowStep, workflowKey } from '#server/exchange/order/workflow.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { taxOnReturn } from '#server/money/funds/taxes/withheld-tax.ts';
import { HOME_CURRENCY } from '#values/currency-codes.ts';
import type { WalletId } from '#values/ids.ts';
import { currencyOf, FIRST_PLAYER_ID, isDemoPool } from '#values/pools.ts';

type Subscribed = (kind: WebhookKind) => boolean;
type Refusal = WebhookDataOf<'withdrawal.refused'>['outcome'];

const REFUSALS: ReadonlySet<string> = new Set<Refusal>(['REJECTED', 'CANCELLED', 'FAILED', 'RETURNED']);
const CREDITED: Readonly<Record<string, readonly string[]>> = {
	PAYMENT: ['SUCCESS', 'CREDITED'],
	DEPOSIT: ['APPROVED'],
};
/** A receipt that displaces nothing was never credited, so it counts only after its approval. */
const REVERSED: ReadonlySet<string> = new Set(['REVERSED', 'DUPLICATE']);

/** States of a dispute whose part of the deposit is taken back, whether or not the player has paid it all. */
const LOST: ReadonlySet<string> = new Set(['OWED', 'LOST']);

function eventOf<Kind extends WebhookKind>(kind: Kind, walletId: WalletId | null, data: WebhookDataOf<Kind>): EventRow {
	return { eventId: randomUUID(), kind, walletId, data };
}

/** What the rows of a batch tell of the subscribed kinds. Coins of the demo pool are no events. */
export function batchEvents(rows: BatchRows, isSubscribed: Subscribed): EventRow[] {
	const events = [...moneyEvents(rows), ...marketEvents(rows, isSubscribed)];
	return events.filter(({ kind }) => isSubscribed(kind));
}

/** A row for each settled bet would cost as much as the settlement, so what no brand subscribed to is not even made. */
function* marketEvents(
	{ markets, changedMarkets, settlements, wallets }: BatchRows,
	isSubscribed: Subscribed,
): Generator<EventRow> {
	for (const { marketId, status, results } of markets) {
		if (!changedMarkets.has(marketId) || (status !== 'SETTLED' && status !== 'VOIDED')) continue;
		yield eventOf('market.settled', null, { marketId: String(marketId), status, results: [...(results ?? [])] });
	}
	if (!isSubscribed('player.market-settled')) return;
	// A settled player's wallet has changed, so it is in the batch.
	const currencies = new Map(wallets.map(({ walletId, currency }) => [walletId, currency]));
	for (const { marketId, walletId, net, commission, profit } of settlements) {
		if (walletId < FIRST_PLAYER_ID) continue;
		yield eventOf('player.market-settled', walletId, {
			playerId: String(walletId),
			marketId: String(marketId),
			netMinor: net,
			commissionMinor: commission,
			profitMinor: profit,
			currency: currencies.get(walletId) ?? HOME_CURRENCY,
		});
	}
}

function* moneyEvents({ workflowSteps, workflows }: BatchRows): Generator<EventRow> {
	const concerned = workflowSteps.filter(
		({ kind, from, to }) => from !== to && ['PAYMENT', 'DEPOSIT', 'DISPUTE', 'WITHDRAWAL', 'FINDING'].includes(kind),
	);
	if (concerned.length === 0) return;
	const byKey = new Map(workflows.map((workflow) => [workflowKey(workflow.kind, workflow.id), workflow]));
	for (const step of concerned) {
		const workflow = byKey.get(workflowKey(step.kind, step.id));
		if (!workflow || isDemoPool(workflow.pool) || workflow.walletId < FIRST_PLAYER_ID) continue;
		const event = moneyEvent(step, workflow);
		if (event) yield event;
	}
}

function moneyEvent({ from, to, atMs }: WorkflowStep, workflow: Workflow): EventRow | null {
	const { walletId } = workflow;
	const player = { playerId: String(walletId) };
	const id = String(workflow.id);
	const currency = currencyOf(workflow.pool);
	switch (workflow.kind) {
		case 'FINDING': {
			// What follows the first colon may be a bank's reference.
			const [finding = ''] = workflow.data.name.split(':');
			return from === null ? eventOf('finding.raised', walletId, { ...player, findingId: id, finding }) : null;
		}
		case 'WITHDRAWAL': {
			const { amount } = workflow.data;
			const about = { ...player, withdrawalId: id, amountMinor: amount, currency };
			if (to === 'PAID') return eventOf('withdrawal.paid', walletId, about);
			if (!REFUSALS.has(to)) return null;
			const amountMinor = amount + taxOnReturn(workflow.data, atMs);
			return eventOf('withdrawal.refused', walletId, { ...about, amountMinor, outcome: to as Refusal });
		}
		case 'DISPUTE': {
			const { payment, amount } = workflow.data;
			const about = {
				...player,
				depositId: String(payment),
				method: 'PAYMENT' as const,
				amountMinor: amount,
				currency,
			};
			const [wasLost, isLost] = [LOST.has(from ?? ''), LOST.has(to)];
			if (wasLost === isLost) return null;
			return eventOf(isLost ? 'deposit.reversed' : 'deposit.credited', walletId, about);
		}
		case 'PAYMENT':
		case 'DEPOSIT': {
			const { kind } = workflow;
			const amountMinor = workflow.kind === 'PAYMENT' ? (workflow.data.paid ?? 0) : workflow.data.amount;
			const about = { ...player, depositId: id, method: kind, amountMinor, currency };
			if (CREDITED[kind]?.includes(to)) return eventOf('deposit.credited', walletId, about);
			return from === 'APPROVED' && REVERSED.has(to) ? eventOf('deposit.reversed', walletId, about) : null;
		}
		default:
			return null;
	}
}

/** A row of the journal as `spread-events` reads it. */
export interface JournalAct {
	act: string;
	playerId: number;
	after: Record<string, unknown> | null;
}

/** Acts of the journal that are events. */
export const EVENT_ACTS = ['PLAYER_CREATED', 'EXCLUDED', 'TIMED_OUT', 'ACCOUNT_CLOSED'] as const;

/** Null for a row that tells nothing. */
export function journalEvent({ act, playerId, after }: JournalAct): EventRow | null {
	const player = { playerId: String(playerId) };
	const untilOf = (field: string): string => isoTime(Number(after?.[field]));
	switch (act as (typeof EVENT_ACTS)[number]) {
		case 'PLAYER_CREATED':
			return eventOf('player.registered', playerId, player);
		case 'EXCLUDED':
			return eventOf('player.excluded', playerId, { ...player, until: untilOf('excludedUntilMs') });
		case 'TIMED_OUT':
			return eventOf('player.timed-out', playerId, { ...player, until: untilOf('timeOutUntilMs') });
		case 'ACCOUNT_CLOSED':
			return eventOf('player.closed', playerId, player);
		default:
			return null;
	}
}
