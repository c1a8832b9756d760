/**
 * The data that a gateway needs to serve the site itself: the brands' settings, and the addresses that pages may use.
 * It requests all of it, and again after every change.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { FindDefinition } from '#server/calls/game-definition.ts';
import type { RemoteBus } from '#server/platform/bus/nats-bus.ts';
import { brandWith } from '#server/world/brands/brand-with.ts';
import type { Brand, Brands, FindPreview } from '#server/world/brands/brands.ts';

interface SiteFacts {
	/** Of all brands, and of "default". */
	settings: DomainSetting[];
	/** Origins that pages show in frames. */
	framed: string[];
}

const QUESTION = 'site.facts';
const GAME = 'site.game';
const PICTURE = 'site.picture';
const PREVIEW = 'site.preview';
/** The bus topic under which a change of a brand is published. */
const CHANGES = 'brands';
const ASK_AGAIN_MS = 250;
/** How long a read waits for the answer after a change, before it is passed on. */
const CATCH_UP_MS = 1_000;

interface SiteAnswers {
	findDefinition: FindDefinition;
	facts: () => SiteFacts;
	picture: Brands['picture'];
	preview: FindPreview;
}

export function answerSiteQuestions(
	bus: Pick<RemoteBus, 'answer'>,
	{ findDefinition, facts, picture, preview }: SiteAnswers,
): void {
	bus.answer(QUESTION, async () => facts());
	bus.answer(GAME, ([name]) => findDefinition(String(name)));
	bus.answer(PREVIEW, ([host, secret]) => preview(String(host), String(secret)));
	bus.answer(PICTURE, async ([host, name]) => (await picture(String(host), String(name)))?.toString('base64') ?? null);
}

/** Definitions of games as the process with the engine knows them. */
export const definitionsOver =
	(bus: RemoteBus): FindDefinition =>
	(name) =>
		bus.ask(GAME, [name]) as Promise<object | null>;

/** Pictures of brands as the process with the engine has them. */
export const picturesOver =
	(bus: RemoteBus) =>
	async (host: string, name: string): Promise<Buffer | null> => {
		const text = (await bus.ask(PICTURE, [host, name])) as string | null;
		return text === null ? null : Buffer.from(text, 'base64');
	};

/** Drafts of brands, for members who look at them through a gateway. */
export const previewsOver =
	(bus: RemoteBus): FindPreview =>
	(host, secret) =>
		bus.ask(PREVIEW, [host, secret]) as Promise<DomainSetting | null>;

/** Follows changes over the bus. */
export class FollowedSite implements Pick<Brands, 'byHost' | 'byName'> {
	readonly #bus: RemoteBus;
	#brands = new Map<string, Brand>();
	#framed: readonly string[] = [];
	#isKnown = false;
	/** Settles with the answer that contains the last change; null while none is awaited. */
	#asking: Promise<void> | null = null;
	#asksAgain = false;
	#isClosed = false;

	constructor(bus: RemoteBus) {
		this.#bus = bus;
		bus.subscribe(CHANGES, () => this.#refresh());
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

	readonly framed = (): readonly string[] => this.#framed;

	/** Waits briefly for an announced change. @returns whether the local data is current */
	async caughtUp(): Promise<boolean> {
		if (this.#asking) await Promise.race([this.#asking, delay(CATCH_UP_MS, undefined, { ref: false })]);
		return this.#asking === null;
	}

	close(): void {
		this.#isClosed = true;
	}

	/** Changes during an awaited answer lead to one more question. */
	#refresh(): void {
		this.#asksAgain = true;
		this.#asking ??= this.#ask();
	}

	async #ask(): Promise<void> {
		while (this.#asksAgain && !this.#isClosed) {
			this.#asksAgain = false;
			try {
				this.#hold((await this.#bus.ask(QUESTION, [])) as SiteFacts);
			} catch {
				this.#asksAgain = true;
				await delay(ASK_AGAIN_MS);
			}
		}
		this.#asking = null;
	}

	/** An unchanged brand keeps its object, which is the cache key of pages. */
	#hold({ settings, framed }: SiteFacts): void {
		const held = settings.map((setting): [string, Brand] => {
			const before = this.#brands.get(setting.domain);
			return [setting.domain, before?.setting.version === setting.version ? before : brandWith(setting)];
		});
		this.#brands = new Map(held);
		this.#framed = framed;
		this.#isKnown = true;
	}
}
