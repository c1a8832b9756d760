/** Acts on proposals. */
import type { ActsOf } from '#server/operators/act.ts';
import type { Proposals } from '#server/operators/proposals.ts';

export type ProposalName = 'preview' | 'propose' | 'confirm' | 'withdraw' | 'proposals';

export function proposalActs(proposals: Proposals): ActsOf<ProposalName> {
	return {
		preview: (asked, parts, by) => proposals.preview(asked, parts, by),
		propose: (asked, parts, by) => proposals.propose(asked, parts, by),
		confirm: ({ proposalId }, parts, by) => proposals.confirm(proposalId, parts, by),
		withdraw: ({ proposalId }, parts, by) => proposals.withdraw(proposalId, parts, by),
		proposals: (asked, parts, by) => proposals.list(asked, parts, by),
	};
}
