/** The rules of our own games in the public log, and each later version of them. */
import { GAMES } from '#games/all-games.ts';
import { descriptionOf } from '#games/game-description.ts';
import { type Leaf, type LeafSource, leafText, newestLeaves } from '#server/platform/public-log/leaf-source.ts';

const rulesLeaves = (): Leaf[] =>
	GAMES.map((game) => ({ type: 'rules', ref: game.code, body: { game: descriptionOf(game) } }));

/** They change with a release alone, so they are compared until the log has them. */
export function rulesSource(): LeafSource<null> {
	let isLogged = false;
	return {
		name: 'rules',
		waiting: 'false',
		isWaiting: () => !isLogged,
		take: async (client) => {
			if (isLogged) return { leaves: [], cursor: null };
			const present = rulesLeaves();
			const newest = await newestLeaves(
				client,
				'rules',
				present.map(({ ref }) => `${ref}`),
			);
			const leaves = present.filter((leaf) => newest.get(`${leaf.ref}`) !== leafText(leaf));
			isLogged = leaves.length === 0;
			return { leaves, cursor: null };
		},
	};
}
