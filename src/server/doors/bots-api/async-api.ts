/** The AsyncAPI document: the messages of the hub, and those between bots and the stream's port. */
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { Commit, OpenBet } from '#contract/calls/bet.ts';
import { CrashBet, CrashRow, CrashState } from '#contract/calls/crash.ts';
import { EventRow } from '#contract/calls/event.ts';
import { MarketBook, PricePoint } from '#contract/calls/odds.ts';
import { ScoreCard } from '#contract/calls/score.ts';
import { TableBet, TableBets, TableState } from '#contract/calls/tables.ts';
import { Trigger } from '#contract/calls/trigger.ts';
import type { HubCode } from '#contract/hub-messages.ts';
import { STREAM_EXAMPLES } from '#server/doors/bots-api/examples.ts';
import { MarketRequest, NoneRequest, OrderRequest } from '#server/doors/bots-api/stream-requests.ts';
import { Authentication, Heartbeat as StreamHeartbeat } from '#server/doors/bots-api/stream-session.ts';
import type { Subscription } from '#server/doors/bots-api/subscription.ts';

const schemaOf = (schema: v.GenericSchema): object => {
	const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' });
	return rest;
};

const Refusal = v.object({ code: v.string(), message: v.string() });
const Levels = v.array(v.object({ price: v.number(), size: v.number() }));
const RunnerDelta = v.object({
	runnerId: v.string(),
	lastPriceTraded: v.optional(v.nullable(v.number())),
	totalMatched: v.optional(v.number()),
	back: v.optional(Levels),
	lay: v.optional(Levels),
});
/** The data of each message. Hub messages are typed in the contract; these are their shapes for tools. */
const HUB_MESSAGES: Record<HubCode, v.GenericSchema> = {
	UserBalance: v.object({ Balance: v.number(), Exposure: v.number(), Version: v.number() }),
	MarketBook: v.union([
		v.object({ kind: v.literal('IMAGE'), clock: v.number(), ...MarketBook.entries }),
		v.object({
			kind: v.literal('DELTA'),
			marketId: v.string(),
			from: v.number(),
			version: v.number(),
			clock: v.number(),
			totalMatched: v.optional(v.number()),
			runners: v.array(RunnerDelta),
		}),
	]),
	PriceHistory: v.object({
		marketId: v.string(),
		runners: v.array(v.object({ runnerId: v.string(), ...PricePoint.entries })),
	}),
	MarketStatus: v.object({
		marketId: v.string(),
		eventId: v.string(),
		status: v.string(),
		inPlay: v.boolean(),
		version: v.number(),
		runners: v.optional(v.array(v.object({ runnerId: v.string(), status: v.string() }))),
	}),
	BetUpdate: v.object({
		...OpenBet.entries,
		event: v.string(),
		eventStake: v.number(),
		reason: v.optional(v.string()),
		commit: Commit,
	}),
	TriggerUpdate: Trigger,
	Score: ScoreCard,
	EventUpdate: v.object({ eventId: v.string(), status: v.string(), version: v.number(), row: v.partial(EventRow) }),
	CrashState,
	CrashTick: v.object({ round: v.string(), elapsedMs: v.number(), cents: v.number(), serverTime: v.number() }),
	CrashBets: v.object({
		round: v.string(),
		version: v.number(),
		players: v.number(),
		stake: v.number(),
		payout: v.number(),
		rows: v.array(CrashRow),
	}),
	CrashBet: v.object({ ...CrashBet.entries, refusal: v.nullable(Refusal) }),
	TableState,
	TableBets,
	TableBet: v.object({ ...TableBet.entries, refusal: v.nullable(Refusal) }),
	FundsUpdate: v.object({ kind: v.string(), id: v.string(), status: v.string(), at: v.string() }),
	InboxUpdate: v.object({ ticketId: v.string() }),
	SportsChanged: v.object({ closed: v.array(v.string()) }),
	Heartbeat: v.object({ sent: v.number() }),
	SubscriptionEnded: v.object({ channel: v.string(), code: v.string() }),
	DomainSettingChanged: v.object({ domain: v.string(), version: v.number() }),
	LoggedOut: v.object({ reason: v.string() }),
	Notice: v.object({ text: v.string() }),
};

const Lines = (op: Subscription['op'], list: Subscription['list']) =>
	v.object({
		op: v.literal(op),
		id: v.optional(v.number()),
		pt: v.number(),
		ct: v.optional(v.picklist(['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT'])),
		segmentType: v.optional(v.picklist(['SEG_START', 'SEG', 'SEG_END'])),
		initialClk: v.optional(v.string()),
		clk: v.optional(v.string()),
		conflateMs: v.optional(v.number()),
		heartbeatMs: v.optional(v.number()),
		status: v.optional(v.literal(503)),
		[list]: v.optional(v.array(v.looseObject({ id: v.string() }))),
	});

/** Messages of the stream's port. */
const STREAM_ANSWERS = {
	connection: v.object({ op: v.literal('connection'), connectionId: v.string() }),
	status: v.object({
		op: v.literal('status'),
		id: v.optional(v.number()),
		statusCode: v.picklist(['SUCCESS', 'FAILURE']),
		connectionClosed: v.boolean(),
		connectionsAvailable: v.optional(v.number()),
		errorCode: v.optional(v.string()),
		errorMessage: v.optional(v.string()),
		connectionId: v.optional(v.string()),
	}),
	mcm: Lines('mcm', 'mc'),
	ocm: v.object({
		...Lines('ocm', 'oc').entries,
		triggers: v.optional(v.array(v.looseObject({ betId: v.string() }))),
	}),
	rcm: Lines('rcm', 'rc'),
	ccm: Lines('ccm', 'cc'),
};
const STREAM_REQUESTS = {
	authentication: Authentication,
	marketSubscription: MarketRequest,
	orderSubscription: OrderRequest,
	raceSubscription: NoneRequest,
	cricketSubscription: NoneRequest,
	heartbeat: StreamHeartbeat,
};

const refs = (channel: string, names: readonly string[]) =>
	names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` }));

function messages(of: Record<string, v.GenericSchema>): Record<string, object> {
	const named = Object.entries(of).map(([name, schema]) => {
		const examples = STREAM_EXAMPLES.filter(({ op }) => op === name).map((payload) => ({ payload }));
		return [name, { name, payload: schemaOf(schema), ...(examples.length > 0 ? { examples } : {}) }];
	});
	return Object.fromEntries(named);
}

export function asyncApiDocument(): object {
	const requests = Object.keys(STREAM_REQUESTS);
	const answers = Object.keys(STREAM_ANSWERS);
	return {
		asyncapi: '3.0.0',
		info: { title: 'Backlay', version: '1', description: 'The hub of the site and the stream of bots.' },
		channels: {
			hub: {
				address: '/hub',
				description: 'SignalR. The server sends one event, Message, with a Code and its Data as JSON text.',
				messages: messages(HUB_MESSAGES),
			},
			stream: {
				address: 'STREAM_PORT',
				description: 'A TCP or TLS connection of JSON lines that end with CRLF.',
				messages: messages({ ...STREAM_REQUESTS, ...STREAM_ANSWERS }),
			},
		},
		operations: {
			hubSends: {
				action: 'send',
				channel: { $ref: '#/channels/hub' },
				messages: refs('hub', Object.keys(HUB_MESSAGES)),
			},
			streamSends: { action: 'send', channel: { $ref: '#/channels/stream' }, messages: refs('stream', answers) },
			streamReceives: { action: 'receive', channel: { $ref: '#/channels/stream' }, messages: refs('stream', requests) },
		},
	};
}
