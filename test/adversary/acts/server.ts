/** The server ends and begins again on the same database. */
import type { Acts } from '../step.ts';

export const SERVER: Acts = {
	restart: {
		weight: 0.02,
		run: async (world) => {
			world.touchesAll = true;
			await world.site.restart();
		},
	},
};
