import type { OrderGroupView } from '#engine/order-groups.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { majorFromMinor } from '#values/money.ts';

export const orderGroupHandlers = ({ exchange }: Parts): HandlersOf<'getOrderGroups' | 'setOrderGroup'> => ({
	getOrderGroups: (_, caller) => ({
		groups: exchange.orderGroups(playerOf(caller).playerId).map((group) => groupView(group)),
	}),
	setOrderGroup: async (input, caller) => {
		const { playerId: walletId } = playerOf(caller);
		await exchange.submit({ kind: 'set-order-group', walletId, ...input }, undefined, { untilMs: caller.untilMs });
		return groupView({ ...input, recent: [], closedAtMs: null });
	},
});

const groupView = ({ name, most, recent, closedAtMs }: Omit<OrderGroupView, 'walletId'>) => ({
	name,
	most: majorFromMinor(most),
	matched: majorFromMinor(recent.reduce((sum, [, stake]) => sum + stake, 0)),
	...(closedAtMs === null ? {} : { closedAt: isoTime(closedAtMs) }),
});
