/** What an act of the operators is, and what acts stand on. */
import type pg from 'pg';
import * as v from 'valibot';
import type { Accounts } from '#server/accounts/accounts.ts';
import type { Outbox } from '#server/accounts/outbox.ts';
import type { SportPermissions } from '#server/accounts/sport-permissions.ts';
import type { Brands } from '#server/brands/brands.ts';
import type { Journal } from '#server/db/journal.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Fixture, Fixtures, MarketListing } from '#server/fixtures/fixtures.ts';

/** What an operator says of a market; what he leaves out is as the feeds have it. */
export type OperatorMarket = Pick<MarketListing, 'name' | 'type' | 'runners' | 'betDelaySeconds' | 'rules'> &
	Partial<
		Pick<
			MarketListing,
			'places' | 'eachWayDivisor' | 'handicapQuarters' | 'lineRange' | 'commissionBp' | 'minStake' | 'maxStake'
		>
	>;

export interface OperatorOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	accounts: Accounts;
	outbox: Outbox;
	sports: SportPermissions;
	brands: Brands;
	pool: pg.Pool;
	journal: Journal;
	operatorKey: string;
	/** Ends every open market of a fixture by its kind's rule for play that stops early. */
	abandon(fixture: Fixture): Promise<void>;
	/** Lists and opens a market, in-play when its fixture is. */
	openMarket(fixture: Fixture, market: OperatorMarket): Promise<MarketListing>;
}

/** One act: what it takes and what it does. */
export interface Act<S extends v.GenericSchema = v.GenericSchema> {
	input: S;
	run: (input: v.InferOutput<S>, parts: OperatorOptions) => Promise<unknown> | unknown;
	/** An act that only looks is not written down. */
	looks?: true;
}

/** Declares an act; exists so that its input is typed. */
export const act = <S extends v.GenericSchema>(definition: Act<S>): Act => definition as unknown as Act;

/** A player's name as the player chose it, in any script: it is looked up, not judged. */
export const PlayerName = v.pipe(v.string(), v.minLength(1, 'Name a player.'), v.maxLength(256));

/** The host whose player is meant. */
export const Host = v.optional(v.pipe(v.string(), v.maxLength(253)), 'localhost');
