/** Orders that are placed later, or by a plan: fields of this exchange, which the service has not. */
import * as v from 'valibot';
import { TriggerMove, WatchedPrice } from '#contract/calls/trigger.ts';
import { AS_PLAN } from '#server/calls/order-bet.ts';
import { amountOf } from '#server/doors/bots-api/fields.ts';
import { given, Numeric, Whole } from '#server/doors/bots-api/operation.ts';
import { BadInstruction } from '#server/doors/bots-api/order-reports.ts';

/** When the exchange places the order: see the call that places triggers. */
export const OrderTrigger = v.object({
	watches: v.optional(WatchedPrice, 'LAST_TRADED'),
	moves: TriggerMove,
	at: given(Numeric),
	trail: given(Whole),
});

/** How the exchange keeps the order in the book: see the call that places plans. */
export const OrderPlan = v.variant('kind', [
	v.object({ kind: v.literal('ICEBERG'), visible: Numeric }),
	v.object({
		kind: v.literal('PEG'),
		follows: v.optional(v.picklist(['OWN', 'OPPOSITE']), 'OWN'),
		ticks: v.optional(Whole, 0),
	}),
	v.object({ kind: v.literal('BRACKET'), profitTicks: Whole, stopTicks: Whole }),
]);

/** What an order waits for before it is placed, or the plan that keeps it in the book. @throws BadInstruction */
export function waitsOf({
	trigger,
	plan,
}: {
	trigger?: v.InferOutput<typeof OrderTrigger>;
	plan?: v.InferOutput<typeof OrderPlan>;
}) {
	if (trigger && plan) throw new BadInstruction('INVALID_ORDER_TYPE');
	if (!plan)
		return {
			moves: 'FALLS' as const,
			watches: 'LAST_TRADED' as const,
			...trigger,
			at: trigger?.at ?? null,
			trail: trigger?.trail ?? null,
		};
	if (plan.kind !== 'ICEBERG') return { ...AS_PLAN, plan };
	const visible = amountOf(plan.visible);
	if (visible === null || visible <= 0) throw new BadInstruction('INVALID_BET_SIZE');
	return { ...AS_PLAN, plan: { ...plan, visible } };
}
