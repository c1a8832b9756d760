/**
 * Announced pairs of seeds in the public log: the commitment alone, which names no player. Its player finds it by the
 * commitment that the browser noted.
 */
import { type Leaf, type LeafSource, MOST_AT_ONCE } from '#server/platform/public-log/leaf-source.ts';

export const pairLeaf = ({ commitment }: { commitment: string }): Leaf => ({
	type: 'pair',
	ref: commitment,
	body: { commitment },
});

const UNLOGGED = 'not is_logged and rule = 2';

/** Rows that another statement holds come later. */
export const pairLeaves: LeafSource<null> = {
	name: 'pair',
	waiting: `exists (select from game_seed_pair where ${UNLOGGED})`,
	take: async (client) => {
		const { rows } = await client.query<{ commitment: string }>(
			`update game_seed_pair set is_logged = true where (wallet_id, number) in (
				select wallet_id, number from game_seed_pair where ${UNLOGGED}
				order by wallet_id, number limit ${MOST_AT_ONCE} for update skip locked
			) returning commitment`,
		);
		// The order of the rows would tell which pairs are one player's.
		return {
			leaves: rows.map(pairLeaf).sort((one, other) => `${one.ref}`.localeCompare(`${other.ref}`)),
			cursor: null,
		};
	},
};
