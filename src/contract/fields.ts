/** Field schemas shared by the calls: amounts, prices, ids, paging, request ids. */

import * as v from 'valibot';
import { type Paise, paiseFromMajor } from '#values/money.ts';

/** Opaque id: a client sends back what it was given. */
export const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'The id is not valid.'));

const AMOUNT_MESSAGE = 'The amount must be a positive number with at most two decimals.';

/** A positive amount in major units; the handler receives integer paise. */
export const Amount: v.GenericSchema<number, Paise> = v.pipe(
	v.number(AMOUNT_MESSAGE),
	v.check((major) => major > 0 && paiseFromMajor(major) !== null, AMOUNT_MESSAGE),
	v.metadata({ minimum: 0.01 }),
	v.transform((major) => paiseFromMajor(major) as Paise),
);

/** An amount that may be zero or below: a loss one agrees to. The handler receives integer paise. */
export const SignedAmount: v.GenericSchema<number, Paise> = v.pipe(
	v.number(AMOUNT_MESSAGE),
	v.check((major) => paiseFromMajor(major) !== null, 'The amount must be a number with at most two decimals.'),
	v.transform((major) => paiseFromMajor(major) as Paise),
);

/** A decimal price as the player sent it; the handler turns it into hundredths and refuses what is not on the ladder. */
export const DecimalPrice = v.pipe(
	v.number('The price must be a number.'),
	v.check((decimal) => Number.isFinite(decimal) && decimal > 0, 'The price must be a positive number.'),
);

/**
 * Idempotency key: 8 to 64 url-safe characters, the player's own. The same id with the same body gets the first answer for
 * three days. A UUID of version 7 carries its time, so that one that is older is refused instead of being taken for new.
 */
export const ClientRequestId = v.pipe(
	v.string(),
	v.regex(/^[A-Za-z0-9_-]{8,64}$/, 'clientRequestId must be 8 to 64 url-safe characters.'),
);

/** ISO 8601 UTC with milliseconds. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp());

/** Money on the wire in answers: major units, may be negative where a profit is meant. */
export const Money = v.number();

/** A price on the wire in answers: decimal odds, or a line where prices are lines. */
export const Price = v.number();

/** Paging of a POST body; numbers are numbers there. */
export const paging = {
	maxResultCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 50),
	skipCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 0),
};

/** A whole number that travels in a query string. */
export const queryInteger = (min: number, max: number) =>
	v.pipe(
		v.string(),
		v.regex(/^\d{1,9}$/, 'Must be a whole number.'),
		v.transform(Number),
		v.minValue(min),
		v.maxValue(max),
	);

/** Paging of a query string. */
export const queryPaging = {
	maxResultCount: v.optional(queryInteger(1, 200), '50'),
	skipCount: v.optional(queryInteger(0, 1_000_000), '0'),
};

export const page = <Item extends v.GenericSchema>(item: Item) =>
	v.object({ totalCount: v.number(), items: v.array(item) });

export const Side = v.picklist(['BACK', 'LAY'], 'The side must be BACK or LAY.');
/** On fancies YES and NO say the same as BACK and LAY. */
export const AskedSide = v.picklist(['BACK', 'LAY', 'YES', 'NO'], 'The side must be BACK or LAY.');
