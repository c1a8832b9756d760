/** Acts on campaigns: their grants so far, the effect of a draft, and creating one. */
import type { Campaign } from '#contract/domain-setting.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';

/** The limit of players that a dry run evaluates. */
const MOST_SURVEYED = 2_000;

function brandOf({ brands }: OperatorOptions, host: string): Brand {
	const brand = brands.byHost(host);
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}

/** The brand's campaigns with the draft replacing the one of its name, or appended. */
const withDraft = ({ setting }: Brand, draft: Campaign): Campaign[] => [
	...setting.campaigns.filter(({ id }) => id !== draft.id),
	draft,
];

/**
 * Campaigns are one field: those of a setting that another act is changing would bring back what it stops.
 * @throws Refused WRONG_STATE if the setting has moved on
 */
async function setCampaigns({ brands }: OperatorOptions, { host, setting }: Brand, campaigns: readonly Campaign[]) {
	await brands.change(host, [{ field: 'campaigns', value: JSON.stringify(campaigns) }], setting.version);
	return { host, campaigns: campaigns.map(({ id }) => id) };
}

/** The players that a campaign would be offered to today, and its cost, within its budget. */
async function dryRun(parts: OperatorOptions, host: string, campaign: Campaign) {
	const brand = brandOf(parts, host);
	const setting = { ...brand.setting, campaigns: [campaign] };
	const playerIds = await parts.funds.bonuses.playersOf(host, MOST_SURVEYED);
	let [players, minor] = [0, 0];
	for (const playerId of playerIds) {
		const { bonuses } = parts.funds;
		const [offer] = await bonuses.offers({ playerId, setting }, await bonuses.grants(playerId));
		if (!offer || offer.refusal !== null) continue;
		players++;
		minor += offer.amount;
	}
	const cost = Math.min(majorFromMinor(minor), campaign.budget);
	return { id: campaign.id, surveyed: playerIds.length, players, cost, budget: campaign.budget };
}

export const CAMPAIGN_ACTS: ActsOf<'campaigns' | 'campaign-dry-run' | 'campaign-draw-up' | 'campaign-stop'> = {
	campaigns: async ({ host }, parts) => {
		const { setting } = brandOf(parts, host);
		const given = await parts.funds.bonuses.givenBy(host);
		return setting.campaigns.map((campaign) => ({
			...campaign,
			given: Object.fromEntries(
				(given.get(campaign.id) ?? []).map(({ state, minor }) => [state, majorFromMinor(minor)]),
			),
		}));
	},
	'campaign-dry-run': ({ host, campaign }, parts) => dryRun(parts, host, campaign),
	'campaign-draw-up': async ({ host, campaign }, parts) => {
		const brand = brandOf(parts, host);
		return await setCampaigns(parts, brand, withDraft(brand, campaign));
	},
	'campaign-stop': async ({ host, id }, parts) => {
		const brand = brandOf(parts, host);
		const { campaigns } = brand.setting;
		if (!campaigns.some((campaign) => campaign.id === id)) throw new Refused('NOT_FOUND');
		return await setCampaigns(
			parts,
			brand,
			campaigns.filter((campaign) => campaign.id !== id),
		);
	},
};

export const CAMPAIGN_PREVIEWS: PreviewsOf<'campaign-draw-up'> = {
	'campaign-draw-up': {
		preview: async ({ host, campaign }, parts) => {
			const { campaigns } = brandOf(parts, host).setting;
			const before = campaigns.find(({ id }) => id === campaign.id);
			const { surveyed, players, cost } = await dryRun(parts, host, campaign);
			const summary = [
				before ? `The campaign ${campaign.id} of ${host} is replaced.` : `${host} gets the campaign ${campaign.id}.`,
				`“${campaign.title}”: ${campaign.kind.replaceAll('_', ' ').toLowerCase()} of ${campaign.amount}, budget ${campaign.budget}.`,
				`Today it would be offered to ${players} of ${surveyed} players and cost up to ${cost}.`,
			];
			// Players change while it is pending; the confirmation covers the campaign among the existing ones.
			return { summary, lines: [], total: 0, sums: [], basis: JSON.stringify([campaigns, campaign]) };
		},
		isDone: ({ host, campaign }, parts) =>
			brandOf(parts, host).setting.campaigns.some((one) => canonicalJson(one) === canonicalJson(campaign)),
	},
};
