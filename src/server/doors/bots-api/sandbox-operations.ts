/** Operations of the sandbox: a recording in step mode, whose time waits for the bot. */
import * as v from 'valibot';
import { given, operation, Whole } from '#server/doors/bots-api/operation.ts';

export const SANDBOX_OPERATIONS = {
	/**
	 * Lets recorded time go on to the next message, or by `byMs`. With `afterMs`, the clock of the answer before, a repeated
	 * call moves nothing. A server whose time runs by itself has no clock to answer.
	 */
	continue: operation({
		request: v.object({ afterMs: given(Whole), byMs: given(Whole) }),
		trades: true,
		run: async ({ markets }, { afterMs, byMs }) => {
			const stepped = await markets.step({ afterMs: afterMs ?? null, byMs: byMs ?? null });
			return stepped ?? { elapsedMs: null, isEnded: true };
		},
	}),
};
