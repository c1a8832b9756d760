/** What an act of the operators is, and the parts of the server that acts use. */
import type pg from 'pg';
import type { Logger } from 'pino';
import * as v from 'valibot';
import type { InputSchema, OperatorCall } from '#contract/operators/operator-call.ts';
import type { Preview } from '#contract/operators/proposals.ts';
import { OPERATOR_CALLS, type OperatorCallName, type OperatorCalls } from '#contract/operators/registry.ts';
import type { SeenMarket } from '#engine/command.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { Funds } from '#server/money/funds/open-funds.ts';
import type { ConsoleChanges } from '#server/operators/changes.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import type { Players } from '#server/people/players/players.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Staff } from '#server/people/staff/open-staff.ts';
import type { Turns } from '#server/platform/pacing/turns.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Permission } from '#values/staff-permissions.ts';

/** Hands the exchange over to a standby. */
interface HandsOver {
	/** Of the last time; null before. */
	readonly status: { heir: string; state: 'under way' | 'handed over' | 'taken back' } | null;
	/** @returns the standby that will take over; @throws Refused WRONG_STATE when none can */
	begin(): Promise<string>;
}

export interface OperatorOptions {
	exchange: Exchange;
	funds: Funds;
	providers: Pick<Providers, 'all' | 'games' | 'wallet' | 'dayReports' | 'roundAlarmMs'>;
	fixtures: Fixtures;
	markets: Markets;
	players: Players;
	outbox: Outbox;
	sports: SportPermissions;
	brands: Brands;
	staff: Staff;
	db: pg.Pool;
	log: Pick<Logger, 'error'>;
	/** For reads that may be slow. */
	reads: HeavyReads;
	journal: Journal;
	/** Tells the console's screens what is out of date. */
	changes: ConsoleChanges;
	/** Decisions about one subject, and results that its feed reports, one after the other: what a preview saw still holds. */
	subjectTurns: Turns;
	operatorKey: string;
	/** Hands the exchange over to a standby; null where none can follow. */
	handOver: HandsOver | null;
}

/** A member of staff, as acts see one. */
export interface ActingMember {
	staffId: number;
	permissions: ReadonlySet<Permission>;
	/** Hosts of brands; null for all. */
	brands: readonly string[] | null;
}

/** The operator's name, "unnamed" without one, and address. */
export interface Actor {
	actor: string;
	address: string;
	/** Null for the command line, whose key opens every act. */
	member: ActingMember | null;
}

/** What a confirmation will do, and a text that changes when the state it was computed from does. */
export interface ActPreview extends v.InferInput<typeof Preview> {
	basis: string;
	/** The market as it was seen; its command is refused when it is another by then. */
	seen?: SeenMarket;
}

/** What an act is given of the proposal that is being confirmed. */
export interface Confirmed {
	/** The market as the preview saw it. */
	seen?: SeenMarket;
	/** The half of a password that the proposing member was shown. */
	half?: string;
}

type Inputs = { [Name in OperatorCallName]: OperatorCalls[Name]['input'] };
type Responses = { [Name in OperatorCallName]: OperatorCalls[Name]['response'] };
type Confirms = { [Name in OperatorCallName]: OperatorCalls[Name]['confirm'] };

/** The declarations of the contract by name, as `actOf` joins them with what their acts do. */
const CALLS: { readonly [Name in OperatorCallName]: OperatorCall<Inputs[Name], Responses[Name], Confirms[Name]> } =
	OPERATOR_CALLS;

type Awaitable<T> = Promise<T> | T;

/** @param confirmed of the proposal that is being confirmed */
type Run<Input extends v.GenericSchema, Response extends v.GenericSchema> = (
	input: v.InferOutput<Input>,
	parts: OperatorOptions,
	by: Actor,
	confirmed?: Confirmed,
) => Awaitable<v.InferInput<Response>>;

interface Proposable<Input extends v.GenericSchema> {
	/** What it would do. @throws Refused what the act would refuse */
	preview: (input: v.InferOutput<Input>, parts: OperatorOptions) => Awaitable<ActPreview>;
	/** Whether what it asks for is so already: an act that a crash interrupted was done. */
	isDone?: (input: v.InferOutput<Input>, parts: OperatorOptions) => Awaitable<boolean>;
}

/** What each of these calls does. */
export type ActsOf<Names extends OperatorCallName> = {
	readonly [Name in Names]: Run<Inputs[Name], Responses[Name]>;
};

/** The calls that one member proposes and another confirms. */
export type TwoPersonName = {
	[Name in OperatorCallName]: Confirms[Name] extends Permission ? Name : never;
}[OperatorCallName];

/** What a proposal of each of these calls shows. */
export type PreviewsOf<Names extends TwoPersonName> = { readonly [Name in Names]: Proposable<Inputs[Name]> };

/** An act as it was asked for: its input is read, and what it does is bound to it. */
export interface AskedAct {
	readonly input: object;
	run(parts: OperatorOptions, by: Actor, confirmed?: Confirmed): Awaitable<unknown>;
	/** @throws Refused NOT_FOUND for what one member does alone; what the act would refuse */
	preview(parts: OperatorOptions): Awaitable<ActPreview>;
	isDone(parts: OperatorOptions): Awaitable<boolean>;
}

/** One act: its declaration, and how it is asked for. */
export interface Act extends OperatorCall {
	readonly name: OperatorCallName;
	/** @throws Refused VALIDATION_FAILED with the schema's own messages */
	read(body: unknown): AskedAct;
}

/** Joins a declaration of the contract with what it does, and with what a proposal of it shows. */
export function actOf<Name extends OperatorCallName>(
	name: Name,
	acts: ActsOf<Name>,
	previews: { readonly [Each in Name]?: Proposable<Inputs[Each]> },
): Act {
	return joined(name, CALLS[name], acts[name], previews[name]);
}

function joined<Input extends InputSchema, Response extends v.GenericSchema>(
	name: OperatorCallName,
	call: OperatorCall<Input, Response>,
	run: Run<Input, Response>,
	proposable: Proposable<Input> | undefined,
): Act {
	return {
		...call,
		name,
		read: (body) => {
			const input = inputOf(call, body);
			return {
				input,
				run: (parts, by, confirmed) => run(input, parts, by, confirmed),
				preview: (parts) => {
					if (!proposable) throw new Refused('NOT_FOUND');
					return proposable.preview(input, parts);
				},
				isDone: (parts) => proposable?.isDone?.(input, parts) ?? false,
			};
		},
	};
}

/** @throws Refused VALIDATION_FAILED with the schemas' own messages */
export function inputOf<S extends v.GenericSchema>({ input }: { input: S }, body: unknown): v.InferOutput<S> {
	const parsed = v.safeParse(input, body ?? {});
	if (parsed.success) return parsed.output;
	throw new Refused('VALIDATION_FAILED', {}, parsed.issues.map((issue) => issue.message).join(' '));
}
