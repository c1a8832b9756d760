/**
 * Since when each game of the house is live with the rules and the pay table that it has: GLI-19, 2.8.3. They change with
 * a release alone; the first process of a release that offers others enters that in the journal.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { GAMES } from '#games/all-games.ts';
import type { Fraction } from '#games/fraction.ts';
import type { Game } from '#games/game.ts';
import { descriptionOf } from '#games/game-description.ts';
import { sha256 } from '#server/platform/keys/sha256.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { canonicalJson } from '#values/canonical-json.ts';

/** The act's name in the journal. */
const GAMES_LIVE = 'games-live';
const AGAIN_MS = 1_000;

/** SHA-256 in hexadecimal digits by the code of a game. */
type Digests = Readonly<Record<string, string>>;

const exact = ({ numerator, denominator }: Fraction): string => `${numerator}/${denominator}`;

/** Of all that decides what a game pays and says: the description, and each bet with its prizes and chances. */
export function digestOfGame(game: Game): string {
	const bets = game.bets.map(({ code, prizes }) => ({
		code,
		prizes: prizes.map(({ pays, chance }) => [exact(pays), exact(chance)]),
	}));
	return sha256(Buffer.from(canonicalJson({ ...descriptionOf(game), bets }))).toString('hex');
}

let ofRelease: Digests | null = null;

/** Worked out once in a process. */
const digestsOfRelease = (): Digests => {
	ofRelease ??= Object.fromEntries(GAMES.map((game) => [game.code, digestOfGame(game)]));
	return ofRelease;
};

interface LiveGamesOptions {
	db: Pick<pg.Pool, 'query'>;
	journal: Pick<Journal, 'write'>;
	/** Names this process. */
	process: string;
	log: Pick<Logger, 'warn'>;
	/** Those of this release. */
	digests?: Digests;
}

export class LiveGames {
	readonly #options: LiveGamesOptions;
	readonly #digests: Digests;
	#since = new Map<string, number>();
	#noting: Promise<void> = Promise.resolve();
	readonly #stopping = new AbortController();

	constructor(options: LiveGamesOptions) {
		this.#options = options;
		this.#digests = options.digests ?? digestsOfRelease();
	}

	start(): void {
		this.#noting = this.#noteSurely();
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#noting;
	}

	/** Wall clock; null for another provider's game, and until the journal has it. */
	since(game: string): number | null {
		return this.#since.get(game) ?? null;
	}

	async #noteSurely(): Promise<void> {
		const { signal } = this.#stopping;
		while (!signal.aborted) {
			try {
				await this.#note();
				return;
			} catch (error) {
				this.#options.log.warn({ err: error }, 'the journal does not say yet since when games are live');
				await delay(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
			}
		}
	}

	async #note(): Promise<void> {
		const before = await this.#read();
		const changed = Object.keys(this.#digests).filter((code) => before[code] !== this.#digests[code]);
		if (changed.length === 0) return;
		const { journal, process: actor } = this.#options;
		const of = (digests: Digests) => Object.fromEntries(changed.map((code) => [code, digests[code] ?? null]));
		const act = { actor, address: null, act: GAMES_LIVE, subject: 'games of the house' };
		await journal.write({ ...act, details: { games: changed }, before: of(before), after: of(this.#digests) });
		await this.#read();
	}

	/** @returns the newest digest of each game that the journal has */
	async #read(): Promise<Digests> {
		const { rows } = await this.#options.db.query<{ at: number; after: Digests }>(
			'select at, after from journal where act = $1 order by seq',
			[GAMES_LIVE],
		);
		const newest: Record<string, string> = {};
		const since = new Map<string, number>();
		for (const { at, after } of rows)
			for (const [code, digest] of Object.entries(after)) {
				newest[code] = digest;
				since.set(code, at);
			}
		this.#since = since;
		return newest;
	}
}
