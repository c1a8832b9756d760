/** Bonuses: campaigns of the domain offer them, a claim locks them, and enough wagering releases them. */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { storedWorkflows } from '#server/exchange/stored-workflows.ts';
import type { StepRequest, Workflow } from '#server/exchange/workflow.ts';
import { wageredSince } from '#server/funds/bonuses/wagered.ts';
import type { FundsLedger } from '#server/funds/funds-ledger.ts';
import { stepOf } from '#server/funds/machine.ts';
import { BONUS } from '#server/funds/machines/bonus.ts';
import type { Depositor } from '#server/funds/payments/payments.ts';
import type { Protection } from '#server/funds/protection/protection.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

const PAISE = 100;
const DAY_MS = 86_400_000;

export type Campaign = DomainSetting['campaigns'][number];

/** The data of a grant's workflow. Amounts are paise. */
export interface BonusData {
	campaign: string;
	title: string;
	terms: string;
	bonusKind: Campaign['kind'];
	amount: AnyPaise;
	required: number;
	expiresAtMs: number;
}
export const bonusData = (workflow: Workflow): BonusData => workflow.data as unknown as BonusData;

export interface Offer {
	campaign: Campaign;
	/** Paise; zero while there is no deposit to match. */
	amount: AnyPaise;
	/** Null when it can be claimed. */
	refusal: 'NO_DEPOSIT' | 'BONUS_ACTIVE' | 'BUDGET_SPENT' | null;
	/** The deposit that it matches. */
	depositId: string | null;
}

export interface BonusesOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'wallet'>;
	db: pg.Pool;
	protection: Protection;
	clock: () => number;
}

export class Bonuses {
	readonly #options: BonusesOptions;

	constructor(options: BonusesOptions) {
		this.#options = options;
	}

	/** The player's grants, newest first. */
	async grants(playerId: PlayerId): Promise<Workflow[]> {
		return (await storedWorkflows(this.#options.db, `kind = 'BONUS' and wallet_id = $1`, [playerId])).reverse();
	}

	/** Paise wagered for a grant. */
	async wagered({ walletId, openedAtMs }: Workflow): Promise<number> {
		return await wageredSince(this.#options.db, walletId, openedAtMs);
	}

	/** Current campaigns that the player has not claimed. */
	async offers({ playerId, isDemo, setting }: Depositor): Promise<Offer[]> {
		if (isDemo) return [];
		const grants = await this.grants(playerId);
		const now = this.#options.clock();
		const running = setting.campaigns.filter(
			({ id, until }) =>
				(until === null || now < Date.parse(until)) && !grants.some((grant) => bonusData(grant).campaign === id),
		);
		return await Promise.all(running.map((campaign) => this.#offer(playerId, setting, campaign, grants)));
	}

	async #offer(
		playerId: PlayerId,
		setting: DomainSetting,
		campaign: Campaign,
		grants: readonly Workflow[],
	): Promise<Offer> {
		const deposit = campaign.kind === 'WELCOME' ? null : await this.#depositFor(playerId, campaign);
		const most = campaign.amount * PAISE;
		const matched = deposit ? Math.min(most, Math.floor((deposit.amount * campaign.percent) / 100)) : 0;
		const amount = campaign.kind === 'WELCOME' ? most : matched;
		const hasActive = grants.some(({ state }) => state === 'ACTIVE');
		const left = campaign.budget * PAISE - (await this.#spent(setting.domain, campaign.id));
		const refusal = amount === 0 ? 'NO_DEPOSIT' : hasActive ? 'BONUS_ACTIVE' : left < amount ? 'BUDGET_SPENT' : null;
		return { campaign, amount, refusal, depositId: deposit ? `${deposit.kind}:${deposit.id}` : null };
	}

	/** FIRST_DEPOSIT matches the player's first deposit, RELOAD the newest that no grant has matched. */
	async #depositFor(
		playerId: PlayerId,
		{ kind }: Campaign,
	): Promise<{ kind: string; id: number; amount: AnyPaise } | null> {
		const { rows } = await this.#options.db.query<{ kind: string; id: number; amount: AnyPaise; isTaken: boolean }>(
			`select kind, id, coalesce(data ->> 'paid', data ->> 'amount')::bigint as amount, exists (
			   select 1 from workflow_claim where name = 'bonus-deposit:' || workflow.kind || ':' || workflow.id
			 ) as "isTaken"
			 from workflow where wallet_id = $1 and (
			   kind = 'PAYMENT' and state in ('SUCCESS', 'CREDITED', 'WON') or kind = 'DEPOSIT' and state = 'APPROVED'
			 ) order by opened_at`,
			[playerId],
		);
		const deposit = kind === 'FIRST_DEPOSIT' ? rows[0] : rows.at(-1);
		return deposit && !deposit.isTaken ? deposit : null;
	}

	/** Paise that a campaign gave and did not take back. */
	async #spent(brand: string, campaign: string): Promise<number> {
		const { rows } = await this.#options.db.query<{ spent: number }>(
			`select coalesce(sum((data ->> 'amount')::bigint), 0)::bigint as spent from workflow
			 where kind = 'BONUS' and state in ('ACTIVE', 'RELEASED') and data ->> 'brand' = $1 and data ->> 'campaign' = $2`,
			[brand, campaign],
		);
		return rows[0]?.spent ?? 0;
	}

	/**
	 * Claims a bonus, once per player, person and deposit, while the campaign's budget lasts.
	 * @throws Refused NOT_FOUND, BONUS_NOT_CLAIMABLE with the reason, ALREADY_CLAIMED, those of Protection.admit
	 */
	async claim(player: Depositor, campaignId: string): Promise<Workflow> {
		const { ledger, protection } = this.#options;
		const { playerId, setting } = player;
		const take = async (): Promise<number> => {
			const offer = (await this.offers(player)).find(({ campaign }) => campaign.id === campaignId);
			if (!offer)
				throw new Refused(setting.campaigns.some(({ id }) => id === campaignId) ? 'ALREADY_CLAIMED' : 'NOT_FOUND');
			if (offer.refusal) throw new Refused('BONUS_NOT_CLAIMABLE', { reason: offer.refusal });
			return await this.#begin(player, offer);
		};
		protection.admit(playerId);
		const turn = `campaign ${setting.domain} ${campaignId}`;
		const id = await ledger.turns.take(turn, () => ledger.turns.take(`bonus of ${playerId}`, take));
		return await ledger.find('BONUS', id);
	}

	async #begin({ playerId, setting }: Depositor, { campaign, amount, depositId }: Offer): Promise<number> {
		const { ledger, exchange, db, protection, clock } = this.#options;
		const pool = exchange.wallet(playerId)?.pool;
		if (pool === undefined) throw new Refused('UNKNOWN_USER');
		const { id, title, terms, kind, wagering, days } = campaign;
		const data = {
			brand: setting.domain,
			campaign: id,
			title,
			terms,
			bonusKind: kind,
			amount,
			required: amount * wagering,
			expiresAtMs: clock() + days * DAY_MS,
		};
		const { rows } = await db.query<{ mobile: string | null }>('select mobile from player where player_id = $1', [
			playerId,
		]);
		const { mobile } = rows[0] ?? {};
		const claims = [
			`bonus:${setting.domain}:${id}:player:${playerId}`,
			...(mobile ? [`bonus:${setting.domain}:${id}:mobile:${mobile}`] : []),
			...(depositId ? [`bonus-deposit:${depositId}`] : []),
		];
		const happening = { event: 'claim', facts: null, amounts: { amount }, actor: 'player', data, claims };
		const admit = () => protection.admit(playerId);
		return (await ledger.begin(BONUS, { walletId: playerId, pool }, happening, { admit })).id;
	}

	/** Releases a grant whose wagering is complete, and ends one whose time is over. */
	async advance(id: number): Promise<void> {
		const { ledger, protection, clock } = this.#options;
		await ledger.turns.take(`bonus ${id}`, async () => {
			const workflow = await ledger.find('BONUS', id);
			if (workflow.state !== 'ACTIVE') return;
			const { amount, required, expiresAtMs } = bonusData(workflow);
			const isWagered = (await this.wagered(workflow)) >= required;
			// Bets that were open when the player left may still be settled.
			const event = protection.hasLeft(workflow.walletId)
				? 'forfeit'
				: isWagered
					? 'release'
					: clock() > expiresAtMs
						? 'expire'
						: null;
			if (event) await ledger.happen(BONUS, workflow, { event, facts: null, amounts: { amount }, actor: 'server' });
		});
	}

	/** The steps that forfeit a player's active grants, to be submitted with the step that causes it. */
	async forfeits(playerId: PlayerId): Promise<StepRequest[]> {
		const active = (await this.grants(playerId)).filter(({ state }) => state === 'ACTIVE');
		return active.map((workflow) =>
			stepOf(BONUS, workflow, {
				event: 'forfeit',
				facts: null,
				amounts: { amount: bonusData(workflow).amount },
				actor: 'server',
			}),
		);
	}

	/** Forfeits at once, because the player leaves. */
	async forfeit(playerId: PlayerId): Promise<void> {
		const { ledger } = this.#options;
		for (const workflow of (await this.grants(playerId)).filter(({ state }) => state === 'ACTIVE')) {
			const { amount } = bonusData(workflow);
			await ledger.turns.take(`bonus ${workflow.id}`, () =>
				ledger.happen(BONUS, workflow, { event: 'forfeit', facts: null, amounts: { amount }, actor: 'server' }),
			);
		}
	}
}
