import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { depositorOf } from '#server/calls/payment.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { type Offer, requiredFor, weightsOf } from '#server/money/funds/bonuses/bonuses.ts';
import { majorFromMinor } from '#values/money.ts';

type View = ResultOf<Calls['claimBonus']>;

const NOTES = {
	NO_DEPOSIT: 'Make a deposit first.',
	NO_LOSS: 'Nothing was lost in the last period.',
	BONUS_ACTIVE: 'Another bonus is still being wagered.',
	BUDGET_SPENT: 'This bonus has been given out.',
} as const;

const offerView = ({ campaign, amount, refusal }: Offer): View => ({
	id: campaign.id,
	title: campaign.title,
	terms: campaign.terms,
	kind: campaign.kind,
	amount: majorFromMinor(amount),
	status: 'OFFERED',
	wageringRequired: majorFromMinor(requiredFor(campaign, amount)),
	wageringDone: 0,
	sportsWeight: campaign.sportsWeight,
	casinoWeight: campaign.casinoWeight,
	expiresAt: campaign.until,
	note: refusal === null ? '' : NOTES[refusal],
});

async function grantView({ funds }: Parts, workflow: Workflow<'BONUS'>): Promise<View> {
	const { title, terms, bonusKind, amount, required, expiresAtMs } = workflow.data;
	const done = workflow.state === 'ACTIVE' ? Math.min(required, await funds.bonuses.wagered(workflow)) : 0;
	return {
		id: String(workflow.id),
		title,
		terms,
		kind: bonusKind,
		amount: majorFromMinor(amount),
		status: workflow.state as View['status'],
		wageringRequired: majorFromMinor(required),
		wageringDone: majorFromMinor(workflow.state === 'RELEASED' ? required : done),
		...weightsOf(workflow),
		expiresAt: isoTime(expiresAtMs),
		note: '',
	};
}

export const bonusHandlers = (parts: Parts): HandlersOf<'getBonuses' | 'claimBonus'> => ({
	getBonuses: async (_, caller) => {
		const { bonuses } = parts.funds;
		const grants = await bonuses.grants(playerOf(caller).playerId);
		const offers = await bonuses.offers(depositorOf(caller), grants);
		return [...offers.map(offerView), ...(await Promise.all(grants.map((grant) => grantView(parts, grant))))];
	},
	claimBonus: async ({ id }, caller) => {
		const player = depositorOf(caller);
		parts.funds.realMoney.admit(player.playerId, caller.visitor.country ?? null);
		return await grantView(parts, await parts.funds.bonuses.claim(player, id));
	},
});
