/** A player as the server knows one, and how names of players are compared. */
import type * as v from 'valibot';
import type { StakePreset } from '#contract/calls/account.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

export type Preset = v.InferOutput<typeof StakePreset>;

export interface Player {
	playerId: PlayerId;
	brand: string;
	userName: string;
	passwordHash: string | null;
	isDemo: boolean;
	pool: Pool;
	stakes: Preset[] | null;
}

/** The names of demo players, which no other player may have. */
export const DEMO_PREFIX = 'demo-';

/** The form in which names are compared: one width, one case, so that no two players of a brand look alike. */
export const nameKey = (userName: string): string =>
	userName.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC');
