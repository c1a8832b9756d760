import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { EventSummary } from '#contract/calls/event.ts';
import { Id } from '#contract/fields.ts';

export const MarketStatus = v.picklist([
	'INACTIVE',
	'OPEN',
	'SUSPENDED',
	'BALL_RUNNING',
	'CLOSED',
	'SETTLED',
	'VOIDED',
]);
export const RunnerStatus = v.picklist(['ACTIVE', 'REMOVED', 'WINNER', 'LOSER', 'PLACED']);

export const Market = v.object({
	id: Id,
	eventId: Id,
	name: v.string(),
	type: v.string(),
	bettingModel: v.picklist(['EXCHANGE', 'BOOKMAKER', 'FANCY']),
	status: MarketStatus,
	inPlay: v.boolean(),
	betDelaySeconds: v.number(),
	numberOfWinners: v.number(),
	minStake: v.number(),
	maxStake: v.number(),
	maxProfit: v.number(),
	/** 0.02 is two per cent of net winnings. */
	commissionRate: v.number(),
	ladder: v.picklist(['CLASSIC']),
	/** Rises at suspension, turning in-play and runner removal. */
	version: v.number(),
	runners: v.array(
		v.object({
			id: Id,
			name: v.string(),
			sortOrder: v.number(),
			status: RunnerStatus,
			adjustmentFactor: v.optional(v.number()),
		}),
	),
	rules: v.string(),
});

export const getMarketsByEventId = defineCall({
	method: 'GET',
	path: 'Market/GetByEventId',
	auth: 'optional',
	summary: 'An event with its markets and runners.',
	request: v.object({ eventId: Id }),
	response: v.object({ event: EventSummary, markets: v.array(Market) }),
});
