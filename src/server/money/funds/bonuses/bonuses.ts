/** Bonuses: campaigns of the domain offer them, a claim locks them, and enough wagering releases them. */
import type pg from 'pg';
import type { Campaign } from '#contract/domain-setting.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { StepRequest, Workflow } from '#server/exchange/order/workflow.ts';
import { storedWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { endOf, lastPeriod, netLoss, sourceOf } from '#server/money/funds/bonuses/cashback.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { stepOf } from '#server/money/funds/machine.ts';
import { BONUS } from '#server/money/funds/machines/bonus.ts';
import { moneyAtRisk, type Weights, wageredSince } from '#server/money/funds/money-at-risk.ts';
import type { Depositor } from '#server/money/funds/payments/payments.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { factsOf } from '#server/people/persons/facts.ts';
import { SAME_PERSON_AS_PLAYER } from '#server/people/persons/linked-accounts.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import { downToStep } from '#values/currencies.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { stepOf as coinStepOf } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** As of the claim of the grant; the oldest grants have none. */
export function weightsOf(workflow: Workflow<'BONUS'>): Weights {
	const { sportsWeight = 100, casinoWeight = 0 } = workflow.data;
	return { sportsWeight, casinoWeight };
}

/** Free coins and cashback are cash immediately; the others are locked first. */
const isFreeAtOnce = (kind: Campaign['kind']): boolean => kind === 'FREE_COINS' || kind === 'CASHBACK';

/** Minor units to be wagered, by the money at risk; of a free bet, to be risked in one event. */
export function requiredFor({ kind, wagering }: Campaign, amount: AnyMinor): AnyMinor {
	if (isFreeAtOnce(kind)) return 0;
	return kind === 'FREE_BET' ? amount : amount * wagering;
}

export interface Offer {
	campaign: Campaign;
	/** Minor units; zero while there is no deposit to match. */
	amount: AnyMinor;
	/** Null if it can be claimed. */
	refusal: 'NO_DEPOSIT' | 'NO_LOSS' | 'BONUS_ACTIVE' | 'BUDGET_SPENT' | null;
	/** The matched deposit, or the period of the returned loss: one claim for each. */
	source: string | null;
}

interface BonusesOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'wallet' | 'openBets'>;
	db: pg.Pool;
	protection: Protection;
	keys: Pick<DataKeys, 'fingerprints'>;
	clock: () => number;
}

/** States of a deposit that was taken back, in part or in full. */
const FALLEN: ReadonlySet<string> = new Set(['LOST', 'REVERSED', 'DUPLICATE']);

export class Bonuses {
	readonly #options: BonusesOptions;

	constructor(options: BonusesOptions) {
		this.#options = options;
	}

	/** The player's grants, newest first. */
	async grants(playerId: PlayerId): Promise<Workflow<'BONUS'>[]> {
		const { db } = this.#options;
		const query = { kind: 'BONUS', where: 'wallet_id = $1', values: [playerId], name: 'grants-of-player' } as const;
		return (await storedWorkflows(db, query)).reverse();
	}

	/** Minor units wagered for a grant. */
	async wagered(grant: Workflow<'BONUS'>): Promise<number> {
		const { db, exchange } = this.#options;
		const { walletId, openedAtMs } = grant;
		return wageredSince(await moneyAtRisk(db, exchange, walletId), openedAtMs, weightsOf(grant));
	}

	/** Current campaigns that the player has not claimed. */
	async offers({ playerId, setting }: Depositor, grants: readonly Workflow<'BONUS'>[]): Promise<Offer[]> {
		const now = this.#options.clock();
		const running = setting.campaigns.filter(
			({ id, kind, until }) =>
				(until === null || now < Date.parse(until)) &&
				(kind === 'CASHBACK' || !grants.some((grant) => grant.data.campaign === id)),
		);
		const spent = await this.#spent(setting.domain, running);
		const offers = await Promise.all(
			running.map((campaign) =>
				this.#offer({ playerId, setting }, campaign, { grants, spent: spent.get(campaign.id) ?? 0 }),
			),
		);
		// A cashback is offered again at the end of its next period.
		return offers.filter(
			({ campaign, source }) =>
				!grants.some((grant) => grant.data.campaign === campaign.id && grant.data.source === source),
		);
	}

	async #offer(
		player: Depositor,
		campaign: Campaign,
		{ grants, spent }: { grants: readonly Workflow<'BONUS'>[]; spent: number },
	): Promise<Offer> {
		const { amount, source } = await this.#earned(player, campaign);
		const isLocked = !isFreeAtOnce(campaign.kind);
		const hasActive = grants.some(({ state }) => state === 'ACTIVE');
		const left = campaign.budget * MINOR_PER_MAJOR - spent;
		const nothing = campaign.kind === 'CASHBACK' ? 'NO_LOSS' : 'NO_DEPOSIT';
		const refusal =
			amount === 0 ? nothing : isLocked && hasActive ? 'BONUS_ACTIVE' : left < amount ? 'BUDGET_SPENT' : null;
		return { campaign, amount, refusal, source };
	}

	/** The player's current amount from a campaign in minor units, and its basis. */
	async #earned(player: Depositor, campaign: Campaign): Promise<{ amount: AnyMinor; source: string | null }> {
		const { playerId } = player;
		const most = campaign.amount * MINOR_PER_MAJOR;
		const pool = this.#options.exchange.wallet(playerId)?.pool;
		const step = pool ? coinStepOf(pool) : 1;
		const part = (of: AnyMinor) => Math.min(most, downToStep((of * campaign.percent) / 100, step));
		switch (campaign.kind) {
			case 'WELCOME':
			case 'FREE_BET':
			case 'FREE_COINS':
				return { amount: most, source: null };
			case 'FIRST_DEPOSIT':
			case 'RELOAD': {
				const deposit = await this.#depositFor(playerId, campaign);
				return deposit
					? { amount: part(deposit.amount), source: `${deposit.kind}:${deposit.id}` }
					: { amount: 0, source: null };
			}
			case 'CASHBACK': {
				const nowMs = this.#options.clock();
				const zone = this.#options.protection.zoneOf(playerId, nowMs);
				const period = lastPeriod(nowMs, campaign.period, zone);
				const fromMs = Math.max(period.fromMs, await this.#returnedUntil(player, campaign, zone));
				const loss = fromMs < period.toMs ? await netLoss(this.#options.db, playerId, { ...period, fromMs }) : 0;
				return { amount: part(loss), source: sourceOf(campaign.period, period) };
			}
		}
	}

	/**
	 * The end of the last period whose loss a cashback returned to the person; 0 before the first one. A campaign that has
	 * longer or shorter periods since returns no loss twice.
	 */
	async #returnedUntil({ playerId, setting }: Depositor, { id }: Campaign, zone: string): Promise<number> {
		const { rows } = await this.#options.db.query<{ source: string }>(
			`select data ->> 'source' as source from workflow where kind = 'BONUS'
			   and (wallet_id = $1 or wallet_id in (${SAME_PERSON_AS_PLAYER}))
			   and data ->> 'brand' = $2 and data ->> 'campaign' = $3 and data ->> 'bonusKind' = 'CASHBACK'`,
			[playerId, setting.domain, id],
		);
		return Math.max(0, ...rows.map(({ source }) => endOf(source, zone)));
	}

	/** FIRST_DEPOSIT matches the player's first deposit, RELOAD the newest that no grant has matched. */
	async #depositFor(
		playerId: PlayerId,
		{ kind }: Campaign,
	): Promise<{ kind: string; id: number; amount: AnyMinor } | null> {
		const { rows } = await this.#options.db.query<{ kind: string; id: number; amount: AnyMinor; isTaken: boolean }>({
			name: 'deposits-for-bonus',
			text: `select kind, id, coalesce(data ->> 'paid', data ->> 'amount')::bigint as amount, exists (
			   select 1 from workflow_claim where name = 'bonus-deposit:' || workflow.kind || ':' || workflow.id
			 ) as "isTaken"
			 from workflow where wallet_id = $1 and (
			   kind = 'PAYMENT' and state in ('SUCCESS', 'CREDITED', 'WON') or kind = 'DEPOSIT' and state = 'APPROVED'
			 ) order by opened_at`,
			values: [playerId],
		});
		const deposit = kind === 'FIRST_DEPOSIT' ? rows[0] : rows.at(-1);
		return deposit && !deposit.isTaken ? deposit : null;
	}

	/** The grants of each of a brand's campaigns, by state; coins of demo players are left out. */
	async givenBy(brand: string): Promise<Map<string, { state: string; minor: AnyMinor }[]>> {
		const { rows } = await this.#options.db.query<{ campaign: string; state: string; minor: AnyMinor }>(
			`select data ->> 'campaign' as campaign, state, sum((data ->> 'amount')::bigint)::bigint as minor from workflow
			 where kind = 'BONUS' and pool not like 'DEMO%' and data ->> 'brand' = $1 group by 1, 2`,
			[brand],
		);
		return Map.groupBy(rows, ({ campaign }) => campaign);
	}

	/** The players of a brand, newest first. */
	async playersOf(brand: string, most: number): Promise<PlayerId[]> {
		const { rows } = await this.#options.db.query<{ playerId: PlayerId }>(
			'select player_id as "playerId" from player where brand = $1 and not is_demo order by player_id desc limit $2',
			[brand, most],
		);
		return rows.map(({ playerId }) => playerId);
	}

	/** Net grants of each campaign in minor units, by its id. Coins of demo players spend no budget. */
	async #spent(brand: string, campaigns: readonly Campaign[]): Promise<Map<string, number>> {
		if (campaigns.length === 0) return new Map();
		const { rows } = await this.#options.db.query<{ campaign: string; spent: number }>({
			name: 'spent-by-campaigns',
			text: `select data ->> 'campaign' as campaign, sum((data ->> 'amount')::bigint)::bigint as spent from workflow
			 where kind = 'BONUS' and pool not like 'DEMO%' and state in ('ACTIVE', 'RELEASED') and data ->> 'brand' = $1
			   and data ->> 'campaign' = any ($2) group by 1`,
			values: [brand, campaigns.map(({ id }) => id)],
		});
		return new Map(rows.map(({ campaign, spent }) => [campaign, spent]));
	}

	/**
	 * Claims a bonus, once per player, person and deposit, while the campaign's budget lasts.
	 * @throws Refused NOT_FOUND, BONUS_NOT_CLAIMABLE with the reason, ALREADY_CLAIMED, those of Protection.admit
	 */
	async claim(player: Depositor, campaignId: string): Promise<Workflow<'BONUS'>> {
		const { ledger, protection } = this.#options;
		const { playerId, setting } = player;
		const take = async (): Promise<number> => {
			const campaigns = setting.campaigns.filter(({ id }) => id === campaignId);
			if (campaigns.length === 0) throw new Refused('NOT_FOUND');
			const grants = await this.grants(playerId);
			const [offer] = await this.offers({ ...player, setting: { ...setting, campaigns } }, grants);
			if (!offer) throw new Refused('ALREADY_CLAIMED');
			if (offer.refusal) throw new Refused('BONUS_NOT_CLAIMABLE', { reason: offer.refusal });
			if (await this.#hasPersonClaimed(player, offer)) throw new Refused('ALREADY_CLAIMED');
			return await this.#begin(player, offer);
		};
		protection.admit(playerId, 'BONUS');
		const turn = `campaign ${setting.domain} ${campaignId}`;
		const id = await ledger.turns.take(turn, () => ledger.turns.take(`bonus of ${playerId}`, take));
		return await ledger.find('BONUS', id);
	}

	async #begin({ playerId, setting }: Depositor, { campaign, amount, source }: Offer): Promise<number> {
		const { ledger, exchange, protection, clock } = this.#options;
		const pool = exchange.wallet(playerId)?.pool;
		if (pool === undefined) throw new Refused('UNKNOWN_USER');
		const { id, title, terms, kind, days, sportsWeight, casinoWeight } = campaign;
		const data = {
			brand: setting.domain,
			campaign: id,
			title,
			terms,
			bonusKind: kind,
			amount,
			required: requiredFor(campaign, amount),
			sportsWeight,
			casinoWeight,
			expiresAtMs: clock() + days * DAY_MS,
			source,
		};
		const event = isFreeAtOnce(kind) ? 'give' : 'claim';
		const { claims, earlier } = await this.#claims({ playerId, setting }, campaign, source);
		if (await this.#isClaimed(earlier)) throw new Refused('ALREADY_CLAIMED');
		const happening = { event, facts: null, amounts: { amount }, actor: 'player', data, claims };
		const admit = () => protection.admit(playerId, 'BONUS');
		return (await ledger.begin(BONUS, { walletId: playerId, pool }, happening, { admit })).id;
	}

	/**
	 * Whether another account of the same person, or in the same browser, has this grant. Claims take the turn of the
	 * campaign, so of two simultaneous claims the second sees the first.
	 */
	async #hasPersonClaimed(
		{ playerId, setting }: Pick<Depositor, 'playerId' | 'setting'>,
		{ campaign: { id, kind }, source }: Offer,
	): Promise<boolean> {
		const { rowCount } = await this.#options.db.query(
			`select 1 from workflow where kind = 'BONUS' and wallet_id in (${SAME_PERSON_AS_PLAYER})
			   and data ->> 'brand' = $2 and data ->> 'campaign' = $3 and ($4::text is null or data ->> 'source' = $4) limit 1`,
			[playerId, setting.domain, id, kind === 'CASHBACK' ? source : null],
		);
		return rowCount !== 0;
	}

	/**
	 * A grant is unique per account, proven mobile, payout target and deposit or period. Unproven statements of players
	 * are compared before (`#hasPersonClaimed`): making them unique would let a false claim lock out the true owner. A name
	 * outlives the account, whose person may be erased, and no row of the ledger is changed: so it has the mobile as a keyed
	 * fingerprint.
	 * @returns also the names by which the same grant was claimed earlier: under a key that was rotated since, and with the
	 *   mobile in the clear, as releases before wrote it. Claims take the turn of the campaign, so they are looked up.
	 */
	async #claims(
		{ playerId, setting }: Pick<Depositor, 'playerId' | 'setting'>,
		{ id, kind }: Campaign,
		source: string | null,
	): Promise<{ claims: string[]; earlier: string[] }> {
		const { keys, db } = this.#options;
		const { rows } = await db.query<{ kind: 'mobile' | 'payout'; value: string }>(
			`select kind, value from (${factsOf('(select $1::bigint as player_id)')}) as fact where state = 'PROVEN' and kind <> 'document'`,
			[playerId],
		);
		const scope = `bonus:${setting.domain}:${id}${kind === 'CASHBACK' ? `:${source}` : ''}`;
		const deposit = kind === 'FIRST_DEPOSIT' || kind === 'RELOAD' ? [`bonus-deposit:${source}`] : [];
		const of = (whose: string): string => `${scope}:${whose}`;
		const mobiles = rows.filter((fact) => fact.kind === 'mobile').map(({ value }) => value);
		const prints = mobiles.map((mobile) => keys.fingerprints(`mobile ${mobile}`));
		const details = rows.filter((fact) => fact.kind === 'payout').map(({ value }) => `details:${value}`);
		const present = [`player:${playerId}`, ...prints.map(([print]) => `mobile:${print}`), ...details];
		const before = [...mobiles, ...prints.flatMap(([, ...old]) => old)].map((value) => `mobile:${value}`);
		return { claims: [...present.map(of), ...deposit], earlier: before.map(of) };
	}

	async #isClaimed(names: readonly string[]): Promise<boolean> {
		if (names.length === 0) return false;
		const { rowCount } = await this.#options.db.query('select 1 from workflow_claim where name = any($1) limit 1', [
			names,
		]);
		return rowCount !== 0;
	}

	/**
	 * Releases a grant whose wagering is complete, and ends an expired one. A grant that matches a deposit falls with
	 * it; while the deposit is in dispute a grant that is wagered waits for the dispute's end, also past its own time.
	 */
	async advance(id: number): Promise<void> {
		const { ledger, protection, clock } = this.#options;
		await ledger.turns.take(`bonus ${id}`, async () => {
			const workflow = await ledger.find('BONUS', id);
			if (workflow.state !== 'ACTIVE') return;
			const { bonusKind, amount, required, expiresAtMs } = workflow.data;
			if (bonusKind === 'FREE_BET' && !protection.hasLeft(workflow.walletId) && (await this.#endFreeBet(workflow)))
				return;
			const isWagered = bonusKind !== 'FREE_BET' && (await this.wagered(workflow)) >= required;
			const deposit = await this.#stateOfDeposit(workflow);
			// Bets that were open when the player left may still be settled.
			const falls = protection.hasLeft(workflow.walletId) || FALLEN.has(deposit ?? '');
			if (!falls && isWagered && deposit === 'DISPUTED') return;
			const event = falls ? 'forfeit' : isWagered ? 'release' : clock() > expiresAtMs ? 'expire' : null;
			if (event) await ledger.happen(BONUS, workflow, { event, facts: null, amounts: { amount }, actor: 'server' });
		});
	}

	/** Null for a grant without a deposit. */
	async #stateOfDeposit(grant: Workflow<'BONUS'>): Promise<string | null> {
		const { bonusKind, source } = grant.data;
		if (source === null || bonusKind === 'CASHBACK') return null;
		const [kind, id] = source.split(':');
		return (await this.#options.ledger.find(kind as TransferKind, Number(id))).state;
	}

	/**
	 * The first decided event in which the player risked the whole amount ends a free bet: the loss there is returned,
	 * up to the amount; after a win nothing is due. @returns whether there is such an event
	 */
	async #endFreeBet(workflow: Workflow<'BONUS'>): Promise<boolean> {
		const { ledger, db, exchange } = this.#options;
		const { walletId, openedAtMs } = workflow;
		const { amount, required } = workflow.data;
		const risks = await moneyAtRisk(db, exchange, walletId);
		const event = risks.find(
			({ marketIds, sinceMs, longAmount }) => marketIds && sinceMs >= openedAtMs && longAmount >= required,
		);
		if (!event) return false;
		const { rows } = await db.query<{ profit: AnyMinor }>(
			`select coalesce(sum(profit), 0)::bigint as profit from player_settlement
			 where wallet_id = $1 and market_id = any ($2)`,
			[walletId, event.marketIds],
		);
		const profit = rows[0]?.profit ?? 0;
		const given = Math.min(amount, Math.max(0, -profit));
		const happening =
			given > 0
				? { event: 'refund', amounts: { amount: given, rest: amount - given }, data: { amount: given } }
				: { event: 'expire', amounts: { amount } };
		await ledger.happen(BONUS, workflow, { ...happening, facts: null, actor: 'server' });
		return true;
	}

	/**
	 * Submits the steps that forfeit a player's active grants together with their cause. No grant is claimed, released
	 * or ended meanwhile, because that would refuse the whole submission.
	 */
	async forfeiting<Result>(
		playerId: PlayerId,
		submit: (steps: readonly StepRequest[]) => Promise<Result>,
	): Promise<Result> {
		const { turns } = this.#options.ledger;
		return await turns.take(`bonus of ${playerId}`, async () => {
			const active = await this.#active(playerId);
			if (active.length === 0) return await submit([]);
			const subjects = active.map(({ id }) => `bonus ${id}`);
			return await turns.takeAll(subjects, async () => await submit(await this.#forfeits(playerId)));
		});
	}

	async #active(playerId: PlayerId): Promise<Workflow<'BONUS'>[]> {
		return (await this.grants(playerId)).filter(({ state }) => state === 'ACTIVE');
	}

	async #forfeits(playerId: PlayerId): Promise<StepRequest[]> {
		return (await this.#active(playerId)).map((workflow) =>
			stepOf(BONUS, workflow, {
				event: 'forfeit',
				facts: null,
				amounts: { amount: workflow.data.amount },
				actor: 'server',
			}),
		);
	}

	/** Forfeits immediately, because the player leaves. */
	async forfeit(playerId: PlayerId): Promise<void> {
		const { ledger } = this.#options;
		for (const { id } of await this.#active(playerId))
			await ledger.turns.take(`bonus ${id}`, async () => {
				// It may have been released or ended since it was read.
				const workflow = await ledger.find('BONUS', id);
				if (workflow.state !== 'ACTIVE') return;
				const { amount } = workflow.data;
				await ledger.happen(BONUS, workflow, { event: 'forfeit', facts: null, amounts: { amount }, actor: 'server' });
			});
	}
}
