/**
 * A gateway serves hub connections and nothing else. It has no state of its own: messages come over the bus from the
 * process with the engine, and so do the answers about brands, tokens, images and balances. Any number of gateways may
 * run.
 */
import type { Config } from '#server/config.ts';
import { answerOf } from '#server/http/envelope.ts';
import { closeHttp, plainServer, send, urlOf } from '#server/http/plain-server.ts';
import { openHub } from '#server/hub/open-hub.ts';
import { askedOver, engineIsReady } from '#server/hub/questions.ts';
import { openLog } from '#server/log.ts';
import { Metrics } from '#server/metrics/metrics.ts';
import { refusalsIn, watchHub } from '#server/metrics/serving-metrics.ts';
import { NatsBus } from '#server/nats-bus.ts';

export interface RunningGateway {
	url: string;
	/** Closes all connections, then the server. */
	stop(): Promise<void>;
}

/** @throws when the configuration names no NATS server, or it is unreachable; everything that was started is stopped */
export async function startGateway(config: Config): Promise<RunningGateway> {
	await using started = new AsyncDisposableStack();
	const { log, flushed } = openLog(config.logLevel);
	started.defer(flushed);
	if (config.natsUrl === null) throw new Error('A gateway needs NATS_URL, where the engine publishes.');
	const bus = await NatsBus.connect(config.natsUrl, log);
	started.defer(() => bus.close());
	const metrics = config.metrics && (await Metrics.open(config.metrics));
	started.defer(async () => await metrics?.close());
	const onRefused = metrics ? refusalsIn(metrics) : undefined;
	const http = plainServer({ ...config, log, onRefused, isReady: () => engineIsReady(bus) });
	started.defer(() => closeHttp(http));
	http.setNotFoundHandler((request, reply) => send(request, reply, answerOf('NOT_FOUND')));
	const hub = openHub({ ...config, bus, backend: askedOver(bus), log });
	started.defer(() => hub.close());
	if (metrics) watchHub(metrics, hub);
	bus.onGap(() => hub.refresh());
	await http.register(hub.routes);
	hub.attach(http.server);
	await http.listen({ port: config.port, host: config.host });
	const everything = started.move();
	return { url: urlOf(http), stop: () => everything.disposeAsync() };
}
