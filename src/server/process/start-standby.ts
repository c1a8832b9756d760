/**
 * A standby as a process: it follows the exchange and answers only its health. When it takes over it becomes the server, on
 * the same port.
 */
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import { markOf } from '#server/doors/gateway/call-messages.ts';
import { answerOf } from '#server/doors/http/envelope.ts';
import { openApiText } from '#server/doors/http/open-api.ts';
import { closeHttp, plainServer, send, urlOf } from '#server/doors/http/plain-server.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { endAbandonedTransactions } from '#server/exchange/standby/command-stream.ts';
import { openLifeSigns } from '#server/exchange/standby/life-signs-thread.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import type { DurableViews } from '#server/exchange/views/durable-views.ts';
import { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { openNats } from '#server/platform/bus/open-nats.ts';
import { Stages } from '#server/platform/pacing/stages.ts';
import { type BehindCalls, openCallDoor } from '#server/process/call-door.ts';
import type { Config } from '#server/process/config.ts';
import { EarlyRequests } from '#server/process/early-requests.ts';
import { EarlyCalls } from '#server/process/hand-over/early-calls.ts';
import { passedCallRoute } from '#server/process/hand-over/pass-calls.ts';
import { openRelease } from '#server/process/health/own-release.ts';
import { openLog } from '#server/process/log.ts';
import type { Metrics } from '#server/process/metrics/metrics.ts';
import { openMetrics } from '#server/process/metrics/open-metrics.ts';
import { watchStandby } from '#server/process/metrics/standby-metrics.ts';
import { type Database, keepConnected, openDatabase, openReadOnly } from '#server/process/open-database.ts';
import type { TakenOver } from '#server/process/opening.ts';
import { rehearse } from '#server/process/rehearse.ts';
import type { RunningServer } from '#server/process/serve.ts';
import { startServer } from '#server/process/start.ts';
import { Refused } from '#values/error-catalogue.ts';

/** While the server starts, it may wait for locks of the previous process. */
const UNLOCK_EVERY_MS = 50;
/** From the third on, rehearsals do not get faster. */
const REHEARSALS = 3;
const MOST_TRIES = 6;
const REHEARSE_AGAIN_MS = 250;

interface RunningStandby {
	url: string;
	stop(): Promise<void>;
}

interface StandbyEvents {
	/** The standby has taken over and serves. */
	onServing: (server: RunningServer) => void;
	/** It cannot continue: it differs from the exchange, or the server that it became has to stop. */
	onStopped: (error: Error) => void;
}

/** @throws if the configuration names no database, or it is unreachable; everything that was started is stopped */
export async function startStandby(config: Config, { onServing, onStopped }: StandbyEvents): Promise<RunningStandby> {
	if (config.databaseUrl === null || config.standby === null) throw new Error('A standby needs DATABASE_URL.');
	await using started = new AsyncDisposableStack();
	const { log, flushed } = openLog(config.logLevel);
	started.defer(flushed);
	const release = await openRelease(config, log);
	// A takeover has no time to read the files, and what it runs is what was there when this process started.
	void release?.found();
	const database = await openDatabase(config, started);
	const { db } = database;
	const { silenceMs, goneMs } = config.standby;
	const stage = openReadOnly({ databaseUrl: database.databaseUrl, most: config.databaseConnections }, started);
	started.defer(keepConnected(stage.database));
	const lifeSigns = openLifeSigns(database, log, started);
	const { requests, doors } = await openEarlyDoors(config, log, started);
	const url = urlOf(doors.listening);
	const games = gamesOfProviders(config, log, started);
	// A takeover must not need NATS: it may be unreachable at that moment, and this connection reconnects.
	const nats = await openNats(config, log, started);
	let rehearsal: Promise<void> | null = null;
	let hasRehearsed = false;
	started.defer(async () => {
		await rehearsal;
	});
	const standby = new Standby({
		db,
		log,
		sealer: new LedgerSealer(config.ledgerKey),
		onFollowing: (views) => {
			rehearsal ??= rehearsed(config, stage.database, log, views).finally(() => {
				hasRehearsed = true;
			});
		},
		silenceMs,
		goneMs,
		mark: markOf(config.tokenKey, openApiText()),
		address: addressOf(config, url),
	});
	const metrics = await openStandbyMetrics(config, standby, started);
	let server: RunningServer | null = null;
	const life = live();
	started.defer(async () => {
		standby.stop();
		await life;
		await server?.stop();
	});

	async function live(): Promise<void> {
		try {
			const recovered = await standby.run();
			if (!recovered) return;
			requests.hold();
			await metrics?.close();
			const unlocking = setInterval(() => void endAbandonedTransactions(db).catch(() => undefined), UNLOCK_EVERY_MS);
			// A rehearsal in progress continues over connections that can only read.
			const onStage = hasRehearsed;
			if (onStage) stage.allowWrites();
			const over = onStage ? stage.database : database;
			const takenOver = { recovered, database: over, lifeSigns, games, nats, release, ...doors };
			server = await startServer(config, onStopped, takenOver).finally(() => clearInterval(unlocking));
			onServing(server);
		} catch (error) {
			onStopped(error as Error);
		}
	}

	const everything = started.move();
	return { url, stop: () => everything.disposeAsync() };
}

/** The port, on which calls are answered before everything else when the standby takes over. */
async function openEarlyDoors(
	config: Config,
	log: Logger,
	started: AsyncDisposableStack,
): Promise<{ requests: EarlyRequests; doors: Pick<TakenOver, 'listening' | 'onAnswering' | 'onReady'> }> {
	const passed = new EarlyCalls();
	const http = await healthServer(config, log, passed.answer);
	started.defer(() => closeHttp(http));
	let behind: BehindCalls | null = null;
	const calls = await openCallDoor(config, log, () => {
		if (!behind) throw new Refused('STARTING');
		return behind;
	});
	started.defer(() => closeHttp(calls));
	const requests = new EarlyRequests({ http, calls });
	const onAnswering = async (server: BehindCalls): Promise<void> => {
		behind = server;
		const answered = requests.openCalls();
		log.info('the standby answers calls');
		await Promise.all([answered, passed.open(server.answer)]);
	};
	return { requests, doors: { listening: http, onAnswering, onReady: (server) => requests.passTo(server) } };
}

/** Null where none are configured. */
async function openStandbyMetrics(
	config: Config,
	standby: Standby,
	started: AsyncDisposableStack,
): Promise<Metrics | null> {
	const metrics = await openMetrics(config.metrics, started);
	if (metrics) watchStandby(metrics, standby);
	return metrics;
}

/** Providers' games, which the first bets and launches after a takeover need. */
function gamesOfProviders({ gameProviders }: Config, log: Logger, started: AsyncDisposableStack): ProviderGames {
	const games = new ProviderGames(gameProviders, log);
	started.defer(() => games.stop());
	games.start();
	return games;
}

/** The process's address for other machines, if there is one. */
function addressOf({ host }: Config, url: string): string {
	const address = new URL(url);
	address.hostname = ['0.0.0.0', '::'].includes(host) ? hostname() : host;
	return address.href;
}

/** `/live` and `/ready`; a standby is never ready, so it gets no requests except calls passed by the exchange. */
async function healthServer(config: Config, log: Logger, answer: AnswerCall): Promise<FastifyInstance> {
	const { trustedProxies, clientTimeoutMs, port, host, tokenKey } = config;
	const http = plainServer({ trustedProxies, log, clientTimeoutMs, isReady: async () => false });
	passedCallRoute(http, { answer, operatorKey: operatorKeyOf(tokenKey), log });
	http.setNotFoundHandler((request, reply) => send(request, reply, answerOf('STARTING')));
	await http.listen({ port, host });
	return http;
}

/** A standby that could not rehearse takes over slightly later. */
async function rehearsed(config: Config, database: Database, log: Logger, views: DurableViews): Promise<void> {
	const stages = new Stages();
	for (let [tries, done] = [1, 0]; done < REHEARSALS; tries++) {
		try {
			await rehearse(config, database, views);
			done += 1;
			stages.ended(`rehearsal ${done}`);
		} catch (error) {
			// Tables may be ahead of the standby's state: for example a player without a wallet there.
			if (tries >= MOST_TRIES) {
				log.warn({ err: error }, 'the standby could not rehearse its takeover');
				return;
			}
			await delay(REHEARSE_AGAIN_MS);
		}
	}
	log.info({ stagesMs: stages.tookMs }, 'the standby has rehearsed its takeover');
}
