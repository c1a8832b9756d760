/** An act of the operators, and the parts of the server that acts use. */
import type pg from 'pg';
import type { Logger } from 'pino';
import * as v from 'valibot';
import type { InputSchema, OperatorCall } from '#contract/operators/operator-call.ts';
import type { Preview } from '#contract/operators/proposals.ts';
import { OPERATOR_CALLS, type OperatorCallName, type OperatorCalls } from '#contract/operators/registry.ts';
import type { SeenMarket } from '#engine/command.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import type { GameRules } from '#server/money/casino/game-rules.ts';
import type { LiveGames } from '#server/money/casino/live-games.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { Funds } from '#server/money/funds/open-funds.ts';
import type { BetTicker } from '#server/operators/bet-ticker.ts';
import type { BrandPreviews } from '#server/operators/brand-previews.ts';
import type { BrandSchedules } from '#server/operators/brand-schedules.ts';
import type { CaseSweep } from '#server/operators/cases/case-sweep.ts';
import type { Cases } from '#server/operators/cases/cases.ts';
import type { ConsoleChanges } from '#server/operators/changes.ts';
import type { LimitRules } from '#server/operators/limit-rules/limit-rules.ts';
import type { LimitWatch } from '#server/operators/limit-rules/limit-watch.ts';
import type { MailNotices } from '#server/operators/notices/mail-notices.ts';
import type { Webhooks } from '#server/operators/webhooks/open-webhooks.ts';
import type { Outbox } from '#server/people/players/outbox.ts';
import type { Players } from '#server/people/players/players.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Staff } from '#server/people/staff/open-staff.ts';
import type { Tickets } from '#server/people/support/tickets.ts';
import type { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import type { Turns } from '#server/platform/pacing/turns.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { OwnFixtures } from '#server/world/feeds/by-hand/own-fixtures.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Permission } from '#values/staff-permissions.ts';

/** Hands the exchange over to a standby. */
interface HandsOver {
	/** Of the last time; null before. */
	readonly status: { heir: string; state: 'under way' | 'handed over' | 'taken back' } | null;
	/** @returns the standby that will take over; @throws Refused WRONG_STATE if none can */
	begin(): Promise<string>;
}

/** The checks of this process, and those that fail for longer. */
interface ChecksHealth {
	/** @param comparesFiles whether the release's files are compared again */
	checks(comparesFiles: boolean): Promise<v.InferInput<OperatorCalls['doctor']['response']>>;
	/** The oldest first. */
	alarms(): readonly { name: string; words: string; todo: string; sinceMs: number }[];
}

export interface OperatorOptions {
	exchange: Exchange;
	funds: Funds;
	providers: Pick<Providers, 'all' | 'games' | 'wallet' | 'dayReports' | 'roundAlarmMs'>;
	fixtures: Fixtures;
	markets: Markets;
	/** Events that traders play by hand. */
	ownFixtures: OwnFixtures;
	players: Players;
	outbox: Outbox;
	sports: SportPermissions;
	tickets: Tickets;
	cases: Cases;
	/** The rules that raise cases. */
	caseSweep: CaseSweep;
	/** Which games are open, and their limits. */
	gameRules: GameRules;
	liveGames: Pick<LiveGames, 'since'>;
	brands: Brands;
	/** Drafts of brands that members look at. */
	previews: BrandPreviews;
	/** Changes of brands that wait for their instant. */
	schedules: BrandSchedules;
	staff: Staff;
	db: pg.Pool;
	log: Pick<Logger, 'error' | 'warn'>;
	/** The time zone of books that belong to no brand. */
	booksZone: string;
	/** For reads that may be slow. */
	reads: HeavyReads;
	journal: Journal;
	/** Tells the console's screens which data is out of date. */
	changes: ConsoleChanges;
	/** Rules by which limits of markets tighten, and what applies them. */
	limitRules: LimitRules;
	limitWatch: LimitWatch;
	/** The newest bets, and what matches took in the last minute. */
	ticker: BetTicker;
	/** Serializes decisions about one subject, and its feed's results: the state of a preview still holds. */
	subjectTurns: Turns;
	operatorKey: string;
	/** Signs what leaves the house. */
	ledgerKey: string;
	/** Whether keys are configured, and not derived from the server's secret. */
	ownKeys: { data: boolean; ledger: boolean };
	/** Decides shared rounds. */
	beacon: Pick<Beacon, 'pools'>;
	/** Hands the exchange over to a standby; null if none can follow. */
	handOver: HandsOver | null;
	health: ChecksHealth;
	webhooks: Webhooks;
	/** Mail to players on its way, and what is told by it. */
	mails: MailOutbox;
	mailNotices: MailNotices;
}

/** A member of staff, as acts see it. */
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

/** The effect of a confirmation, and a text that changes with the state from which it was computed. */
export interface ActPreview extends v.InferInput<typeof Preview> {
	basis: string;
	/** The version of the market that the operator saw; the command is refused if it has changed. */
	seen?: SeenMarket;
}

/** The proposal's data for an act that is being confirmed. */
export interface Confirmed {
	/** The market at the time of the preview. */
	seen?: SeenMarket;
	/** The proposing member's half of a password. */
	half?: string;
}

type Inputs = { [Name in OperatorCallName]: OperatorCalls[Name]['input'] };
type Responses = { [Name in OperatorCallName]: OperatorCalls[Name]['response'] };
type Confirms = { [Name in OperatorCallName]: OperatorCalls[Name]['confirm'] };

/** The declarations of the contract by name; `actOf` joins them with their implementations. */
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
	/** Its effect. @throws Refused the refusals of the act */
	preview: (input: v.InferOutput<Input>, parts: OperatorOptions) => Awaitable<ActPreview>;
	/** Whether its effect is in place, or is known to have been: if so, an act that a crash interrupted was done. */
	isDone: (input: v.InferOutput<Input>, parts: OperatorOptions) => Awaitable<boolean>;
	/** The accounts that it decides about, where `about` of its declaration names none. */
	accounts?: (input: v.InferOutput<Input>, parts: OperatorOptions) => Awaitable<readonly PlayerId[]>;
}

/** The implementation of each call. */
export type ActsOf<Names extends OperatorCallName> = {
	readonly [Name in Names]: Run<Inputs[Name], Responses[Name]>;
};

/** Calls that one member proposes and another confirms. */
export type TwoPersonName = {
	[Name in OperatorCallName]: Confirms[Name] extends Permission ? Name : never;
}[OperatorCallName];

/** The preview of each of these calls. */
export type PreviewsOf<Names extends TwoPersonName> = { readonly [Name in Names]: Proposable<Inputs[Name]> };

/** A requested act with its parsed input, bound to its implementation. */
export interface AskedAct {
	readonly input: object;
	run(parts: OperatorOptions, by: Actor, confirmed?: Confirmed): Awaitable<unknown>;
	/** @throws Refused NOT_FOUND for an act of one member; the refusals of the act */
	preview(parts: OperatorOptions): Awaitable<ActPreview>;
	isDone(parts: OperatorOptions): Awaitable<boolean>;
	/** The accounts that it decides about, besides those of `about`. */
	accounts(parts: OperatorOptions): Awaitable<readonly PlayerId[]>;
}

/** One act: its declaration, and its parser. */
export interface Act extends OperatorCall {
	readonly name: OperatorCallName;
	/** @throws Refused VALIDATION_FAILED with the schema's own messages */
	read(body: unknown): AskedAct;
}

/** Joins a declaration of the contract with its implementation, and with the preview of a proposal. */
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
				isDone: (parts) => proposable?.isDone(input, parts) ?? false,
				accounts: (parts) => proposable?.accounts?.(input, parts) ?? [],
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
