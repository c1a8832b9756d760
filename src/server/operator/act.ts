/** What an act of the operators is, and the parts of the server that acts use. */
import type pg from 'pg';
import * as v from 'valibot';
import type { Brands } from '#server/brands/brands.ts';
import type { Journal } from '#server/db/journal.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import type { Funds } from '#server/funds/open-funds.ts';
import type { Markets } from '#server/markets/markets.ts';
import type { Outbox } from '#server/players/outbox.ts';
import type { Players } from '#server/players/players.ts';
import type { SportPermissions } from '#server/players/sport-permissions.ts';

export interface OperatorOptions {
	exchange: Exchange;
	funds: Funds;
	fixtures: Fixtures;
	markets: Markets;
	players: Players;
	outbox: Outbox;
	sports: SportPermissions;
	brands: Brands;
	db: pg.Pool;
	journal: Journal;
	operatorKey: string;
}

/** The operator's name, "unnamed" without one, and address. */
export interface Actor {
	actor: string;
	address: string;
}

/** One act: its input and what it does. */
export interface Act<S extends v.GenericSchema = v.GenericSchema> {
	input: S;
	run: (input: v.InferOutput<S>, parts: OperatorOptions, by: Actor) => Promise<unknown> | unknown;
	/** An act that only reads is not recorded. */
	looks?: true;
}

/** Declares an act; the function exists to infer the type of its input. */
export const act = <S extends v.GenericSchema>(definition: Act<S>): Act => definition as unknown as Act;

/** A player's name as the player chose it, in any script; it is looked up, not validated. */
export const PlayerName = v.pipe(v.string(), v.minLength(1, 'Name a player.'), v.maxLength(256));

/** The host of the player's brand. */
export const Host = v.optional(v.pipe(v.string(), v.maxLength(253)), 'localhost');
