/** What a gateway has of one engine: its calls, its site, its copy for visitors, its hub's questions, its token key. */
import type { Logger } from 'pino';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import { FollowedProjection } from '#server/doors/gateway/followed-projection.ts';
import { RemoteCalls } from '#server/doors/gateway/remote-calls.ts';
import { definitionsOver, FollowedSite, picturesOver, previewsOver } from '#server/doors/gateway/site-facts.ts';
import { answerVisitors } from '#server/doors/gateway/visitor-calls.ts';
import type { HubBackend } from '#server/doors/hub/hub.ts';
import { askedOver, engineIsReady } from '#server/doors/hub/questions.ts';
import type { LoginTokens } from '#server/people/players/login-tokens.ts';
import type { RemoteBus } from '#server/platform/bus/nats-bus.ts';
import type { FindPreview } from '#server/world/brands/brands.ts';
import { type Pool, poolsText } from '#values/pools.ts';

/** What is asked of one engine, for monitors. */
export type EngineState = 'ok' | 'its process is not ready' | 'no process answers';

interface EngineLinkOptions {
	pools: readonly Pool[];
	/** Sealed with the key of this engine, and no other's. */
	tokens: Pick<LoginTokens, 'read'>;
	/** Of the engine's key and this release: see `markOf`. */
	mark: string;
	/** Between the processes of this engine. */
	bus: RemoteBus;
	log: Logger;
}

export class EngineLink {
	readonly pools: readonly Pool[];
	readonly bus: RemoteBus;
	readonly site: FollowedSite;
	readonly projection: FollowedProjection;
	readonly backend: HubBackend;
	readonly tokens: Pick<LoginTokens, 'read'>;
	readonly findDefinition: FindDefinition;
	readonly preview: FindPreview;
	readonly picture: ReturnType<typeof picturesOver>;
	/** Answers visitors' reads here, and all other calls in the process with the engine. */
	readonly answer: AnswerCall;
	readonly #calls: RemoteCalls;

	constructor({ pools, tokens, mark, bus, log }: EngineLinkOptions) {
		this.pools = pools;
		this.bus = bus;
		const about = log.child({ pools: poolsText(pools) });
		this.#calls = new RemoteCalls({ bus, log: about, mark });
		this.site = new FollowedSite(bus);
		this.projection = new FollowedProjection(bus);
		this.backend = askedOver(bus);
		this.tokens = tokens;
		this.findDefinition = definitionsOver(bus);
		this.picture = picturesOver(bus);
		this.preview = previewsOver(bus);
		const { site, projection } = this;
		this.answer = answerVisitors({ pools, projection, site, remote: this.#calls.answer });
	}

	/** Resolves when every call is answered or given up. */
	drain(): Promise<void> {
		return this.#calls.drain();
	}

	close(): void {
		this.site.close();
		this.projection.close();
	}

	async state(): Promise<EngineState> {
		if (!this.site.isKnown || !this.#calls.isServed) return 'no process answers';
		return (await engineIsReady(this.bus)) ? 'ok' : 'its process is not ready';
	}
}
