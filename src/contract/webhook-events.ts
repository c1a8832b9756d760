/**
 * What the systems of a brand are told by webhook: the kinds of events with the shape of their data. docs/WEBHOOKS.md
 * lists them. Ids are texts without a meaning; amounts are whole minor units. No event has a name, a mobile, bank details, a
 * bank's reference or a secret.
 */
import * as v from 'valibot';
import { CURRENCIES } from '#values/currency-codes.ts';

const Id = v.string();
const Minor = v.pipe(v.number(), v.safeInteger());
const Time = v.pipe(v.string(), v.isoTimestamp());
const Currency = v.picklist(CURRENCIES);
const Amount = { amountMinor: Minor, currency: Currency };
const OfPlayer = { playerId: Id };

interface WebhookEventKind<Data extends v.GenericSchema> {
	data: Data;
	/** One sentence for the document and for operators. */
	summary: string;
}

const event = <Data extends v.GenericSchema>(summary: string, data: Data): WebhookEventKind<Data> => ({
	summary,
	data,
});

/** A deposit by UPI order (PAYMENT) or by receipt (DEPOSIT). */
const Deposit = v.strictObject({ ...OfPlayer, depositId: Id, method: v.picklist(['PAYMENT', 'DEPOSIT']), ...Amount });

export const WEBHOOK_EVENTS = {
	'player.registered': event('A player has an account.', v.strictObject(OfPlayer)),
	'player.excluded': event(
		'An account is excluded until a time. It may come again with a later time.',
		v.strictObject({ ...OfPlayer, until: Time }),
	),
	'player.timed-out': event(
		'A player takes a break until a time. It may come again with a later time.',
		v.strictObject({ ...OfPlayer, until: Time }),
	),
	'player.closed': event('A player closed the account.', v.strictObject(OfPlayer)),
	'deposit.credited': event(
		'A deposit is in the player’s balance; or a part that a lost chargeback took is back by a later word.',
		Deposit,
	),
	'deposit.reversed': event(
		'A credited deposit was taken back, or the part of it that a lost chargeback took.',
		Deposit,
	),
	'withdrawal.paid': event('A withdrawal was paid out.', v.strictObject({ ...OfPlayer, withdrawalId: Id, ...Amount })),
	'withdrawal.refused': event(
		'A withdrawal is not paid; the amount is back in the balance, with the tax that comes back.',
		v.strictObject({
			...OfPlayer,
			withdrawalId: Id,
			/** By an operator, by the player, by the bank, or sent back by the bank after it was paid. */
			outcome: v.picklist(['REJECTED', 'CANCELLED', 'FAILED', 'RETURNED']),
			...Amount,
		}),
	),
	'market.settled': event(
		'A market has a result, or is void. A market that was settled again comes again.',
		v.strictObject({
			marketId: Id,
			status: v.picklist(['SETTLED', 'VOIDED']),
			/** In the order of the market's runners. */
			results: v.array(v.string()),
		}),
	),
	'player.market-settled': event(
		'What a player won or lost in a market. The newest one counts; zeros mean that the market was reopened.',
		v.strictObject({
			...OfPlayer,
			marketId: Id,
			/** Won or lost before commission, commission, and both together. */
			netMinor: Minor,
			commissionMinor: Minor,
			profitMinor: Minor,
			currency: Currency,
		}),
	),
	'finding.raised': event(
		'The server found something about a player’s money that an operator has to look at.',
		v.strictObject({ ...OfPlayer, findingId: Id, finding: v.string() }),
	),
	'webhook.test': event('An operator tests the endpoint.', v.strictObject({})),
} as const;

export type WebhookKind = keyof typeof WEBHOOK_EVENTS;
export type WebhookDataOf<Kind extends WebhookKind> = v.InferOutput<(typeof WEBHOOK_EVENTS)[Kind]['data']>;

/** Kinds that an endpoint can subscribe to; every endpoint takes tests. */
export const SUBSCRIBED_KINDS = (Object.keys(WEBHOOK_EVENTS) as WebhookKind[]).filter(
	(kind): kind is Exclude<WebhookKind, 'webhook.test'> => kind !== 'webhook.test',
);

/** The body of a webhook. */
export const WebhookBody = v.variant(
	'type',
	(Object.keys(WEBHOOK_EVENTS) as WebhookKind[]).map((kind) =>
		v.strictObject({
			type: v.literal(kind),
			/** When it happened. */
			timestamp: Time,
			/** Host of the brand. */
			brand: v.string(),
			/** Of the endpoint, from 1: attempts overtake one another, and the larger number is the newer event. */
			sequence: v.pipe(v.number(), v.integer()),
			data: WEBHOOK_EVENTS[kind].data,
		}),
	),
);
