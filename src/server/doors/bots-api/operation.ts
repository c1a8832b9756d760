/** An operation of the service: the schema of its parameters, and its implementation. */
import * as v from 'valibot';
import type { Parts } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import type { FirstAnswers } from '#server/doors/bots-api/first-answers.ts';
import type { Heartbeats } from '#server/doors/bots-api/heartbeats.ts';
import type { StartingPrices } from '#server/exchange/views/starting-prices.ts';
import type { Turns } from '#server/platform/pacing/turns.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import type { PlayerId } from '#values/ids.ts';

/** The parts of the server that operations use. */
export interface BotParts extends Parts {
	/** Players' instructions in flight to the exchange. */
	inFlight: Turns<PlayerId>;
	/** Players' long reads: one of a player at a time, so that its programs keep no connection from all others. */
	reading: Turns<PlayerId>;
	firstAnswers: FirstAnswers;
	starting: StartingPrices;
	heartbeats: Pick<Heartbeats, 'beat'>;
	markets: Pick<Markets, 'step'>;
}

type Schema = v.GenericSchema;

export interface Operation<Request extends Schema = Schema> {
	/** Unknown parameters are ignored, as the service does. */
	request: Request;
	/** Refused to keys that may only read. */
	trades?: true;
	/** It reads what the player ever did. */
	readsHistory?: true;
	/** It may take a stake: what has to be read before one is judged is read first. A cancellation waits for nothing. */
	stakes?: true;
	run(parts: BotParts, input: v.InferOutput<Request>, caller: BotCaller): unknown;
}

export const operation = <Request extends Schema>(definition: Operation<Request>): Operation =>
	definition as unknown as Operation;

const MOST_TEXT = 200;
const MOST_VALUES = 1_000;

/** Null stands for a parameter that is left out, because typed clients send every field. */
export const given = <S extends Schema>(schema: S) =>
	v.pipe(
		v.nullish(schema),
		v.transform((value): v.InferOutput<S> | undefined => value ?? undefined),
	);

/** A text, or a number that stands for one: some clients write ids as numbers. */
const Written = v.union([v.string(), v.pipe(v.number(), v.safeInteger(), v.transform(String))]);
export const textOf = (longest: number) => v.pipe(Written, v.maxLength(longest));
export const Text = textOf(MOST_TEXT);
export const Texts = given(v.pipe(v.array(Text), v.maxLength(MOST_VALUES)));
export const Flag = given(
	v.union([
		v.boolean(),
		v.pipe(
			v.picklist(['true', 'false']),
			v.transform((word) => word === 'true'),
		),
	]),
);
export const MarketIdText = v.pipe(v.string(), v.maxLength(20));
/** A number, or the text of one: the service's own examples write prices, sizes and ids in quotes. */
export const Numeric = v.union([
	v.number(),
	v.pipe(v.string(), v.maxLength(40), v.regex(/^-?\d+(\.\d+)?$/), v.transform(Number), v.finite()),
]);
export const Whole = v.pipe(Numeric, v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
/** A depth: more than there is is answered with what there is. */
export const atMost = (most: number) =>
	v.pipe(
		Whole,
		v.minValue(1),
		v.transform((asked) => Math.min(asked, most)),
	);
/** A time without a zone is UTC, wherever the server runs. */
const instantOf = (text: string): number => Date.parse(/\d[T ][\d:.]+$/.test(text) ? `${text}Z` : text);
const Time = v.pipe(
	v.string(),
	v.check((text) => !Number.isNaN(instantOf(text))),
	v.transform(instantOf),
);
export const TimeRange = given(v.object({ from: given(Time), to: given(Time) }));

/** Whether a time is in a range; true without a range. */
export const isWithin = (atMs: number, range: v.InferOutput<typeof TimeRange>): boolean =>
	(range?.from === undefined || atMs >= range.from) && (range?.to === undefined || atMs <= range.to);
/** Whether a value is among the requested ones; true if none are requested. */
export const isAmong = <Value>(value: Value, asked: readonly Value[] | undefined): boolean =>
	asked === undefined || asked.length === 0 || asked.includes(value);
