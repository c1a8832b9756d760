/** Acts on proposals. */
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { type Act, act } from '#server/operators/act.ts';
import { Proposals } from '#server/operators/proposals.ts';

/** @param acts that may be proposed */
export function proposalActs(acts: Readonly<Record<string, Act>>): Record<string, Act> {
	const proposals = new Proposals(acts);
	return {
		preview: act({ ...OPERATOR_CALLS.preview, run: (asked, parts, by) => proposals.preview(asked, parts, by) }),
		propose: act({ ...OPERATOR_CALLS.propose, run: (asked, parts, by) => proposals.propose(asked, parts, by) }),
		confirm: act({
			...OPERATOR_CALLS.confirm,
			run: ({ proposalId }, parts, by) => proposals.confirm(proposalId, parts, by),
		}),
		withdraw: act({
			...OPERATOR_CALLS.withdraw,
			run: ({ proposalId }, parts, by) => proposals.withdraw(proposalId, parts, by),
		}),
		proposals: act({ ...OPERATOR_CALLS.proposals, run: (asked, parts, by) => proposals.list(asked, parts, by) }),
	};
}
