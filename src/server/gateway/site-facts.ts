/**
 * What a gateway has to know to serve the site by itself: the brands' settings, and the addresses that pages may use. It
 * asks for all of it, and again whenever something of it changed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { brandWith } from '#server/brands/brand-with.ts';
import type { Brand, Brands } from '#server/brands/brands.ts';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import type { RemoteBus } from '#server/nats-bus.ts';

export interface SiteFacts {
	/** Of all brands, and of "default". */
	settings: DomainSetting[];
	/** Addresses of fixtures' streams. */
	streams: string[];
	/** Origins that pages show in frames. */
	framed: string[];
}

const QUESTION = 'site.facts';
const GAME = 'site.game';
/** Bus topics under which a change of them is published. */
const CHANGES = ['brands', 'sports'];
const ASK_AGAIN_MS = 250;

export function answerSiteQuestions(bus: RemoteBus, findDefinition: FindDefinition, facts: () => SiteFacts): void {
	bus.answer(QUESTION, async () => facts());
	bus.answer(GAME, ([name]) => findDefinition(String(name)));
}

/** Definitions of games as the process with the engine knows them. */
export const definitionsOver =
	(bus: RemoteBus): FindDefinition =>
	(name) =>
		bus.ask(GAME, [name]) as Promise<object | null>;

/** Follows them over the bus. */
export class FollowedSite implements Pick<Brands, 'byHost' | 'byName'> {
	readonly #bus: RemoteBus;
	#brands = new Map<string, Brand>();
	#streams: readonly string[] = [];
	#framed: readonly string[] = [];
	#isKnown = false;
	/** True while an answer is awaited that may have been given before the last change. */
	#isAsking = false;
	#asksAgain = false;
	#isClosed = false;

	constructor(bus: RemoteBus) {
		this.#bus = bus;
		for (const topic of CHANGES) bus.subscribe(topic, () => this.#refresh());
		bus.onGap(() => this.#refresh());
		this.#refresh();
	}

	/** False until the first answer. */
	get isKnown(): boolean {
		return this.#isKnown;
	}

	byHost(host: string): Brand | null {
		return host === 'default' ? null : this.byName(host);
	}

	byName(name: string): Brand | null {
		return this.#brands.get(name) ?? null;
	}

	readonly streams = (): readonly string[] => this.#streams;
	readonly framed = (): readonly string[] => this.#framed;

	close(): void {
		this.#isClosed = true;
	}

	/** Changes that come while an answer is awaited are one more question. */
	#refresh(): void {
		this.#asksAgain = true;
		if (!this.#isAsking) void this.#ask();
	}

	async #ask(): Promise<void> {
		this.#isAsking = true;
		while (this.#asksAgain && !this.#isClosed) {
			this.#asksAgain = false;
			try {
				this.#hold((await this.#bus.ask(QUESTION, [])) as SiteFacts);
			} catch {
				this.#asksAgain = true;
				await delay(ASK_AGAIN_MS);
			}
		}
		this.#isAsking = false;
	}

	/** A brand that did not change stays the same object, which pages are cached by. */
	#hold({ settings, streams, framed }: SiteFacts): void {
		const held = settings.map((setting): [string, Brand] => {
			const before = this.#brands.get(setting.domain);
			return [setting.domain, before?.setting.version === setting.version ? before : brandWith(setting)];
		});
		this.#brands = new Map(held);
		this.#streams = streams;
		this.#framed = framed;
		this.#isKnown = true;
	}
}
