/** Webhooks to the systems of brands. */
import * as v from 'valibot';
import { DomainName } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { SUBSCRIBED_KINDS } from '#contract/webhook-events.ts';

const OnBrand = v.strictObject({ host: DomainName });
const EndpointId = v.pipe(v.string(), v.uuid('The id of an endpoint is a UUID.'));
const OnEndpoint = v.strictObject({ host: DomainName, endpointId: EndpointId });
const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'DEAD'] as const;

export const webhookList = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: OnBrand,
	response: v.array(
		v.object({
			endpointId: v.string(),
			url: v.string(),
			events: v.array(v.string()),
			isPaused: v.boolean(),
			createdAt: v.string(),
			/** Since when every attempt fails; null while events are taken. */
			failingSince: v.nullable(v.string()),
			waiting: v.number(),
			dead: v.number(),
		}),
	),
	summary: 'The endpoints that receive webhooks of a brand, and what waits for them.',
});

/** Data of players leaves for that address. */
export const webhookAdd = defineOperatorCall({
	permission: 'brands.edit',
	confirm: 'brands.confirm',
	about: 'brand',
	input: v.strictObject({
		...OnBrand.entries,
		url: v.pipe(v.string(), v.url('The address must be a URL.'), v.maxLength(500)),
		events: v.pipe(v.array(v.picklist(SUBSCRIBED_KINDS)), v.minLength(1, 'Name at least one kind of event.')),
	}),
	response: v.object({ endpointId: v.string() }),
	summary: 'Adds an endpoint for webhooks; rotating its secret answers the first one.',
});

export const webhookRotate = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: OnEndpoint,
	/** The secret before signs, too, until then. */
	response: v.object({ endpointId: v.string(), secret: v.string(), earlierSignsUntil: v.string() }),
	summary: 'Gives an endpoint a new secret, which is shown this once; the one before signs for a day more.',
});

export const webhookPause = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({ ...OnEndpoint.entries, isPaused: v.boolean() }),
	response: v.object({ endpointId: v.string(), isPaused: v.boolean() }),
	summary: 'Pauses an endpoint, whose events wait, or sends to it again.',
});

export const webhookRemove = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: OnEndpoint,
	response: v.object({ removed: v.string() }),
	summary: 'Removes an endpoint with its deliveries.',
});

export const webhookTest = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: OnEndpoint,
	response: v.object({ eventId: v.string(), sequence: v.number() }),
	summary: 'Sends an event without content to an endpoint.',
});

export const webhookDeliveries = defineOperatorCall({
	permission: 'brands.read',
	about: 'brand',
	looks: true,
	input: v.strictObject({
		...OnEndpoint.entries,
		state: v.optional(v.picklist(DELIVERY_STATES)),
		/** Those with a smaller number; the newest by default. */
		before: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
	}),
	response: v.array(
		v.object({
			sequence: v.number(),
			eventId: v.string(),
			kind: v.string(),
			at: v.string(),
			state: v.picklist(DELIVERY_STATES),
			tries: v.number(),
			nextAt: v.nullable(v.string()),
			status: v.nullable(v.number()),
			reason: v.nullable(v.string()),
		}),
	),
	summary: 'Deliveries to an endpoint, newest first, a hundred at once.',
});

export const webhookReplay = defineOperatorCall({
	permission: 'brands.edit',
	about: 'brand',
	input: v.strictObject({
		...OnEndpoint.entries,
		/** All dead deliveries by default. */
		sequence: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
	}),
	response: v.object({ replayed: v.number() }),
	summary: 'Sends a delivery again under the same id, or all that were given up.',
});
