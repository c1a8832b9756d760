/** Acts on campaigns: what they have given, what a draft would give, and drawing one up. */
import * as v from 'valibot';
import { Campaign } from '#contract/domain-setting.ts';
import { Host } from '#contract/operators/fields.ts';
import type { Brand } from '#server/brands/brands.ts';
import { type Act, act, type OperatorOptions } from '#server/operator/act.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromPaise } from '#values/money.ts';

/** A dry run asks for each player; it stops after so many. */
const MOST_SURVEYED = 2_000;

function brandOf({ brands }: OperatorOptions, host: string): Brand {
	const brand = brands.byHost(host);
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}

/** The brand's campaigns with the draft in the place of the one of its name, or at the end. */
const withDraft = ({ setting }: Brand, draft: Campaign): Campaign[] => [
	...setting.campaigns.filter(({ id }) => id !== draft.id),
	draft,
];

export const CAMPAIGN_ACTS: Record<string, Act> = {
	campaigns: act({
		permission: 'bonuses.read',
		about: 'brand',
		input: v.strictObject({ host: Host }),
		run: async ({ host }, parts) => {
			const { setting } = brandOf(parts, host);
			const given = await parts.funds.bonuses.givenBy(host);
			return setting.campaigns.map((campaign) => ({
				...campaign,
				given: Object.fromEntries(
					(given.get(campaign.id) ?? []).map(({ state, paise }) => [state, majorFromPaise(paise)]),
				),
			}));
		},
		looks: true,
	}),
	'campaign-dry-run': act({
		permission: 'bonuses.read',
		about: 'brand',
		input: v.strictObject({ host: Host, campaign: Campaign }),
		run: async ({ host, campaign }, parts) => {
			const brand = brandOf(parts, host);
			const setting = { ...brand.setting, campaigns: [campaign] };
			const playerIds = await parts.funds.bonuses.playersOf(host, MOST_SURVEYED);
			let [players, paise] = [0, 0];
			for (const playerId of playerIds) {
				const [offer] = await parts.funds.bonuses.offers({ playerId, isDemo: false, setting });
				if (!offer || offer.refusal !== null) continue;
				players++;
				paise += offer.amount;
			}
			const cost = Math.min(majorFromPaise(paise), campaign.budget);
			return { id: campaign.id, surveyed: playerIds.length, players, cost, budget: campaign.budget };
		},
		looks: true,
	}),
	'campaign-draw-up': act({
		permission: 'bonuses.edit',
		about: 'brand',
		input: v.strictObject({ host: Host, campaign: Campaign }),
		run: async ({ host, campaign }, parts) => {
			const campaigns = withDraft(brandOf(parts, host), campaign);
			await parts.brands.change(host, 'campaigns', JSON.stringify(campaigns));
			return { host, campaigns: campaigns.map(({ id }) => id) };
		},
	}),
	'campaign-stop': act({
		permission: 'bonuses.edit',
		about: 'brand',
		input: v.strictObject({ host: Host, id: v.pipe(v.string(), v.maxLength(40)) }),
		run: async ({ host, id }, parts) => {
			const { campaigns } = brandOf(parts, host).setting;
			if (!campaigns.some((campaign) => campaign.id === id)) throw new Refused('NOT_FOUND');
			const left = campaigns.filter((campaign) => campaign.id !== id);
			await parts.brands.change(host, 'campaigns', JSON.stringify(left));
			return { host, campaigns: left.map((campaign) => campaign.id) };
		},
	}),
};
