/**
 * The operator's rules of games: whether they are open on a brand and on all brands, and how much a player may stake in
 * a round. In memory for each stake, in the database for the next start.
 */
import type pg from 'pg';
import { limitIn } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

/** In place of a host. */
export const ALL_BRANDS = '';

export interface GameRule {
	/** The host; empty for all brands. */
	brand: string;
	game: string;
	isOpen: boolean;
	/** Of a player in a round, minor units of the brand's currency, or of the home currency; null without a limit of its own. */
	maxStake: AnyMinor | null;
}

const keyOf = (brand: string, game: string): string => `${brand} ${game}`;

export class GameRules {
	readonly #db: pg.Pool;
	readonly #rules = new Map<string, GameRule>();

	private constructor(db: pg.Pool) {
		this.#db = db;
	}

	static async open(db: pg.Pool): Promise<GameRules> {
		const rules = new GameRules(db);
		const { rows } = await db.query<GameRule>(
			'select brand, game, is_open as "isOpen", max_stake as "maxStake" from game_rule',
		);
		for (const row of rows) rules.#keep(row);
		return rules;
	}

	/** Of all brands and games that have one. */
	all(): GameRule[] {
		return [...this.#rules.values()];
	}

	/** What holds for a game on a brand of a currency. A limit for all brands is in the home currency, and scaled. */
	of(brand: string, game: string, currency: Currency): Pick<GameRule, 'isOpen' | 'maxStake'> {
		const [ofAll, own] = [ALL_BRANDS, brand].map((where) => this.#rules.get(keyOf(where, game)));
		const rules = [ofAll, own].filter((rule) => rule !== undefined);
		const most = ofAll?.maxStake ?? null;
		const limits = [most === null ? null : limitIn(currency, most), own?.maxStake ?? null].filter(
			(one) => one !== null,
		);
		return {
			isOpen: rules.every(({ isOpen }) => isOpen),
			maxStake: limits.length === 0 ? null : Math.min(...limits),
		};
	}

	/** @throws Refused GAME_RESTS for a closed game */
	admitRound(brand: string, game: string): void {
		if (!this.of(brand, game, HOME_CURRENCY).isOpen) throw new Refused('GAME_RESTS');
	}

	/**
	 * A round that the player has begun is finished, so only its first stake needs an open game.
	 * @param added the stake; @param inRound the player's whole stake in the round, this one included
	 * @throws Refused GAME_RESTS, STAKE_TOO_LARGE
	 */
	admitStake(
		{ host, currency }: { host: string; currency: Currency },
		game: string,
		{ added, inRound }: { added: AnyMinor; inRound: AnyMinor },
	): void {
		if (inRound === added) this.admitRound(host, game);
		const { maxStake } = this.of(host, game, currency);
		if (maxStake !== null && inRound > maxStake)
			throw new Refused('STAKE_TOO_LARGE', { most: majorFromMinor(maxStake) });
	}

	/** Holds for each stake that is ordered from then on. */
	async set(rule: GameRule): Promise<void> {
		const { brand, game, isOpen, maxStake } = rule;
		await this.#db.query(
			`insert into game_rule (brand, game, is_open, max_stake) values ($1, $2, $3, $4)
			 on conflict (brand, game) do update set is_open = excluded.is_open, max_stake = excluded.max_stake`,
			[brand, game, isOpen, maxStake],
		);
		this.#keep(rule);
	}

	#keep(rule: GameRule): void {
		this.#rules.set(keyOf(rule.brand, rule.game), rule);
	}
}
