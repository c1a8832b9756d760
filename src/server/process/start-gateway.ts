/**
 * A gateway serves players' browsers: the calls, the site and the hub. Its state is disposable: it checks requests,
 * answers visitors' reads from its copy, and the process with the engine answers the rest over the bus. Where pools have
 * engines of their own, it serves all of them. Any number of gateways may run.
 */
import type { FastifyInstance } from 'fastify';
import { markOf } from '#server/doors/gateway/call-messages.ts';
import { EngineLink } from '#server/doors/gateway/engine-link.ts';
import { EngineLinks } from '#server/doors/gateway/engine-links.ts';
import { openApiText } from '#server/doors/http/open-api.ts';
import { closeHttp, isHealthCheck, plainServer, urlOf } from '#server/doors/http/plain-server.ts';
import { playersSide } from '#server/doors/http/players-side.ts';
import { openHub } from '#server/doors/hub/open-hub.ts';
import { openTraces } from '#server/doors/traces/open-traces.ts';
import { LoginTokens } from '#server/people/players/login-tokens.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { scopeOf } from '#server/platform/bus/open-nats.ts';
import type { Config } from '#server/process/config.ts';
import { openRelease } from '#server/process/health/own-release.ts';
import { openLog } from '#server/process/log.ts';
import { openMetrics } from '#server/process/metrics/open-metrics.ts';
import { droppedSpansIn, requestsIn, watchEngines, watchHub } from '#server/process/metrics/serving-metrics.ts';
import { Refused } from '#values/error-catalogue.ts';

interface RunningGateway {
	url: string;
	/** Waits for answers, closes all connections, then the server. */
	stop(): Promise<void>;
}

/** @throws if the configuration names no NATS server, or it is unreachable; everything that was started is stopped */
export async function startGateway(config: Config): Promise<RunningGateway> {
	await using started = new AsyncDisposableStack();
	const { log, flushed } = openLog(config.logLevel);
	started.defer(flushed);
	await openRelease(config, log);
	if (config.natsUrl === null) throw new Error('A gateway needs NATS_URL, where the engine publishes.');
	const metrics = await openMetrics(config.metrics, started);
	const onDropped = metrics ? droppedSpansIn(metrics) : undefined;
	const about = { process: 'gateway', nodeId: config.nodeId, log, onDropped } as const;
	const traces = await openTraces(config.traces, about, started);
	const document = openApiText();
	const links: EngineLink[] = [];
	for (const { pools, tokenKey } of config.engines) {
		const bus = await NatsBus.connect(config.natsUrl, log, scopeOf(pools));
		started.defer(() => bus.close());
		const [tokens, mark] = [new LoginTokens(tokenKey, pools), markOf(tokenKey, document)];
		const link = new EngineLink({ pools, tokens, mark, bus, log });
		started.defer(() => link.close());
		links.push(link);
	}
	const engines = new EngineLinks(links);
	// One engine that serves is enough: the players of the others are told to wait.
	const isReady = async () => Object.values(await engines.states()).includes('ok');
	const watch = metrics ? requestsIn(metrics) : null;
	const { trustedProxies, clientTimeoutMs, hubLimits, rateLimitFactor, nodeId } = config;
	const http = plainServer({
		trustedProxies,
		log,
		clientTimeoutMs,
		isReady,
		standing: async () => ({ engines: await engines.states() }),
		watch,
	});
	started.defer(() => closeHttp(http));
	refuseWhileUnknown(http, engines);
	const { buses, backend } = engines;
	const hub = openHub({ buses, backend, log, trustedProxies, hubLimits, rateLimitFactor, nodeId });
	started.defer(() => hub.close());
	if (metrics) {
		watchHub(metrics, hub);
		watchEngines(metrics, engines);
	}
	for (const link of links) {
		started.defer(() => link.drain());
		link.bus.onGap(() => hub.refresh(link.bus));
	}
	await playersSide(http, {
		production: config.production,
		callDeadlineMs: config.callDeadlineMs,
		consoleHost: config.consoleHost,
		log,
		traces,
		document,
		answer: engines.answer,
		tokens: engines,
		brands: engines,
		streams: engines.streams,
		framed: engines.framed,
		findDefinition: engines.findDefinition,
		findPicture: engines.findPicture,
		findPreview: engines.findPreview,
		hubRoutes: hub.routes,
	});
	hub.attach(http.server);
	await http.listen({ port: config.port, host: config.host });
	const everything = started.move();
	return { url: urlOf(http), stop: () => everything.disposeAsync() };
}

/** Before the first answer a gateway knows no host. */
function refuseWhileUnknown(http: FastifyInstance, engines: EngineLinks): void {
	http.addHook('onRequest', (request, _, done) =>
		done(engines.isKnown || isHealthCheck(request) ? undefined : new Refused('STARTING')),
	);
}
