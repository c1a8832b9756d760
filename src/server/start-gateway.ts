/**
 * A gateway: hub connections and nothing else. It holds no state of its own: what it tells comes over the bus from the
 * process with the engine, and so do the answers about brands, tokens, images and balances. Any number of them may run.
 */
import { pino } from 'pino';
import type { Config } from '#server/config.ts';
import { answerOf } from '#server/http/envelope.ts';
import { plainServer, send, urlOf } from '#server/http/plain-server.ts';
import { openHub } from '#server/hub/open-hub.ts';
import { askedOver } from '#server/hub/questions.ts';
import { NatsBus } from '#server/nats-bus.ts';

export interface RunningGateway {
	url: string;
	/** Sends everybody away, then closes. */
	stop(): Promise<void>;
}

/** @throws when the configuration names no NATS server, or none is there */
export async function startGateway(config: Config): Promise<RunningGateway> {
	const log = pino({ level: config.logLevel });
	if (config.natsUrl === null) throw new Error('A gateway needs NATS_URL, where the engine publishes.');
	const bus = await NatsBus.connect(config.natsUrl, log);
	const http = plainServer({ ...config, log });
	http.setNotFoundHandler((request, reply) => send(request, reply, answerOf('NOT_FOUND')));
	const hub = openHub({ ...config, bus, backend: askedOver(bus), log });
	bus.onGap(() => hub.refresh());
	await http.register(hub.routes);
	hub.attach(http.server);
	await http.listen({ port: config.port, host: config.host });
	return {
		url: urlOf(http),
		stop: async () => {
			await hub.close();
			http.server.closeAllConnections();
			await http.close();
			await bus.close();
		},
	};
}
