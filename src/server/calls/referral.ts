import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { workflowId } from '#server/calls/payment.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { reasonForReferrer } from '#server/money/funds/bonuses/referrals.ts';
import { majorFromMinor } from '#values/money.ts';

type View = ResultOf<Calls['claimReferral']>;

function view(workflow: Workflow<'REFERRAL'>): View {
	const { friend, amount, reason } = workflow.data;
	return {
		id: String(workflow.id),
		friend,
		status: workflow.state as View['status'],
		joinedAt: isoTime(workflow.openedAtMs),
		reward: majorFromMinor(amount),
		canClaim: workflow.state === 'QUALIFIED',
		note: reasonForReferrer(reason),
	};
}

export const referralHandlers = ({
	funds,
}: Parts): HandlersOf<'getReferrerCode' | 'getReferralDetails' | 'claimReferral'> => ({
	getReferrerCode: (_, caller) => {
		const { brand } = caller.visitor;
		const { reward, minDeposit, minWagered, maturityHours, cap } = brand.setting.referral;
		const { playerId } = playerOf(caller);
		funds.protection.admit(playerId, 'REFERRAL_CODE');
		const code = funds.referrals.codeOf(playerId);
		const link = `https://${brand.host}/?ref=${code}`;
		return { code, link, reward, minDeposit, minWagered, maturityHours, cap };
	},
	getReferralDetails: async ({ maxResultCount, skipCount }, caller) => {
		const { playerId } = playerOf(caller);
		const linked = (await funds.referrals.of(playerId)).filter(({ state }) => state === 'LINKED');
		for (const { id } of linked.slice(0, maxResultCount)) await funds.referrals.advance(id);
		const referrals = await funds.referrals.of(playerId);
		return {
			totalCount: referrals.length,
			items: referrals.slice(skipCount, skipCount + maxResultCount).map(view),
		};
	},
	claimReferral: async ({ userReferDetailId }, caller) =>
		view(await funds.referrals.claim(playerOf(caller).playerId, workflowId(userReferDetailId))),
});
