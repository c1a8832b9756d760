/**
 * Units are converted here and nowhere else. On the wire and in local storage amounts are major units and prices are
 * decimals; everywhere inside the site amounts are paise and prices are hundredths, as in the engine. The fields are
 * known by their names; a test compares the names with the contract's schemas.
 */

import type { InputOf, ResultOf } from '#contract/call.ts';
import type { CallName, Calls } from '#contract/registry.ts';
import type { Paise } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';

export const AMOUNT_FIELDS = [
	'amount',
	'after',
	'availableToBet',
	'balance',
	'Balance',
	'balanceAfter',
	'bonus',
	'cancelledStake',
	'commission',
	'credited',
	'debited',
	'depositDay',
	'depositMonth',
	'depositWeek',
	'eventStake',
	'exposure',
	'Exposure',
	'floor',
	'given',
	'held',
	'hold',
	'lapsedStake',
	'left',
	'liability',
	'limit',
	'lossDay',
	'lossMonth',
	'lossWeek',
	'matchedStake',
	'max',
	'maxExposure',
	'maxPayout',
	'maxProfit',
	'maxStake',
	'min',
	'minDeposit',
	'minFill',
	'minStake',
	'minWagered',
	'net',
	'netDeposits',
	'netPosition',
	'now',
	'payout',
	'profit',
	'profitLoss',
	'remainingStake',
	'reward',
	'size',
	'sizeReduction',
	'stake',
	'target',
	'totalMatched',
	'used',
	'value',
	'voidedStake',
	'volume',
	'wageringDone',
	'wageringRequired',
	'worst',
] as const;

/** `lineRange` holds three prices. */
export const PRICE_FIELDS = [
	'averagePrice',
	'high',
	'lastPriceTraded',
	'lineRange',
	'low',
	'price',
	'unreducedPrice',
] as const;

/** Calls whose answers hold neither: scores count runs and points, and a setting may be anything. */
const CALLS_WITHOUT_UNITS = ['getScoreCard', 'getScoreSession', 'getSetting', 'getSettingExpiry'] as const;

type InUnit<Value, Unit> = Value extends number
	? Unit
	: Value extends object
		? { [Name in keyof Value]: InUnit<Value[Name], Unit> }
		: Value;

/** The shape of a wire value with its amounts in paise and its prices in hundredths. */
export type Inside<Wire> = Wire extends readonly (infer Item)[]
	? Inside<Item>[]
	: Wire extends object
		? {
				[Name in keyof Wire]: Name extends (typeof AMOUNT_FIELDS)[number]
					? InUnit<Wire[Name], Paise>
					: Name extends (typeof PRICE_FIELDS)[number]
						? InUnit<Wire[Name], Price>
						: Inside<Wire[Name]>;
			}
		: Wire;

/** What a call answers, in the site's own units. */
export type AnswerOf<Name extends CallName> = Name extends (typeof CALLS_WITHOUT_UNITS)[number]
	? ResultOf<Calls[Name]>
	: Inside<ResultOf<Calls[Name]>>;

/** What a call takes, in the site's own units. */
export type RequestOf<Name extends CallName> = Inside<InputOf<Calls[Name]>>;

const FIELDS: ReadonlySet<string> = new Set([...AMOUNT_FIELDS, ...PRICE_FIELDS]);
const WITHOUT_UNITS: ReadonlySet<string> = new Set(CALLS_WITHOUT_UNITS);

export const hasUnits = (name: CallName): boolean => !WITHOUT_UNITS.has(name);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function multiplied(value: unknown): unknown {
	if (typeof value === 'number') return Math.round(value * 100);
	if (isObject(value)) for (const name of Object.keys(value)) value[name] = multiplied(value[name]);
	return value;
}

function convertInPlace(value: object): void {
	const fields = value as Record<string, unknown>;
	for (const name of Object.keys(fields)) {
		const field = fields[name];
		if (FIELDS.has(name)) fields[name] = multiplied(field);
		else if (isObject(field)) convertInPlace(field);
	}
}

/** Takes over a value that was just parsed: it is changed in place and must not be used as a wire value afterwards. */
export function fromWire<Wire>(value: Wire): Inside<Wire> {
	if (isObject(value)) convertInPlace(value);
	return value as Inside<Wire>;
}

const divided = (value: unknown): unknown =>
	typeof value === 'number' ? value / 100 : isObject(value) ? mapped(value, (field) => divided(field)) : value;

function mapped(value: object, change: (field: unknown, name: string) => unknown): unknown {
	if (Array.isArray(value)) return value.map((item) => change(item, ''));
	return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field, name)]));
}

/** A copy with major units and decimals, to be sent or stored. */
export function toWire(value: unknown): unknown {
	if (!isObject(value)) return value;
	return mapped(value, (field, name) => (FIELDS.has(name) ? divided(field) : toWire(field)));
}
