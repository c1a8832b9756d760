/** The caller: the app key and the session of a request, their rights, and their rate limit. */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#server/calls/handler.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import { headerOf, visitorOf } from '#server/doors/bots-api/identity.ts';
import type { ApiKey } from '#server/people/players/api-keys.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { Players, Visitor } from '#server/people/players/players.ts';
import { RateLimit } from '#server/people/players/rate-limit.ts';
import type { SportPermissions } from '#server/people/players/sport-permissions.ts';

/** A caller of the bots' interface; the site's handlers take it as one of their own. */
export interface BotCaller extends Caller {
	login: Login;
	key: ApiKey;
	appKey: string;
}

export interface CallerOptions {
	players: Players;
	sports: SportPermissions;
	rateLimitFactor: number;
	callDeadlineMs: number;
}

export class BotCallers {
	readonly #options: CallerOptions;
	/** By key, because each has its own limit. */
	readonly #limits = new WeakMap<ApiKey, RateLimit>();

	constructor(options: CallerOptions) {
		this.#options = options;
	}

	/** @throws ApingException NO_APP_KEY, INVALID_APP_KEY, NO_SESSION, INVALID_SESSION_INFORMATION, ACCESS_DENIED */
	of(request: FastifyRequest): BotCaller {
		const appKey = headerOf(request, 'x-application');
		const token = headerOf(request, 'x-authentication');
		return this.known(appKey, token, visitorOf(request));
	}

	/** The same for a connection of the stream. @param isLook the server asks, and the client has sent nothing */
	known(appKey: string, token: string, visitor: Visitor, isLook = false): BotCaller {
		const { players, sports, callDeadlineMs } = this.#options;
		if (appKey === '') throw new ApingException('NO_APP_KEY');
		if (token === '') throw new ApingException('NO_SESSION');
		const key = players.apiKeys.find(appKey);
		if (!key) throw new ApingException('INVALID_APP_KEY');
		const { apiSessions } = players;
		const session = isLook ? apiSessions.look(token, visitor.brand) : apiSessions.find(token, visitor.brand);
		// The rights are those of the call's key. The session identifies the player.
		if (session?.key.playerId !== key.playerId) throw new ApingException('INVALID_SESSION_INFORMATION');
		if (!players.apiKeys.allows(key, visitor.address)) throw new ApingException('ACCESS_DENIED');
		const { login } = session;
		const receivedMs = performance.now();
		const untilMs = receivedMs + callDeadlineMs;
		const closedSports = sports.closed(login.playerId);
		void players.freshCountries();
		const located = { ...visitor, country: players.countryOf(visitor, login.loginId) };
		return { visitor: located, login, closedSports, receivedMs, untilMs, key, appKey };
	}

	/** Counts a call. @throws Refused THROTTLED */
	count({ key }: BotCaller): void {
		let limit = this.#limits.get(key);
		if (!limit) {
			limit = new RateLimit(key.callsPerSecond * this.#options.rateLimitFactor, { windowMs: 1_000 });
			this.#limits.set(key, limit);
		}
		limit.take('calls');
	}
}
