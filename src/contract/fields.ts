/** Field schemas shared by the calls: amounts, prices, ids, paging, request ids. */

import * as v from 'valibot';
import { type Minor, minorFromMajor } from '#values/money.ts';

/** An amount on the wire, in major units; and a price there, in decimals. The site converts both on receipt. */
export type Major = number & { readonly wire?: 'major' };
type Decimal = number & { readonly wire?: 'decimal' };

/** Opaque id: a client sends back the id that it received. */
export const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'The id is not valid.'));

const AMOUNT_MESSAGE = 'The amount must be a positive number with at most two decimals.';

/** Marks an amount in major units, so that a form draws an amount field. */
export const IN_MAJOR = v.metadata<number, { 'x-unit': 'MAJOR' }>({ 'x-unit': 'MAJOR' });

/** A positive amount in major units; the handler receives integer minor units. */
export const Amount: v.GenericSchema<Major, Minor> = v.pipe(
	v.number(AMOUNT_MESSAGE),
	v.check((major) => major > 0 && minorFromMajor(major) !== null, AMOUNT_MESSAGE),
	v.metadata({ minimum: 0.01 }),
	IN_MAJOR,
	v.transform((major) => minorFromMajor(major) as Minor),
);

/** An amount that may be zero or negative, such as an accepted loss. The handler receives integer minor units. */
export const SignedAmount: v.GenericSchema<Major, Minor> = v.pipe(
	v.number(AMOUNT_MESSAGE),
	v.check((major) => minorFromMajor(major) !== null, 'The amount must be a number with at most two decimals.'),
	IN_MAJOR,
	v.transform((major) => minorFromMajor(major) as Minor),
);

/** A decimal price as the player sent it; the handler converts it to hundredths and refuses prices off the ladder. */
export const DecimalPrice: v.GenericSchema<Decimal> = v.pipe(
	v.number('The price must be a number.'),
	v.check((decimal) => Number.isFinite(decimal) && decimal > 0, 'The price must be a positive number.'),
);

/**
 * Idempotency key: 8 to 64 url-safe characters, unique for the player. The same id with the same body gets the first
 * answer for three days. A UUID of version 7 carries its time, so an expired one is refused instead of being treated as
 * new.
 */
export const ClientRequestId = v.pipe(
	v.string(),
	v.regex(/^[A-Za-z0-9_-]{8,64}$/, 'clientRequestId must be 8 to 64 url-safe characters.'),
);

/** ISO 8601 UTC with milliseconds. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp());

/** Money on the wire in answers: major units; profits may be negative. */
export const Money: v.GenericSchema<Major> = v.number();

/** A price on the wire in answers: decimal odds, or a line where prices are lines. */
export const Price: v.GenericSchema<Decimal> = v.number();

/** Paging in a POST body, where numbers are JSON numbers. */
export const paging = {
	maxResultCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 50),
	skipCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 0),
};

/** A whole number in a query string. */
export const queryInteger = (min: number, max: number) =>
	v.pipe(
		v.string(),
		v.regex(/^\d{1,9}$/, 'Must be a whole number.'),
		v.transform(Number),
		v.minValue(min),
		v.maxValue(max),
	);

/** Paging in a query string. */
export const queryPaging = {
	maxResultCount: v.optional(queryInteger(1, 200), '50'),
	skipCount: v.optional(queryInteger(0, 1_000_000), '0'),
};

export const page = <Item extends v.GenericSchema>(item: Item) =>
	v.object({ totalCount: v.number(), items: v.array(item) });

export const Side = v.picklist(['BACK', 'LAY'], 'The side must be BACK or LAY.');
/** On fancies YES and NO stand for BACK and LAY. */
export const AskedSide = v.picklist(['BACK', 'LAY', 'YES', 'NO'], 'The side must be BACK or LAY.');

export const MarketStatus = v.picklist([
	'INACTIVE',
	'OPEN',
	'SUSPENDED',
	'BALL_RUNNING',
	'CLOSED',
	'SETTLING',
	'SETTLED',
	'VOIDED',
]);
