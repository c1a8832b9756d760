/** What the calls ask of players' accounts and logins. */
import type * as v from 'valibot';
import type { LoginResult, StakePreset, User } from '#contract/calls/account.ts';
import type { Login, Logins } from '#server/accounts/logins.ts';
import type { Brand } from '#server/brands/brands.ts';
import type { Pool } from '#values/pools.ts';

/** Whoever makes a request: on which brand, from which address. */
export interface Visitor {
	brand: Brand;
	address: string;
}

export interface Tokens {
	accessToken: string;
	refreshToken: string;
	expireInSeconds: number;
}

export type LoginAnswer = v.InferOutput<typeof LoginResult>;
export type UserView = v.InferOutput<typeof User>;
export type Preset = v.InferOutput<typeof StakePreset>;

export interface Accounts extends Logins {
	/** @throws Refused WRONG_CREDENTIALS, the same and as late for an unknown name as for a wrong password */
	authenticate(input: { userNameOrEmailAddress: string; password: string }, visitor: Visitor): Promise<LoginAnswer>;
	/** A fresh demo player with a play balance of its own. */
	loginAsDemoUser(visitor: Visitor): Promise<LoginAnswer>;
	/** @throws Refused LOGIN_EXPIRED; a token used before ends the whole login */
	refresh(refreshToken: string, visitor: Visitor): Promise<Tokens>;
	logout(login: Login): Promise<void>;
	user(playerId: number): UserView;
	setStakes(playerId: number, stakes: Preset[]): Promise<Preset[]>;
	/** @throws Refused NAME_TAKEN */
	createPlayer(input: {
		userName: string;
		password: string;
		brand: Pick<Brand, 'host' | 'pool'>;
		pool?: Pool;
	}): Promise<{ playerId: number; pool: Pool }>;
	/** The player of that name on a brand, or null. */
	findPlayer(userName: string, brandHost: string): { playerId: number; pool: Pool } | null;
}
