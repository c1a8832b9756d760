/** Acts on proposals. */
import type { Act, ActsOf } from '#server/operators/act.ts';
import { Proposals } from '#server/operators/proposals.ts';

export type ProposalName = 'preview' | 'propose' | 'confirm' | 'withdraw' | 'proposals';

/** @param proposable by name */
export function proposalActs(proposable: ReadonlyMap<string, Act>): ActsOf<ProposalName> {
	const proposals = new Proposals(proposable);
	return {
		preview: (asked, parts, by) => proposals.preview(asked, parts, by),
		propose: (asked, parts, by) => proposals.propose(asked, parts, by),
		confirm: ({ proposalId }, parts, by) => proposals.confirm(proposalId, parts, by),
		withdraw: ({ proposalId }, parts, by) => proposals.withdraw(proposalId, parts, by),
		proposals: (asked, parts, by) => proposals.list(asked, parts, by),
	};
}
