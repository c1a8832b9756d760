/** The questions of a gateway's hub, sent over the bus to the process with the engine. */
import type { HubBackend } from '#server/doors/hub/hub.ts';
import type { RemoteBus } from '#server/platform/bus/nats-bus.ts';

const QUESTIONS = ['brandOf', 'findLogin', 'refusals', 'images', 'balance', 'notices'] as const;
type Question = (typeof QUESTIONS)[number];

const nameOf = (question: Question | 'ready'): string => `hub.${question}`;

/** Answers gateways in the engine's process. */
export function answerQuestions(
	bus: Pick<RemoteBus, 'answer'>,
	backend: HubBackend,
	isReady: () => Promise<boolean>,
): void {
	for (const question of QUESTIONS) {
		const ask = backend[question] as (...input: unknown[]) => Promise<unknown>;
		bus.answer(nameOf(question), (input) => ask(...input));
	}
	bus.answer(nameOf('ready'), isReady);
}

/** Asks from a gateway. Every question throws Refused STARTING while no process answers. */
export function askedOver(bus: RemoteBus): HubBackend {
	const ask = <Q extends Question>(question: Q, ...input: Parameters<HubBackend[Q]>) =>
		bus.ask(nameOf(question), input) as ReturnType<HubBackend[Q]>;
	return {
		brandOf: (host) => ask('brandOf', host),
		findLogin: (token, brand) => ask('findLogin', token, brand),
		refusals: (channels, viewer) => ask('refusals', channels, viewer),
		images: (channel, pool) => ask('images', channel, pool),
		balance: (playerId, pool) => ask('balance', playerId, pool),
		notices: (playerId, pool, lastMs) => ask('notices', playerId, pool, lastMs),
	};
}

/** Whether the process with the engine is reachable and ready. */
export async function engineIsReady(bus: RemoteBus): Promise<boolean> {
	try {
		return (await bus.ask(nameOf('ready'), [])) === true;
	} catch {
		return false;
	}
}
