/**
 * Referrals: a friend registers with a player's code and plays with their own money, and the player is rewarded once.
 */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { storedWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { REFERRAL } from '#server/money/funds/machines/referral.ts';
import { moneyAtRisk, wageredSince } from '#server/money/funds/money-at-risk.ts';
import { idOf, referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { SELF_REFERRAL, type SelfReason } from '#server/people/persons/linked-accounts.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** A friend's wagering in the casino does not count. */
const IN_SPORTS = { sportsWeight: 100, casinoWeight: 0 };
/** A start looks back this far for registrations that a crash interrupted. */
const INTERRUPTED_MS = DAY_MS;

/** Of the friend's deposits and wagering, as of the qualification; minor units. */
interface Thresholds {
	minDeposit: AnyMinor;
	minWagered: AnyMinor;
	/** How long ago a deposit was paid to count. */
	maturityHours: number;
}

interface ReferralsOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'wallet' | 'openBets'>;
	db: pg.Pool;
	protection: Protection;
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	clock: () => number;
}

interface Person {
	playerId: PlayerId;
	brand: string;
	userName: string;
	isDemo: boolean;
	/** The code used at registration. */
	code: string | null;
}

export class Referrals {
	readonly #options: ReferralsOptions;

	constructor(options: ReferralsOptions) {
		this.#options = options;
	}

	codeOf(playerId: PlayerId): string {
		return referenceOf('REF', playerId);
	}

	/**
	 * An invalid code is refused before registration; a code whose owner left meanwhile creates no link.
	 * @throws Refused UNKNOWN_REFERRAL_CODE if no player of that brand has it
	 */
	async check(code: string, brand: string): Promise<void> {
		const referrerId = idOf('REF', code.toUpperCase());
		const referrer = referrerId === null ? null : await this.#person(referrerId);
		if (!referrer || referrer.isDemo || referrer.brand !== brand) throw new Refused('UNKNOWN_REFERRAL_CODE');
	}

	/** Links a new player to the owner of the code; an unknown code is ignored. */
	async link(refereeId: PlayerId): Promise<void> {
		const { ledger, exchange, settingOf, protection } = this.#options;
		const referee = await this.#person(refereeId);
		const referrerId = idOf('REF', referee?.code?.toUpperCase() ?? '');
		if (referrerId === null) return;
		const referrer = await this.#person(referrerId);
		const pool = exchange.wallet(referrerId)?.pool;
		if (!referrer || !referee || pool === undefined || referrer.isDemo || referrer.brand !== referee.brand) return;
		await this.#joinTree(refereeId, referrerId);
		const reward = settingOf(referrerId)?.referral.reward ?? 0;
		if (reward === 0) return;
		const isBarred = [refereeId, referrerId].some((playerId) => protection.isBarred(playerId, 'REFERRAL_LINK'));
		const reason = isBarred ? NOT_COUNTED : await this.#selfReferral(referrerId, refereeId);
		const { userName } = referee;
		const data = {
			refereeId,
			friend: `${userName.slice(0, 1)}•••${userName.slice(-1)}`,
			amount: reward * MINOR_PER_MAJOR,
			...(reason ? { reason } : {}),
		};
		const claims = [`referral:${refereeId}`];
		const happening = { event: reason ? 'void' : 'link', facts: null, amounts: {}, actor: 'server', data, claims };
		await ledger.begin(REFERRAL, { walletId: referrerId, pool }, happening).catch((error: unknown) => {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
		});
	}

	/**
	 * Sets the player who invited the new player. Players whom the new player has invited meanwhile join the same tree.
	 */
	async #joinTree(refereeId: PlayerId, referrerId: PlayerId): Promise<void> {
		await this.#options.db.query(
			`with inviter as (
			   select player_id, coalesce(invitation_root, player_id) as root from player where player_id = $2 and player_id < $1
			 )
			 update player set invitation_root = root, invited_by = case player.player_id when $1 then $2 else invited_by end
			 from inviter where (player.player_id = $1 and invited_by is null) or invitation_root = $1`,
			[refereeId, referrerId],
		);
	}

	/** Links players whose registration is durable, and whose link a crash prevented. */
	async linkInterrupted(): Promise<void> {
		const { db, clock } = this.#options;
		const { rows } = await db.query<{ playerId: PlayerId }>(
			`select player_id as "playerId" from player where referral_code <> '' and created_at >= $1
			   and not exists (select 1 from workflow_claim where name = 'referral:' || player_id) order by player_id`,
			[clock() - INTERRUPTED_MS],
		);
		for (const { playerId } of rows) await this.link(playerId);
	}

	/** The referrer's referrals, newest first. */
	async of(playerId: PlayerId): Promise<Workflow<'REFERRAL'>[]> {
		const query = { kind: 'REFERRAL', where: 'wallet_id = $1', values: [playerId] } as const;
		return (await storedWorkflows(this.#options.db, query)).reverse();
	}

	/** Checks whether the friend of a linked referral now qualifies, or is now known to be the same person. */
	async advance(id: number): Promise<void> {
		const { ledger, settingOf } = this.#options;
		await ledger.turns.take(`referral ${id}`, async () => {
			const workflow = await ledger.find('REFERRAL', id);
			const rules = settingOf(workflow.walletId)?.referral;
			if (workflow.state !== 'LINKED' || !rules) return;
			if (await this.#isVoid(workflow, workflow.data.refereeId)) return;
			const { minDeposit, minWagered, maturityHours } = rules;
			const inMinor = { minDeposit: minDeposit * MINOR_PER_MAJOR, minWagered: minWagered * MINOR_PER_MAJOR };
			const thresholds = { ...inMinor, maturityHours };
			if (!(await this.#meets(workflow, thresholds))) return;
			const qualified = { event: 'qualify', facts: null, amounts: {}, actor: 'server', data: { thresholds } };
			await ledger.happen(REFERRAL, workflow, qualified);
		});
	}

	/**
	 * Whether the friend's deposits and wagering are sufficient. Only deposits that were paid `maturityHours` ago
	 * count: what is charged back sooner earns nothing. A later step, such as the end of a dispute, does not make one younger.
	 * Deposits in dispute, lost or reversed do not count, nor do markets that were reopened or voided.
	 */
	async #meets(
		workflow: Workflow<'REFERRAL'>,
		{ minDeposit, minWagered, maturityHours }: Thresholds,
	): Promise<boolean> {
		const { db, exchange, clock } = this.#options;
		const { refereeId } = workflow.data;
		const { rows } = await db.query<{ amount: AnyMinor }>(
			`select coalesce(sum(coalesce(data ->> 'paid', data ->> 'amount')::bigint), 0)::bigint as amount from workflow
			 where wallet_id = $1 and coalesce((data ->> 'paidAtMs')::bigint, at) <= $2 and (
			   kind = 'PAYMENT' and state in ('SUCCESS', 'CREDITED', 'WON') or kind = 'DEPOSIT' and state = 'APPROVED')`,
			[refereeId, clock() - maturityHours * HOUR_MS],
		);
		if ((rows[0]?.amount ?? 0) < minDeposit) return false;
		return wageredSince(await moneyAtRisk(db, exchange, refereeId), workflow.openedAtMs, IN_SPORTS) >= minWagered;
	}

	/** @throws Refused NOT_FOUND, WRONG_STATE, REFERRAL_CAP, those of Protection.admit */
	async claim(playerId: PlayerId, id: number): Promise<Workflow<'REFERRAL'>> {
		const { ledger, protection, settingOf } = this.#options;
		return await ledger.turns.take(`referrals of ${playerId}`, async () => {
			const workflow = await ledger.find('REFERRAL', id);
			if (workflow.walletId !== playerId) throw new Refused('NOT_FOUND');
			const claimed = (await this.of(playerId)).filter(({ state }) => state === 'CLAIMED').length;
			const { cap = 0, maturityHours = 0 } = settingOf(playerId)?.referral ?? {};
			if (workflow.state === 'QUALIFIED' && claimed >= cap) throw new Refused('REFERRAL_CAP', { cap });
			const { amount, refereeId, thresholds } = workflow.data;
			if (workflow.state === 'QUALIFIED' && (await this.#isVoid(workflow, refereeId)))
				throw new Refused('WRONG_STATE', { state: 'VOID' });
			// A chargeback or a reopened market may follow the qualification. The oldest ones have no hours of their own.
			const kept = thresholds && { maturityHours, ...thresholds };
			if (workflow.state === 'QUALIFIED' && kept && !(await this.#meets(workflow, kept))) {
				const disqualified = { event: 'disqualify', facts: null, amounts: {}, actor: 'server' };
				await ledger.happen(REFERRAL, workflow, disqualified);
				throw new Refused('WRONG_STATE', { state: 'LINKED' });
			}
			const happening = { event: 'claim', facts: null, amounts: { amount }, actor: 'player' };
			await ledger.happen(REFERRAL, workflow, happening, { admit: () => protection.admit(playerId, 'REFERRAL_CLAIM') });
			return await ledger.find('REFERRAL', id);
		});
	}

	async #person(playerId: PlayerId): Promise<Person | null> {
		const { rows } = await this.#options.db.query<Person>(
			`select player_id as "playerId", brand, user_name as "userName", is_demo as "isDemo",
			   referral_code as code from player
			 where player_id = $1`,
			[playerId],
		);
		return rows[0] ?? null;
	}

	/** Voids a self-referral. */
	async #isVoid(workflow: Workflow<'REFERRAL'>, refereeId: PlayerId): Promise<boolean> {
		const reason = await this.#selfReferral(workflow.walletId, refereeId);
		if (reason === null) return false;
		const happening = { event: 'void', facts: null, amounts: {}, actor: 'server', data: { reason } };
		await this.#options.ledger.happen(REFERRAL, workflow, happening);
		return true;
	}

	/** The evidence that a referral is a self-referral; null for none. */
	async #selfReferral(referrerId: PlayerId, refereeId: PlayerId): Promise<string | null> {
		const { rows } = await this.#options.db.query<{ depth: number; why: SelfReason }>(SELF_REFERRAL, [
			referrerId,
			refereeId,
		]);
		const [found] = rows;
		if (!found) return null;
		return found.depth > 0 ? CIRCLE : SELF_REASONS[found.why];
	}
}

const SELF_REASONS: Readonly<Record<SelfReason, string>> = {
	'same document': 'The same person.',
	'same mobile': 'The same person.',
	'same mobile, not proven': 'The same person.',
	'mobile that the other says': 'The same person.',
	'same browser': 'The same device.',
	'same payout account': 'The same payment details.',
	'same payout details': 'The same payment details.',
	'payout details that the other saved': 'The same payment details.',
};
const CIRCLE = 'A circle of referrals.';
const EVIDENCE: ReadonlySet<string> = new Set([...Object.values(SELF_REASONS), CIRCLE]);
const NOT_COUNTED = 'This invitation does not count.';

/**
 * What the referrer reads of the reason of a referral's state. Neither player is told about the other, so the evidence of
 * a self-referral is for operators.
 */
export const reasonForReferrer = (reason = ''): string => (EVIDENCE.has(reason) ? NOT_COUNTED : reason);
