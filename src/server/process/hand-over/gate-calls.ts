/** Calls of players at the gate: answered in this process, or by the successor. */
import { CALLS } from '#contract/registry.ts';
import type { AnswerCall } from '#server/calls/checked-call.ts';
import type { Gate } from '#server/process/hand-over/gate.ts';

/** A call without an upload, with the server's data about it. */
const CALL_BYTES = 16 * 1024;

/** @param passTo answers in the process at an address */
export const gateCalls =
	(gate: Gate, here: AnswerCall, passTo: (address: string) => AnswerCall): AnswerCall =>
	(call) => {
		const { changesState, largestBody } = CALLS[call.name];
		return gate.do({
			changes: changesState,
			untilMs: call.untilMs,
			bytes: largestBody ?? CALL_BYTES,
			here: () => here(call),
			there: (address) => passTo(address)(call),
		});
	};
