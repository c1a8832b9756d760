/** A payment workflow's data about its order and its lost disputes. */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { OrderData } from '#server/exchange/order/workflow-data.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';

/** An order as it was made. @throws Refused NOT_FOUND for a second payment, which was never ordered */
export function orderOf({ data }: Workflow<'PAYMENT'>): OrderData {
	if (data.of !== undefined) throw new Refused('NOT_FOUND');
	return data;
}

/** The lost amount of a payment; a payment lost before disputes had cycles was lost as a whole. */
export function lostOf(payment: Workflow<'PAYMENT'>): AnyMinor {
	const { lost, paid = 0 } = payment.data;
	return lost ?? (payment.state === 'LOST' ? paid : 0);
}

/** SQL: the credited minor units of a payment's or a deposit's row, less lost disputes. */
export const CREDITED = `(coalesce(data ->> 'paid', data ->> 'amount')::bigint
	- case state when 'LOST' then coalesce(data ->> 'lost', data ->> 'paid')::bigint else coalesce((data ->> 'lost')::bigint, 0) end)`;
