/** What an act of the operators is, and the parts of the server that acts use. */
import type pg from 'pg';
import type { Logger } from 'pino';
import * as v from 'valibot';
import type { OperatorCall } from '#contract/operators/operator-call.ts';
import type { Preview } from '#contract/operators/proposals.ts';
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

/** One act: its declaration and what it does. */
export interface Act<S extends v.GenericSchema = v.GenericSchema> extends OperatorCall<S> {
	/** @param confirmed of the proposal that is being confirmed */
	run: (
		input: v.InferOutput<S>,
		parts: OperatorOptions,
		by: Actor,
		confirmed?: Confirmed,
	) => Promise<unknown> | unknown;
	/** It makes a password, of which the proposing and the confirming member are shown a half each. */
	hasHalves: boolean;
	/** Whether what it asks for is so already: an act that a crash interrupted was done. */
	isDone: ((input: v.InferOutput<S>, parts: OperatorOptions) => Promise<boolean> | boolean) | null;
	/**
	 * It takes no more bets, so it reaches the engine before its note is durable: an incident does not wait for the
	 * disk. It is answered when both are.
	 */
	isUrgent: boolean;
	/** It is about this process, whether or not another one leads. */
	isOwn: boolean;
	/** Bytes of a request; null for as many as any other has. */
	largestBody: number | null;
	/** What it would do. @throws Refused what `run` would refuse */
	preview: ((input: v.InferOutput<S>, parts: OperatorOptions) => Promise<ActPreview> | ActPreview) | null;
}

type Declared<S extends v.GenericSchema> = Pick<Act<S>, 'input' | 'permission' | 'about' | 'run'> &
	Partial<
		Pick<
			Act<S>,
			| 'response'
			| 'summary'
			| 'looks'
			| 'confirm'
			| 'preview'
			| 'isDone'
			| 'hasHalves'
			| 'isUrgent'
			| 'isOwn'
			| 'largestBody'
		>
	>;

/** Declares an act; an act of the command line alone declares itself here, the others in the contract. */
export const act = <S extends v.GenericSchema>(definition: Declared<S>): Act =>
	({
		response: v.unknown(),
		summary: '',
		looks: false,
		confirm: null,
		preview: null,
		isDone: null,
		hasHalves: false,
		isUrgent: false,
		isOwn: false,
		largestBody: null,
		...definition,
	}) as unknown as Act;

/** @throws Refused VALIDATION_FAILED with the schemas' own messages */
export function inputOf<S extends v.GenericSchema>({ input }: Pick<Act<S>, 'input'>, body: unknown): v.InferOutput<S> {
	const parsed = v.safeParse(input, body ?? {});
	if (parsed.success) return parsed.output;
	throw new Refused('VALIDATION_FAILED', {}, parsed.issues.map((issue) => issue.message).join(' '));
}
