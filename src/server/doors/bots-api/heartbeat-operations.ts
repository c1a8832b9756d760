/** The operation of bots that want their unmatched bets cancelled when they fall silent. */
import * as v from 'valibot';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import { LEAST_TIMEOUT, MOST_TIMEOUT } from '#server/doors/bots-api/heartbeats.ts';
import { Numeric, operation } from '#server/doors/bots-api/operation.ts';

/** Seconds; 0 ends the watch. Times that are too short or too long are brought within the limits, as the service does. */
const timeoutOf = (preferred: number): number =>
	preferred === 0 ? 0 : Math.min(MOST_TIMEOUT, Math.max(LEAST_TIMEOUT, preferred));

export const HEARTBEAT_OPERATIONS = {
	heartbeat: operation({
		request: v.object({ preferredTimeoutSeconds: v.pipe(Numeric, v.safeInteger()) }),
		trades: true,
		run: async ({ heartbeats }, { preferredTimeoutSeconds }, { login }) => {
			if (preferredTimeoutSeconds < 0) throw new ApingException('INVALID_INPUT_DATA', 'preferredTimeoutSeconds');
			const actualTimeoutSeconds = timeoutOf(preferredTimeoutSeconds);
			const seconds = actualTimeoutSeconds === 0 ? null : actualTimeoutSeconds;
			return { actionPerformed: await heartbeats.beat(login.playerId, seconds), actualTimeoutSeconds };
		},
	}),
};
