/**
 * Services of the process with the engine for gateways: it answers their calls, and the questions of their hubs and
 * sites.
 */

import type { FindDefinition } from '#server/calls/game-definition.ts';
import { markOf } from '#server/doors/gateway/call-messages.ts';
import { CallResponder, type CallResponderOptions } from '#server/doors/gateway/call-responder.ts';
import { answerSiteQuestions } from '#server/doors/gateway/site-facts.ts';
import type { HubBackend } from '#server/doors/hub/hub.ts';
import { answerQuestions } from '#server/doors/hub/questions.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { RemoteBus } from '#server/platform/bus/nats-bus.ts';
import type { Brands, FindPreview } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

interface ServeGatewaysOptions extends Pick<CallResponderOptions, 'bus' | 'answer' | 'log'> {
	backend: HubBackend;
	isReady: () => Promise<boolean>;
	exchange: Exchange;
	brands: Brands;
	/** OpenAPI's, as text. */
	document: string;
	tokenKey: string;
	findDefinition: FindDefinition;
	framed: () => readonly string[];
	preview: FindPreview;
}

/** Longer than a batch takes; gateways wait for an answer as long. */
const FRESH_WITHIN_MS = 3_000;

/**
 * Answers questions while this process leads. After a hand-over it serves on for a while, beside its successor: what it has
 * in memory is of before, and a login of since is none to it.
 */
const answersOfLeader = (
	bus: Pick<RemoteBus, 'answer'>,
	exchange: Pick<Exchange, 'fresh'>,
): Pick<RemoteBus, 'answer'> => ({
	answer: (question, answerer) =>
		bus.answer(question, async (input) => {
			await exchange.fresh(performance.now() + FRESH_WITHIN_MS)?.catch(unlessLeft);
			return await answerer(input);
		}),
});

/** While the exchange recovers, no other process leads. @throws Refused DRAINING */
function unlessLeft(error: unknown): void {
	if (error instanceof Refused && error.code === 'DRAINING') throw error;
}

/** @returns a function that stops taking calls of gateways; they wait for the next process */
export function serveGateways(options: ServeGatewaysOptions): () => void {
	const { bus, backend, isReady, exchange, brands, document, tokenKey, findDefinition, framed, preview } = options;
	const leading = answersOfLeader(bus, exchange);
	answerSiteQuestions(leading, {
		findDefinition,
		facts: () => ({
			settings: ['default', ...brands.all().map(({ host }) => host)].flatMap(
				(name) => brands.byName(name)?.setting ?? [],
			),
			framed: [...framed()],
		}),
		picture: (host, name) => brands.picture(host, name),
		preview,
	});
	const responder = new CallResponder({
		...options,
		epoch: () => exchange.epoch(),
		mark: markOf(tokenKey, document),
	});
	answerQuestions(leading, backend, isReady);
	bus.announce();
	return () => responder.close();
}
