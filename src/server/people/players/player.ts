/** A player as the server knows one. */
import type * as v from 'valibot';
import type { StakePreset } from '#contract/calls/account.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Language } from '#values/languages.ts';
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
	/** Null until one is chosen. */
	language: Language | null;
}

/** The names of demo players, reserved for them. */
export const DEMO_PREFIX = 'demo-';
