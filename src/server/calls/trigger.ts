import type { RequestOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { activeListingOf, type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { AS_PLAN, submitTrigger } from '#server/calls/order-bet.ts';
import { orderedOnce, requestKey } from '#server/calls/request-key.ts';
import type { Receipt } from '#server/exchange/exchange.ts';
import { triggerView } from '#server/exchange/views/trigger-view.ts';
import { commitView } from '#server/exchange/views/wire-views.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { BetId, PlayerId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import { sideCode } from '#values/sides.ts';

export const triggerHandlers = (
	parts: Parts,
): HandlersOf<'placeTrigger' | 'placePlan' | 'cancelTrigger' | 'getTriggers'> => ({
	placeTrigger: (input, caller) => placeTrigger(parts, input, caller),
	placePlan: (input, caller) => placePlan(parts, input, caller),
	cancelTrigger: (input, caller) => cancelTrigger(parts, input, caller),
	getTriggers: (_, caller) => ({
		triggers: parts.exchange.triggers(playerOf(caller).playerId).map((trigger) => triggerView(trigger, parts.fixtures)),
	}),
});

async function placeTrigger(parts: Parts, input: RequestOf<Calls['placeTrigger']>, caller: Caller) {
	const key = requestKey('PlaceTrigger', playerOf(caller).playerId, input);
	const receipt = await orderedOnce(parts.exchange, key, caller.untilMs, async (onOrdered) => {
		const listing = activeListingOf(parts.fixtures, input.marketId, caller);
		const asked = {
			listing,
			runner: listing.runners.findIndex(({ id }) => id === input.runnerId),
			side: sideCode(input.side),
			decimal: input.price,
			stake: input.stake,
			persist: input.persistence === 'PERSIST',
			watches: input.watches,
			moves: input.moves,
			at: input.at ?? null,
			trail: input.trail ?? null,
			marketVersion: input.marketVersion ?? null,
		};
		return await submitTrigger(parts, asked, caller, { key, onOrdered });
	});
	return answered(String(receipt.betId), receipt);
}

async function placePlan(parts: Parts, input: RequestOf<Calls['placePlan']>, caller: Caller) {
	const key = requestKey('PlacePlan', playerOf(caller).playerId, input);
	const receipt = await orderedOnce(parts.exchange, key, caller.untilMs, async (onOrdered) => {
		const listing = activeListingOf(parts.fixtures, input.marketId, caller);
		const asked = {
			listing,
			runner: listing.runners.findIndex(({ id }) => id === input.runnerId),
			side: sideCode(input.side),
			decimal: input.price,
			stake: input.stake,
			persist: input.persistence === 'PERSIST',
			...AS_PLAN,
			plan: input.plan,
			marketVersion: input.marketVersion ?? null,
		};
		return await submitTrigger(parts, asked, caller, { key, onOrdered });
	});
	return answered(String(receipt.betId), receipt);
}

async function cancelTrigger(
	parts: Parts,
	{ triggerId, ...request }: RequestOf<Calls['cancelTrigger']>,
	caller: Caller,
) {
	const { playerId: walletId } = playerOf(caller);
	const id = await ownTrigger(parts, triggerId, walletId);
	const receipt = await parts.exchange.submit(
		{ kind: 'cancel-trigger', triggerId: id, walletId },
		requestKey('CancelTrigger', walletId, { triggerId, ...request }),
		{ untilMs: caller.untilMs, requestId: caller.requestId, trace: caller.trace },
	);
	return answered(triggerId, receipt);
}

/** Another player's trigger and an unknown id are refused alike. @throws Refused UNKNOWN_ORDER */
async function ownTrigger({ exchange, db }: Parts, wireId: string, playerId: PlayerId): Promise<BetId> {
	const triggerId = Number(wireId);
	if (!Number.isSafeInteger(triggerId)) throw new Refused('UNKNOWN_ORDER');
	if (exchange.triggers(playerId).some((trigger) => trigger.triggerId === triggerId)) return triggerId;
	const { rowCount } = await db.query('select 1 from bet_trigger where trigger_id = $1 and wallet_id = $2', [
		triggerId,
		playerId,
	]);
	if (rowCount !== 1) throw new Refused('UNKNOWN_ORDER');
	return triggerId;
}

const answered = (triggerId: string, receipt: Receipt) => ({
	triggerId,
	balance: majorFromMinor(receipt.balance),
	exposure: majorFromMinor(receipt.exposure),
	...commitView(receipt),
});
