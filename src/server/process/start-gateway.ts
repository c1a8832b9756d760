/**
 * A gateway serves players' browsers: the calls, the site and the hub. Its state is disposable: it checks requests,
 * answers visitors' reads from its copy, and the process with the engine answers the rest over the bus. Any number of
 * gateways may run.
 */
import type { FastifyInstance } from 'fastify';
import { markOf } from '#server/doors/gateway/call-messages.ts';
import { FollowedProjection } from '#server/doors/gateway/followed-projection.ts';
import { RemoteCalls } from '#server/doors/gateway/remote-calls.ts';
import { definitionsOver, FollowedSite } from '#server/doors/gateway/site-facts.ts';
import { answerVisitors } from '#server/doors/gateway/visitor-calls.ts';
import { openApiDocument } from '#server/doors/http/open-api.ts';
import { closeHttp, isHealthCheck, plainServer, urlOf } from '#server/doors/http/plain-server.ts';
import { playersSide } from '#server/doors/http/players-side.ts';
import { openHub } from '#server/doors/hub/open-hub.ts';
import { askedOver, engineIsReady } from '#server/doors/hub/questions.ts';
import { openTraces } from '#server/doors/traces/open-traces.ts';
import { LoginTokens } from '#server/people/players/login-tokens.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import type { Config } from '#server/process/config.ts';
import { openLog } from '#server/process/log.ts';
import { openMetrics } from '#server/process/metrics/open-metrics.ts';
import { droppedSpansIn, requestsIn, watchHub } from '#server/process/metrics/serving-metrics.ts';
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
	if (config.natsUrl === null) throw new Error('A gateway needs NATS_URL, where the engine publishes.');
	const bus = await NatsBus.connect(config.natsUrl, log);
	started.defer(() => bus.close());
	const metrics = await openMetrics(config.metrics, started);
	const onDropped = metrics ? droppedSpansIn(metrics) : undefined;
	const traces = await openTraces(
		config.traces,
		{ process: 'gateway', nodeId: config.nodeId, log, onDropped },
		started,
	);
	const document = JSON.stringify(openApiDocument());
	const calls = new RemoteCalls({ bus, log, mark: markOf(config.tokenKey, document) });
	const site = new FollowedSite(bus);
	started.defer(() => site.close());
	const projection = new FollowedProjection(bus);
	started.defer(() => projection.close());
	const isReady = async () => site.isKnown && calls.isServed && (await engineIsReady(bus));
	const watch = metrics ? requestsIn(metrics) : null;
	const { trustedProxies, clientTimeoutMs, hubLimits, rateLimitFactor, nodeId } = config;
	const http = plainServer({ trustedProxies, log, clientTimeoutMs, isReady, watch });
	started.defer(() => closeHttp(http));
	refuseWhileUnknown(http, site);
	const backend = askedOver(bus);
	const hub = openHub({ bus, backend, log, trustedProxies, hubLimits, rateLimitFactor, nodeId });
	started.defer(() => hub.close());
	if (metrics) watchHub(metrics, hub);
	started.defer(() => calls.drain());
	bus.onGap(() => hub.refresh());
	await playersSide(http, {
		production: config.production,
		callDeadlineMs: config.callDeadlineMs,
		consoleHost: config.consoleHost,
		log,
		traces,
		document,
		answer: answerVisitors({ projection, site, remote: calls.answer }),
		tokens: tokensOf(config),
		brands: site,
		streams: () => projection.shown.fixtures.all().flatMap(({ streamUrl }) => streamUrl ?? []),
		framed: site.framed,
		findDefinition: definitionsOver(bus),
		hubRoutes: hub.routes,
	});
	hub.attach(http.server);
	await http.listen({ port: config.port, host: config.host });
	const everything = started.move();
	return { url: urlOf(http), stop: () => everything.disposeAsync() };
}

function tokensOf({ tokenKey }: Config) {
	const tokens = new LoginTokens(tokenKey);
	return { claimOf: (accessToken: string) => tokens.read('access', accessToken) };
}

/** Before the first answer a gateway knows no host. */
function refuseWhileUnknown(http: FastifyInstance, site: FollowedSite): void {
	http.addHook('onRequest', (request, _, done) =>
		done(site.isKnown || isHealthCheck(request) ? undefined : new Refused('STARTING')),
	);
}
