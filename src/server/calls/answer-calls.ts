/** Answers checked calls: counts them, finds the brand and the login, and runs the handler. */
import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { rulesAt } from '#contract/rules-at.ts';
import { type AnswerCall, type CheckedCall, refuseSuspended } from '#server/calls/checked-call.ts';
import { type Caller, type HandlersOf, poolOf, seesSport } from '#server/calls/handler.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import { LEAST_LEFT_MS } from '#server/exchange/order/sequencer.ts';
import type { PersonLimits } from '#server/money/funds/protection/person-limits.ts';
import { CallCookies } from '#server/people/players/call-cookies.ts';
import type { Login, Logins } from '#server/people/players/logins.ts';
import type { Players } from '#server/people/players/players.ts';
import { RateLimit } from '#server/people/players/rate-limit.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import { networkOf } from '#values/network.ts';
import { poolOf as poolOfKind } from '#values/pools.ts';
import { SPORTS } from '#values/sports.ts';

interface AnswerCallsOptions {
	/** All of them, or those of the calls that this process answers. */
	handlers: Partial<HandlersOf<CallName>>;
	players: Pick<Logins, 'claimed' | 'admitMoney'> & Pick<Players, 'freshCountries' | 'countryOf' | 'freshExclusion'>;
	protection: { limits: Pick<PersonLimits, 'readLosses'> };
	sports: Pick<SportPermissions, 'closed'>;
	brands: Pick<Brands, 'byHost'>;
	rateLimitFactor: number;
	exchange: Pick<Exchange, 'fresh' | 'pools' | 'now'>;
	fixtures: Pick<Fixtures, 'version'>;
}

/** The dependencies besides a call's handler. */
interface Answerer {
	call: Call;
	handler: (input: unknown, caller: Caller) => unknown;
	/** Null for a call without a limit of its own. Passwords have limits of their own (players/login-throttle). */
	limit: RateLimit | null;
}

const NONE: ReadonlySet<never> = new Set();

/** A stake whose judging takes long is ordered so long before its deadline, and so refused definitely. */
const LEFT_TO_ORDER_MS = LEAST_LEFT_MS + 500;

/** The limits apply here, to the process's own requests and to those of all gateways together. */
export function answerCalls(options: AnswerCallsOptions): AnswerCall {
	const { handlers, rateLimitFactor, exchange, fixtures, players } = options;
	const answerers = new Map(
		(Object.keys(handlers) as CallName[]).map((name): [CallName, Answerer] => {
			const call: Call = CALLS[name];
			const handler = handlers[name] as Answerer['handler'];
			const limit = call.perMinute === null ? null : new RateLimit(call.perMinute * rateLimitFactor);
			return [name, { call, handler, limit }];
		}),
	);
	return async (checked) => {
		const { call, handler, limit } = answerers.get(checked.name) as Answerer;
		limit?.take(networkOf(checked.address));
		const refreshing = exchange.fresh(checked.untilMs);
		if (refreshing) await refreshing;
		const reading = players.freshCountries();
		if (reading) await reading;
		const cookies = new CallCookies(checked.cookies);
		const caller = callerOf(checked, call, cookies, options);
		const judging = call.movesMoney && caller.login ? readyToStake(options, caller.login, caller) : null;
		if (judging) await judging;
		// Read before the answer is built: a concurrent change is in the answer, and is reported again.
		const etag = call.versioned ? listTag(caller, fixtures.version) : undefined;
		const result = await handler(checked.input, caller);
		const playerId = caller.login?.playerId;
		return { json: JSON.stringify(result) ?? 'null', cookies: cookies.changes, etag, playerId };
	};
}

interface ReadyToStakeParts {
	players: Pick<Players, 'freshExclusion'>;
	protection: { limits: Pick<PersonLimits, 'readLosses'> };
}

/**
 * What has to be read before a stake is judged: whether a person was excluded elsewhere, and the losses of a player whom
 * a limit of losses holds. Every door that takes stakes goes through here, so that none of them judges by less.
 * @param untilMs the deadline of the stake's call: a read that takes longer goes on without it, and what is not known when
 *   the stake is ordered refuses it
 * @returns null when nothing has to be read, so that most stakes wait for nothing
 */
export function readyToStake(
	{ players, protection }: ReadyToStakeParts,
	login: Pick<Login, 'playerId' | 'pool'>,
	{ visitor: { brand }, untilMs }: { visitor: Pick<Caller['visitor'], 'brand'>; untilMs: number },
): Promise<void> | null {
	const asking = players.freshExclusion(login, brand);
	// The exclusion decides first: who is excluded is told so, whatever the losses are.
	const reading = asking
		? asking.then(() => protection.limits.readLosses(login.playerId) ?? undefined)
		: protection.limits.readLosses(login.playerId);
	return reading && before(reading, untilMs - LEFT_TO_ORDER_MS, 'STARTING').catch(leftToOrder);
}

function leftToOrder(error: unknown): void {
	if (!(error instanceof Refused && error.code === 'STARTING')) throw error;
}

/**
 * The dependencies of a list besides its request: the fixtures, the sports visible to the caller, and the pool of the
 * books.
 */
function listTag(caller: Caller, version: number): string {
	const sports = SPORTS.filter(({ id }) => seesSport(caller, id)).map(({ id }) => id);
	return `W/"${version}.${poolOf(caller)}.${sports.join('-')}"`;
}

/** @throws Refused UNKNOWN_DOMAIN, OTHER_POOL, SITE_SUSPENDED, LOGIN_EXPIRED, PASSWORD_NEEDED */
function callerOf(
	{ host, claim, address, country, requestId, trace, receivedMs, untilMs }: CheckedCall,
	call: Call,
	cookies: CallCookies,
	{ players, sports, brands, exchange }: AnswerCallsOptions,
): Caller {
	const brand = brands.byHost(host);
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	refuseSuspended(call, brand);
	const login = claim ? players.claimed(claim, host) : null;
	if (call.auth === 'player' && !login) throw new Refused('LOGIN_EXPIRED');
	// The engine of the brand's pool has its visitors; this one may know the brand for demo players alone.
	const ofCall = call.pool && poolOfKind(call.pool, brand.setting.currency);
	const pool = ofCall ?? login?.pool ?? brand.pool;
	if (call.tokenIn === null && !exchange.pools.includes(pool)) throw new Refused('OTHER_POOL');
	if (call.movesMoney && login)
		players.admitMoney(login.loginId, rulesAt(brand.setting, () => exchange.now()).logsInAgainAfterIdleMinutes);
	const located = players.countryOf({ brand, address, country }, login?.loginId ?? null);
	const visitor = { brand, address, country: located, cookies };
	const closedSports = login ? sports.closed(login.playerId) : NONE;
	return { visitor, login, closedSports, requestId, trace, receivedMs, untilMs };
}
