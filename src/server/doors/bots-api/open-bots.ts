/**
 * The interface for programs written for Betfair's API-NG, over the handlers of the site's calls: it translates fields
 * and errors and has no rule of its own. Its answers and errors have the service's shapes.
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Parts } from '#server/calls/handler.ts';
import { BotCallers, type CallerOptions } from '#server/doors/bots-api/caller.ts';
import { docsRoutes } from '#server/doors/bots-api/docs-page.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import { FirstAnswers } from '#server/doors/bots-api/first-answers.ts';
import { gzipAnswers } from '#server/doors/bots-api/gzip-answers.ts';
import { Heartbeats } from '#server/doors/bots-api/heartbeats.ts';
import { identityRoutes } from '#server/doors/bots-api/identity.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import { IN_FLIGHT } from '#server/doors/bots-api/order-reports.ts';
import { refusalTo, rpcRoutes } from '#server/doors/bots-api/rpc-routes.ts';
import { scoreRoutes } from '#server/doors/bots-api/score-operations.ts';
import type { StreamConfig } from '#server/doors/bots-api/stream-server.ts';
import { StreamServer } from '#server/doors/bots-api/stream-server.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import { Turns, type TurnsOptions } from '#server/platform/pacing/turns.ts';
import type { Markets } from '#server/world/markets/markets.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';

/** Calls of a player that wait for one that reads what the player ever did. */
const READING: Partial<TurnsOptions> = { mostWaiting: 20, refusal: () => new Refused('THROTTLED') };

/** Bytes of a call with 200 instructions, several times over. */
const LARGEST_BODY = 512 * 1024;

interface BotsOptions {
	/** The dependencies of the site's handlers. */
	parts: Parts;
	markets: Pick<Markets, 'step'>;
	/** What tells who calls. */
	caller: CallerOptions;
	/** Null: no stream. */
	stream: StreamConfig | null;
	log: Logger;
}

export interface Bots {
	/** Opens the stream's port. */
	listen(): Promise<void>;
	/** The stream's port; null without one. */
	streamPort(): number | null;
	/** Ends the stream, and the watch over silent bots, which another process goes on with. Calls are answered as long as they come. */
	stop(): Promise<void>;
	routes: (scope: FastifyInstance) => Promise<void>;
	onCommitted: CommittedListener;
	/** A player is barred: the streams of the player's bots end. */
	onBarred: () => void;
	/** Drops the data of markets that left the exchange's memory. */
	forget(isRemembered: (marketId: MarketId) => boolean): void;
}

export async function openBots(options: BotsOptions): Promise<Bots> {
	const { log } = options;
	const { players } = options.caller;
	const firstAnswers = new FirstAnswers(options.parts.db, () => options.parts.exchange.now());
	await firstAnswers.load();
	const { exchange, db } = options.parts;
	const heartbeats = new Heartbeats({ exchange, db, log });
	heartbeats.start();
	const inFlight = new Turns<PlayerId>(IN_FLIGHT);
	const parts = botPartsOf(options.parts, {
		inFlight,
		reading: new Turns<PlayerId>(READING),
		firstAnswers,
		heartbeats,
		markets: options.markets,
	});
	const callers = new BotCallers(options.caller);
	const stream = new StreamServer({ stream: options.stream, parts, callers, log });
	return {
		// biome-ignore lint/suspicious/useAwait: Fastify awaits plugins.
		routes: async (scope) => {
			scope.removeAllContentTypeParsers();
			// Each route reads its body itself: bots send forms and JSON under many types.
			const reading = { parseAs: 'buffer', bodyLimit: LARGEST_BODY } as const;
			scope.addContentTypeParser('*', reading, (_, body, done) => done(null, body));
			// Clients compare the type of an answer as a whole, and the service's has no charset.
			scope.addHook('onSend', (_, reply, payload, done) => {
				if (String(reply.getHeader('content-type')).startsWith('application/json')) {
					reply.header('content-type', 'application/json');
				}
				done(null, payload);
			});
			scope.setErrorHandler((error: Error & { code?: string }, request, reply) => {
				const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
				const known = isTooLarge ? new ApingException('REQUEST_SIZE_EXCEEDS_LIMIT') : error;
				return reply.send(refusalTo(request, reply, known, log));
			});
			gzipAnswers(scope);
			identityRoutes(scope, players);
			rpcRoutes(scope, { parts, callers, log });
			scoreRoutes(scope);
			docsRoutes(scope);
		},
		onCommitted: (committed) => {
			stream.onCommitted(committed);
		},
		onBarred: () => stream.check(),
		forget: (isRemembered) => {
			stream.forget(isRemembered);
		},
		listen: () => stream.listen(),
		streamPort: () => stream.port,
		stop: async () => {
			stream.stop();
			await heartbeats.stop();
		},
	};
}

const botPartsOf = (parts: Parts, own: Omit<BotParts, keyof Parts>): BotParts => ({
	exchange: parts.exchange,
	fixtures: parts.fixtures,
	priceHistory: parts.priceHistory,
	publisher: parts.publisher,
	players: parts.players,
	push: parts.push,
	brands: parts.brands,
	betAdmission: parts.betAdmission,
	casino: parts.casino,
	providers: parts.providers,
	funds: parts.funds,
	sumTrees: parts.sumTrees,
	tickets: parts.tickets,
	db: parts.db,
	reads: parts.reads,
	throughHistory: parts.throughHistory,
	inFlight: own.inFlight,
	reading: own.reading,
	firstAnswers: own.firstAnswers,
	traded: parts.traded,
	starting: parts.starting,
	heartbeats: own.heartbeats,
	markets: own.markets,
});
