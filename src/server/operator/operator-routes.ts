/**
 * The operators' acts, used by the command line: players, play money, and the life of a market. They have routes and a
 * key of their own; a player's token opens none of them. Every act is recorded with its outcome.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { Amount, Id, Timestamp } from '#contract/fields.ts';
import { NewUserName } from '#contract/player-rules.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { Request } from '#server/exchange/exchange.ts';
import { marketView } from '#server/exchange/wire-views.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import { type Act, act, Host, type OperatorOptions, PlayerName } from '#server/operator/act.ts';
import { operatorName, standing, subjectOf } from '#server/operator/act-record.ts';
import { DOMAIN_ACTS } from '#server/operator/domain-acts.ts';
import { FUNDS_ACTS } from '#server/operator/funds-acts.ts';
import { listingOf, runnerOf, stateOf } from '#server/operator/named-market.ts';
import { OPEN_MARKET } from '#server/operator/open-market.ts';
import { reopenMarket } from '#server/operator/reopen-market.ts';
import { voidBets } from '#server/operator/void-bets.ts';
import { isSameSecret } from '#server/same-secret.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { majorFromPaise, paiseFromMajor } from '#values/money.ts';
import { isStreamAddress } from '#values/stream-address.ts';

/** Major units on the wire, paise inside. */
const LimitAmount = v.pipe(
	v.number(),
	v.minValue(0),
	v.transform((major) => paiseFromMajor(major) ?? Number.NaN),
	v.integer(),
);

const OnMarket = v.strictObject({ marketId: Id });
const RunnerName = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

const OnRunner = v.strictObject({ ...OnMarket.entries, runner: RunnerName });

const ACTS: Record<string, Act> = {
	...DOMAIN_ACTS,
	...FUNDS_ACTS,
	'create-player': act({
		input: v.strictObject({
			userName: NewUserName,
			password: v.pipe(v.string(), v.minLength(8, 'A password has at least 8 characters.'), v.maxLength(256)),
			host: Host,
		}),
		run: async ({ userName, password, host }, { players, brands }) => {
			const brand = brands.byHost(host);
			if (!brand) throw new Refused('UNKNOWN_DOMAIN');
			const { playerId, pool } = await players.createPlayer({ userName, password, brand });
			return { playerId: String(playerId), userName, host, pool };
		},
	}),
	'add-money': act({
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			amount: Amount,
			grantId: v.pipe(v.number(), v.safeInteger()),
		}),
		run: async ({ userName, host, amount, grantId }, { players, exchange }) => {
			const player = players.findPlayer(userName, host);
			if (!player) throw new Refused('UNKNOWN_USER');
			const walletId = player.playerId;
			const done = await exchange.submit(
				{ kind: 'grant-coins', grantId, walletId, amount },
				{ walletId, clientRequestId: `grant-${grantId}`, body: `grant ${amount}` },
			);
			return { userName, added: majorFromPaise(amount), balance: majorFromPaise(done.balance) };
		},
	}),
	outbox: act({ input: v.strictObject({}), run: (_, { outbox }) => outbox.latest() }),
	'create-client': act({
		input: v.strictObject({
			name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
			redirectUri: v.pipe(v.string(), v.url('The address codes are sent to must be one.'), v.maxLength(500)),
			host: Host,
			endsWithLogin: v.optional(v.boolean(), false),
		}),
		run: async ({ name, redirectUri, host, endsWithLogin }, { players, brands }) => {
			if (!brands.byHost(host)) throw new Refused('UNKNOWN_DOMAIN');
			const client = await players.createClient(name, host, redirectUri, endsWithLogin);
			return { name, host, redirectUri, endsWithLogin, ...client };
		},
	}),
	stream: act({
		input: v.strictObject({
			eventId: Id,
			address: v.optional(
				v.pipe(v.string(), v.maxLength(500), v.check(isStreamAddress, 'A stream has an https address, or http here.')),
			),
		}),
		run: async ({ eventId, address }, { fixtures }) => {
			const fixture = fixtures.fixture(Number(eventId));
			if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
			await fixtures.setStream(fixture.id, address ?? null);
			return { eventId, event: fixture.title, stream: address ?? null };
		},
	}),
	'open-market': OPEN_MARKET,
	abandon: act({
		input: v.strictObject({ eventId: Id }),
		run: async ({ eventId }, parts) => {
			const fixture = parts.fixtures.fixture(Number(eventId));
			if (!fixture) throw new Refused('UNKNOWN_FIXTURE');
			if (fixture.status === 'FINISHED' || fixture.status === 'ABANDONED') throw new Refused('WRONG_MARKET_STATE');
			await parts.markets.abandon(fixture);
			const markets = parts.fixtures.markets(fixture.id).map((listing) => {
				const { marketId, market, status } = stateOf(parts, listing);
				return { marketId, market, status };
			});
			return { eventId, event: fixture.title, status: fixture.status, markets };
		},
	}),
	'player-limits': act({
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			/** Rupees; 0 means no limit. */
			maxStake: v.optional(LimitAmount, 0),
			maxProfit: v.optional(LimitAmount, 0),
			maxExposure: v.optional(LimitAmount, 0),
		}),
		run: async ({ userName, host, ...limits }, { players, exchange }) => {
			const player = players.findPlayer(userName, host);
			if (!player) throw new Refused('UNKNOWN_USER');
			await exchange.submit({ kind: 'set-limits', walletId: player.playerId, limits });
			const set = Object.entries(limits).map(([name, paise]) => [name, majorFromPaise(paise)]);
			return { userName, ...Object.fromEntries(set) };
		},
	}),
	markets: act({
		input: v.strictObject({}),
		run: (_, { fixtures, exchange }) =>
			fixtures.all().flatMap((fixture) =>
				fixtures.markets(fixture.id).map((listing) => {
					const { id, name, status, inPlay, runners } = marketView(listing, exchange.market(listing.id));
					return {
						marketId: id,
						eventId: String(fixture.id),
						event: fixture.title,
						market: name,
						status,
						inPlay,
						runners,
					};
				}),
			),
		looks: true,
	}),
	suspend: act({
		input: v.strictObject({
			...OnMarket.entries,
			lapse: v.optional(v.boolean()),
			ballRunning: v.optional(v.boolean()),
		}),
		run: ({ marketId, lapse, ballRunning }, parts) =>
			onMarket(parts, marketId, {
				kind: 'suspend-market',
				lapseUnmatched: lapse ?? false,
				...(ballRunning ? { ballRunning } : {}),
			}),
	}),
	'turn-in-play': act({
		input: OnMarket,
		run: (input, parts) => onMarket(parts, input.marketId, { kind: 'turn-in-play' }),
	}),
	'remove-runner': act({
		input: v.strictObject({
			...OnMarket.entries,
			runner: RunnerName,
			/** Percent, with up to two decimals. */
			reduction: v.pipe(v.number(), v.minValue(0), v.maxValue(99.99)),
		}),
		run: async ({ marketId, runner, reduction }, parts) =>
			onMarket(parts, marketId, {
				kind: 'remove-runner',
				runner: runnerOf(await listingOf(parts, marketId), runner),
				reductionBp: Math.round(reduction * 100),
			}),
	}),
	'return-runner': act({
		input: OnRunner,
		run: async ({ marketId, runner }, parts) =>
			onMarket(parts, marketId, { kind: 'return-runner', runner: runnerOf(await listingOf(parts, marketId), runner) }),
	}),
	'void-bets': act({
		input: v.strictObject({
			...OnMarket.entries,
			betId: v.optional(Id),
			runner: v.optional(RunnerName),
			from: v.optional(Timestamp),
			to: v.optional(Timestamp),
		}),
		run: (input, parts) => voidBets(parts, input),
	}),
	reopen: act({
		input: OnMarket,
		run: async ({ marketId }, parts) => {
			const listing = await listingOf(parts, marketId);
			await reopenMarket(parts.db, parts.exchange, listing.id);
			return stateOf(parts, listing);
		},
	}),
	'suspend-runner': act({ input: OnRunner, run: (input, parts) => onRunner(parts, input, 'suspend-runner') }),
	'resume-runner': act({ input: OnRunner, run: (input, parts) => onRunner(parts, input, 'resume-runner') }),
	resume: act({ input: OnMarket, run: (input, parts) => onMarket(parts, input.marketId, { kind: 'resume-market' }) }),
	close: act({ input: OnMarket, run: (input, parts) => onMarket(parts, input.marketId, { kind: 'close-market' }) }),
	void: act({ input: OnMarket, run: (input, parts) => onMarket(parts, input.marketId, { kind: 'void-market' }) }),
	settle: act({
		input: v.strictObject({
			...OnMarket.entries,
			winners: v.optional(v.array(RunnerName), []),
			/** In an each-way market: placed behind the winners. */
			placed: v.optional(v.array(RunnerName), []),
			/** Runners that share the places that the winners leave. */
			tied: v.optional(v.array(RunnerName), []),
			void: v.optional(v.array(RunnerName), []),
			/** For a place market that pays fewer places than it announced. */
			places: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
			/** In place of runners: the number that decides a market on lines. */
			value: v.optional(v.pipe(v.number(), v.safeInteger())),
		}),
		run: async ({ marketId, winners, placed, tied, void: voided, places, value }, parts) => {
			const listing = await listingOf(parts, marketId);
			if (value !== undefined) {
				const ofLines = resultsOfNumber(listing, value);
				return onMarket(parts, marketId, { kind: 'settle-market', results: ofLines });
			}
			const results = listing.runners.map((): RunnerResult => 'LOSE');
			for (const name of winners) results[runnerOf(listing, name)] = 'WIN';
			for (const name of placed) results[runnerOf(listing, name)] = 'PLACED';
			for (const name of tied) results[runnerOf(listing, name)] = 'TIE';
			for (const name of voided) results[runnerOf(listing, name)] = 'VOID';
			return onMarket(parts, marketId, {
				kind: 'settle-market',
				results,
				...(places === undefined ? {} : { places }),
			});
		},
	}),
};

/** @throws Refused INCOMPLETE_RESULT for a market that is not decided by a number */
function resultsOfNumber(listing: MarketListing, value: number): RunnerResult[] {
	const results =
		listing.lines || listing.lineRange
			? marketType(listing.type).resultOf({ value }, { ...listing, runners: listing.runners.length })
			: null;
	if (!results) throw new Refused('INCOMPLETE_RESULT');
	return results;
}

/** An act on a market; its id is added to the input. */
type MarketAct = Request extends infer R
	? R extends { marketId: MarketId; kind: string }
		? Omit<R, 'marketId'>
		: never
	: never;

async function onMarket(parts: OperatorOptions, marketId: string, what: MarketAct) {
	const listing = await listingOf(parts, marketId);
	await parts.exchange.submit({ ...what, marketId: listing.id } as Request);
	return stateOf(parts, listing);
}

const onRunner = async (
	parts: OperatorOptions,
	{ marketId, runner }: { marketId: string; runner: string },
	kind: 'suspend-runner' | 'resume-runner',
) => onMarket(parts, marketId, { kind, runner: runnerOf(await listingOf(parts, marketId), runner) });

/** Mounts the acts below the scope's prefix: `POST {act}`. */
export async function operatorRoutes(server: FastifyInstance, options: OperatorOptions): Promise<void> {
	server.addHook('onRequest', async (request) => {
		if (!isOperator(request, options.operatorKey)) throw new Refused('NOT_LOGGED_IN');
	});
	for (const [name, { input, run, looks }] of Object.entries(ACTS)) {
		server.post(`/${name}`, async (request) => {
			const parsed = v.safeParse(input, request.body ?? {});
			if (!parsed.success) {
				const issues = parsed.issues.map((issue) => issue.message).join(' ');
				throw new Refused('VALIDATION_FAILED', {}, issues);
			}
			const named = parsed.output as object;
			const before = looks ? null : standing(named, options);
			let outcome = 'done';
			try {
				const result = await run(parsed.output, options, { actor: operatorName(request), address: request.ip });
				return { success: true, result, error: null, unAuthorizedRequest: false };
			} catch (error) {
				outcome = error instanceof Refused ? error.code : 'INTERNAL';
				throw error;
			} finally {
				if (!looks) {
					const { password: _, ...details } = named as Record<string, unknown>;
					await options.journal.write({
						actor: operatorName(request),
						address: request.ip,
						act: name,
						subject: subjectOf(named),
						details,
						before,
						after: standing(named, options),
						outcome,
					});
				}
			}
		});
	}
}

function isOperator(request: FastifyRequest, key: string): boolean {
	const shown = /^Operator (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
	return isSameSecret(shown, key);
}
