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
import type { Brands, FindPreview } from '#server/world/brands/brands.ts';

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

/** @returns a function that stops taking calls of gateways; they wait for the next process */
export function serveGateways(options: ServeGatewaysOptions): () => void {
	const { bus, backend, isReady, exchange, brands, document, tokenKey, findDefinition, framed, preview } = options;
	answerSiteQuestions(bus, {
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
	answerQuestions(bus, backend, isReady);
	return () => responder.close();
}
