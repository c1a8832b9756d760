/** A trigger as calls and the hub show it. */

import type * as v from 'valibot';
import type { Trigger } from '#contract/calls/trigger.ts';
import type { TriggerView } from '#engine/effect.ts';
import type { Listings } from '#server/exchange/views/market-listing.ts';
import { isoTime, riskOfTrigger } from '#server/exchange/views/wire-views.ts';
import { majorFromMinor } from '#values/money.ts';
import { type AnyPrice, decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';

const decimalOf = (price: AnyPrice | null): number | null => (price === null ? null : decimalFromPrice(price));

export function triggerView(trigger: TriggerView, fixtures: Listings): v.InferOutput<typeof Trigger> {
	const listing = fixtures.market(trigger.marketId);
	const runner = listing?.runners[trigger.runner];
	const { watches, moves, trail, status, reason, betId, dueAtMs } = trigger;
	return {
		triggerId: String(trigger.triggerId),
		eventId: String(listing?.fixtureId ?? 0),
		eventTitle: (listing && fixtures.fixture(listing.fixtureId)?.title) ?? '',
		marketId: String(trigger.marketId),
		marketName: listing?.name ?? '',
		runnerId: runner?.id ?? String(trigger.runner),
		runnerName: runner?.name ?? '',
		side: sideName(trigger.side),
		price: decimalFromPrice(trigger.price),
		stake: majorFromMinor(trigger.stake),
		liability: riskOfTrigger(trigger, listing),
		persistence: trigger.persist ? 'PERSIST' : 'LAPSE',
		watches,
		moves,
		at: decimalOf(trigger.at),
		trail,
		best: decimalOf(trigger.best),
		status,
		...(reason === null ? {} : { reason }),
		...(betId === null ? {} : { betId: String(betId) }),
		...(trigger.plan == null ? {} : { plan: planView(trigger) }),
		placedAt: isoTime(trigger.placedAtMs),
		...(dueAtMs === null ? {} : { dueAt: isoTime(dueAtMs) }),
	};
}

function planView({ plan, whole, stake, exitId }: TriggerView): v.InferOutput<typeof Trigger>['plan'] {
	if (plan == null) return undefined;
	const { kind, ...rule } = plan;
	const shown = 'visible' in rule ? { visible: majorFromMinor(rule.visible) } : rule;
	const exit = exitId == null ? {} : { exitBetId: String(exitId) };
	return { kind, stake: majorFromMinor(whole ?? stake), ...shown, ...exit };
}
