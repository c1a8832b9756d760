/** Operations on the caller's groups of orders: the same calls as the site's. */
import * as v from 'valibot';
import { GroupName } from '#contract/calls/bet.ts';
import { orderGroupHandlers } from '#server/calls/order-group.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import { amountOf } from '#server/doors/bots-api/fields.ts';
import { Numeric, operation } from '#server/doors/bots-api/operation.ts';

export const GROUP_OPERATIONS = {
	/** Opens a group, or resets one that was closed. */
	setOrderGroup: operation({
		request: v.object({ name: GroupName, most: Numeric }),
		trades: true,
		run: async (parts, { name, most }, caller) => {
			const amount = amountOf(most);
			if (amount === null) throw new ApingException('INVALID_INPUT_DATA', 'most');
			return await orderGroupHandlers(parts).setOrderGroup({ name, most: amount }, caller);
		},
	}),
	listOrderGroups: operation({
		request: v.object({}),
		run: (parts, _, caller) => orderGroupHandlers(parts).getOrderGroups({}, caller),
	}),
};
