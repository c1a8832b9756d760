/**
 * The games of each provider, fetched periodically from its server. If a provider does not answer, its games stay
 * listed as resting.
 */

import type { Logger } from 'pino';
import * as v from 'valibot';
import type { Provider, ProviderGame } from '#server/money/casino/providers/provider.ts';

const ASK_MS = 30_000;
/** After a failure. */
const ASK_AGAIN_MS = 2_000;
const TIMEOUT_MS = 5_000;

const Words = v.pipe(v.string(), v.minLength(1), v.maxLength(300));
const Listed = v.array(
	v.object({
		code: v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,40}$/)),
		id: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)),
		name: Words,
		summary: Words,
		rules: v.pipe(v.array(Words), v.maxLength(40)),
		returnPercent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
		minStake: v.pipe(v.number(), v.minValue(0)),
		maxStake: v.pipe(v.number(), v.minValue(0)),
		maxPayout: v.pipe(v.number(), v.minValue(0)),
		maxFreeWin: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0))), null),
		countries: v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
		enabled: v.boolean(),
	}),
);

export class ProviderGames {
	readonly #providers: readonly Provider[];
	readonly #log: Logger;
	readonly #games = new Map<string, readonly ProviderGame[]>();
	readonly #timers = new Map<string, NodeJS.Timeout>();
	readonly #stopping = new AbortController();
	#isStarted = false;

	constructor(providers: readonly Provider[], log: Logger) {
		this.#providers = providers;
		this.#log = log;
	}

	/** A second start does nothing. */
	start(): void {
		if (this.#isStarted) return;
		this.#isStarted = true;
		for (const provider of this.#providers) void this.#follow(provider);
	}

	stop(): void {
		this.#stopping.abort();
		for (const timer of this.#timers.values()) clearTimeout(timer);
	}

	all(): readonly ProviderGame[] {
		return [...this.#games.values()].flat();
	}

	/** A game by its code, at one provider or at any. */
	find(provider: string | null, code: string): ProviderGame | null {
		const games = provider === null ? this.all() : (this.#games.get(provider) ?? []);
		return games.find((game) => game.code === code) ?? null;
	}

	async #follow(provider: Provider): Promise<void> {
		const isKnown = await this.#ask(provider);
		if (this.#stopping.signal.aborted) return;
		const timer = setTimeout(() => void this.#follow(provider), isKnown ? ASK_MS : ASK_AGAIN_MS).unref();
		this.#timers.set(provider.id, timer);
	}

	/** @returns whether the provider answered with its games */
	async #ask(provider: Provider): Promise<boolean> {
		const before = this.#games.get(provider.id) ?? [];
		try {
			const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
			const response = await fetch(`${provider.url}/games`, { redirect: 'error', signal });
			if (!response.ok) throw new Error(`it answered ${response.status}`);
			const games = v.parse(Listed, await response.json());
			this.#games.set(
				provider.id,
				games.map(({ enabled, ...game }) => ({ ...game, provider, isEnabled: enabled })),
			);
			return true;
		} catch (error) {
			const rests = before.some(({ isEnabled }) => isEnabled) || before.length === 0;
			if (rests && !this.#stopping.signal.aborted)
				this.#log.warn({ err: error, provider: provider.id }, 'a game provider does not answer: its games rest');
			this.#games.set(
				provider.id,
				before.map((game) => ({ ...game, isEnabled: false })),
			);
			return false;
		}
	}
}
