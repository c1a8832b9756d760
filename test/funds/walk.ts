/** What one walk has and knows. */
import type { CallName } from '#contract/registry.ts';
import type { SeededNumbers } from '../reference/random-commands.ts';
import type { Answer, Login, Walker } from './walk-server.ts';

/** A request that a player repeats until it is answered. */
export interface Asked {
	name: CallName;
	input: object;
	login: Login;
}

export interface Walk {
	numbers: SeededNumbers;
	seed: number;
	/** Of its group. */
	campaign: string;
	walkers: readonly Walker[];
	/** Base64, of the walks beside it, too. */
	picture: string;
	/** Of its group. */
	marketId: string;
	/** Workflows that were answered, and the amount that was asked for. */
	known: { kind: string; id: number; amount?: number }[];
	/** Each request that moves money, with its id once it is known. */
	asked: Map<string, Asked & { id: string | null }>;
}

export const idIn = ({ result }: Answer): string | null =>
	(result?.['orderId'] ?? result?.['betId'] ?? result?.['id'] ?? null) as string | null;

/** The workflow of the next act: mostly a late one, which more rows of its machine allow. */
export function knownTo({ numbers, known }: Walk): Walk['known'][number] {
	if (known.length === 0) return { kind: 'FINDING', id: 1 };
	return numbers.from(numbers.chance(70) ? known.slice(-8) : known);
}

/** One of a few, so that one comes for several orders. */
export const utrOf = ({ numbers, seed }: Walk): string =>
	String(100_000_000_000 + (seed % 1_000_000) * 10 + numbers.below(6));
