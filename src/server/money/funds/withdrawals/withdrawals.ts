/**
 * Withdrawals: the withdrawable amount, the review by operators, and the payout by the provider. A withdrawal that the
 * rules cannot decide goes to an operator, with the reason.
 */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { DataOf, Doubt, WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { openWorkflowsOf } from '#server/exchange/recovery/stored-workflows.ts';
import type { Bonuses } from '#server/money/funds/bonuses/bonuses.ts';
import { WITHDRAWAL } from '#server/money/funds/machines/withdrawal.ts';
import { idOf, referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { Depositor, PaymentParts } from '#server/money/funds/payments/payments.ts';
import {
	type PaymentProvider,
	type PayoutTarget,
	type PayoutWord,
	providerOf,
} from '#server/money/funds/payments/provider.ts';
import { taxOnReturn, withheldTax } from '#server/money/funds/taxes/withheld-tax.ts';
import { checkCoins } from '#server/money/funds/whole-coins.ts';
import { mayCancel } from '#server/money/funds/withdrawals/may-cancel.ts';
import {
	COOLING_MS,
	maskOf,
	type PayoutDetails,
	type SavedDetails,
} from '#server/money/funds/withdrawals/payout-details.ts';
import { type Turnover, turnoverOf, withdrawable, withdrawnBy } from '#server/money/funds/withdrawals/withdrawable.ts';
import { isOwn } from '#server/people/persons/facts.ts';
import { SAME_PERSON_AS_PLAYER } from '#server/people/persons/linked-accounts.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { IdentityReason } from '#values/identity-documents.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR, majorFromMinor } from '#values/money.ts';
import { currencyOf, isDemoPool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** After this time without a verdict, the outcome of a payout is unknown. */
const VERDICT_MS = 60_000;
/** After this time without a verdict, an operator has to find it out. */
const FINDING_MS = DAY_MS;

/**
 * SQL: markets in which the player `$1` won against a player whose payment is disputed or was lost, after that payment.
 * Of a market with bets in a detached month it is not known who met whom: there a player who bet in it, too, is enough.
 */
const WON_FROM_DISPUTED = `
	select 1 from workflow as dispute join bet as met on met.wallet_id = dispute.wallet_id
	  join player_settlement as won on won.wallet_id = $1 and won.market_id = met.market_id and won.profit > 0
	  join bet as own on own.wallet_id = $1 and own.market_id = met.market_id
	  join bet_match on bet_match.market_id = met.market_id and (
	    taker_bet_id = own.bet_id and maker_bet_id = met.bet_id or taker_bet_id = met.bet_id and maker_bet_id = own.bet_id)
	where dispute.kind = 'DISPUTE' and dispute.state in ('OPEN', 'OWED', 'LOST') and dispute.wallet_id <> $1
	  and bet_match.at >= (dispute.data ->> 'paidAtMs')::bigint
	union all
	select 1 from workflow as dispute join player_settlement as met on met.wallet_id = dispute.wallet_id
	  join player_settlement as won on won.wallet_id = $1 and won.market_id = met.market_id and won.profit > 0
	  join wallet on wallet.wallet_id = $1 and wallet.pool = dispute.pool
	where dispute.kind = 'DISPUTE' and dispute.state in ('OPEN', 'OWED', 'LOST') and dispute.wallet_id <> $1
	  and won.at >= (dispute.data ->> 'paidAtMs')::bigint
	  and exists (
	    select from detached_bets as gone
	    where gone.market_id = won.market_id and gone.wallet_id in ($1, dispute.wallet_id))`;

/** The word that led a payout to its state. */
const VERDICTS: Readonly<Record<string, PayoutWord['status']>> = { PAID: 'PAID', FAILED: 'FAILED' };

type Asked = Required<Pick<DataOf<'WITHDRAWAL'>, 'method' | 'detailsId' | 'masked' | 'doubts' | 'identity'>>;

/** Coins of a demo player go nowhere: only the mask of the details is stored, and no rule raises a doubt. */
function ofDemo(target: PayoutTarget | { method: 'SAVED'; id: string }): Asked {
	if (target.method === 'SAVED') throw new Refused('NOT_FOUND');
	return { method: target.method, detailsId: null, masked: maskOf(target), doubts: [], identity: null };
}

interface WithdrawalsOptions extends PaymentParts {
	/** For what the player ever played, and for the year that is taxed. */
	throughHistory: Pick<pg.Pool, 'query'>;
	exchange: Pick<Exchange, 'earlier' | 'wallet' | 'openBets' | 'lacked'>;
	details: PayoutDetails;
	/** A withdrawal forfeits them in the same step. */
	bonuses: Pick<Bonuses, 'forfeiting'>;
}

export class Withdrawals {
	readonly #options: WithdrawalsOptions;

	constructor(options: WithdrawalsOptions) {
		this.#options = options;
	}

	/** @param asksWagered as in `turnoverOf` */
	async turnover(playerId: PlayerId, asksWagered?: boolean): Promise<Turnover> {
		const { throughHistory, exchange, ledger } = this.#options;
		return await turnoverOf(throughHistory, exchange, playerId, ledger.now(), asksWagered);
	}

	/**
	 * Holds the amount, less the tax that a profile asks for, and applies the rules. A player with an exclusion or a time-out may still withdraw.
	 * @throws Refused FORBIDDEN, PAYMENT_UNAVAILABLE, AMOUNT_OUT_OF_RANGE, TOO_MANY_WITHDRAWALS, INSUFFICIENT_FUNDS
	 */
	async request(
		player: Depositor,
		amount: AnyMinor,
		target: PayoutTarget | { method: 'SAVED'; id: string },
		key: RequestKey,
	): Promise<Workflow<'WITHDRAWAL'>> {
		const { ledger, exchange, protection } = this.#options;
		const id = await ledger.turns.take(protection.turnOf(player.playerId), async () => {
			const earlier = await exchange.earlier(key);
			return earlier?.workflows?.[0]?.id ?? (await this.#begin(player, amount, target, key));
		});
		return await this.#judge(id);
	}

	async #begin(
		{ playerId, setting }: Depositor,
		amount: AnyMinor,
		target: PayoutTarget | { method: 'SAVED'; id: string },
		key: RequestKey,
	): Promise<number> {
		const { ledger, exchange, providers, bonuses, throughHistory } = this.#options;
		const wallet = exchange.wallet(playerId);
		if (!wallet) throw new Refused('FORBIDDEN');
		checkCoins(wallet.pool, amount);
		const provider = providerOf(providers, wallet.pool);
		if (!setting.funds.withdrawals || !provider) throw new Refused('PAYMENT_UNAVAILABLE');
		const { minWithdrawal: min, withdrawalsPerDay } = setting.funds;
		const turnover = await this.turnover(playerId);
		const { max, heldBack, leftToday } = withdrawable(
			{ ...wallet, lacked: exchange.lacked(playerId) },
			turnover,
			setting,
		);
		if (leftToday === 0) throw new Refused('TOO_MANY_WITHDRAWALS', { perDay: withdrawalsPerDay });
		if (amount < min * MINOR_PER_MAJOR || amount > setting.funds.maxWithdrawal * MINOR_PER_MAJOR)
			throw new Refused('AMOUNT_OUT_OF_RANGE', { min, max: setting.funds.maxWithdrawal });
		if (amount > max) {
			const reasons = heldBack.map(({ reason, amount: held }) => ({ reason, amount: majorFromMinor(held) }));
			throw new Refused('INSUFFICIENT_FUNDS', { max: majorFromMinor(max), heldBack: reasons });
		}
		const isDemo = isDemoPool(wallet.pool);
		const asked = isDemo ? ofDemo(target) : await this.#asked({ playerId, setting }, amount, target, turnover);
		const owner = { walletId: playerId, pool: wallet.pool };
		const taxed = { playerId, setting, pool: wallet.pool };
		const tax = await withheldTax(throughHistory, taxed, amount, ledger.now());
		const amounts = { amount: amount - (tax?.amount ?? 0), tax: tax?.amount ?? 0 };
		const data = { amount: amounts.amount, ...asked, provider: provider.name, ...(tax ? { tax } : {}) };
		const facts = { asksIdentity: asked.identity !== null, isDemo };
		const happening = { event: 'request', facts, amounts, actor: 'player', data };
		const { id } = await bonuses.forfeiting(playerId, (beside) =>
			ledger.begin(WITHDRAWAL, owner, happening, { key, beside }),
		);
		return id;
	}

	/** Its target, and the verdict of the rules. */
	async #asked(
		{ playerId, setting }: Depositor,
		amount: AnyMinor,
		target: PayoutTarget | { method: 'SAVED'; id: string },
		turnover: Turnover,
	): Promise<Asked> {
		const { db, ledger, details, protection } = this.#options;
		const saved =
			target.method === 'SAVED' ? await details.find(playerId, target.id) : await details.save(playerId, target);
		const doubts = await this.#doubts(playerId, amount, saved, { turnover, setting });
		const { detailsId, method, masked } = saved;
		const isVerified = protection.of(playerId).identifiedAtMs !== undefined;
		const ofPerson = await withdrawnBy(db, protection.limits.accounts(playerId), ledger.now());
		const identity = isVerified ? null : identityReason(amount, ofPerson, setting);
		return { method, detailsId, masked, doubts, identity };
	}

	async #doubts(
		playerId: PlayerId,
		amount: AnyMinor,
		{ atMs, isShared }: SavedDetails,
		{ turnover, setting }: { turnover: Turnover; setting: DomainSetting },
	): Promise<Doubt[]> {
		const { clock } = this.#options;
		const { deposited, withdrawn, wagered, sumToday } = turnover;
		const { autoApproveUpTo } = setting.funds;
		const found: Partial<Record<Doubt, boolean>> = {
			AMOUNT: sumToday + amount > autoApproveUpTo * MINOR_PER_MAJOR,
			NEW_DETAILS: clock() - atMs < COOLING_MS,
			SHARED_DETAILS: isShared,
			LARGE_WIN: withdrawn + amount > 3 * deposited + setting.signUpCoins * MINOR_PER_MAJOR,
			LITTLE_BET: wagered < amount,
			...(await this.#signals(playerId)),
		};
		return (Object.keys(found) as Doubt[]).filter((doubt) => found[doubt]);
	}

	/** The doubts about the player, for any withdrawal. */
	async #signals(playerId: PlayerId): Promise<Partial<Record<Doubt, boolean>>> {
		const { db, protection } = this.#options;
		const { rows } = await db.query<{
			isDisputed: boolean;
			hasWonDisputed: boolean;
			isLinked: boolean;
			isUnknown: boolean;
		}>({
			name: 'doubts-about',
			text: `select exists (
			     select 1 from workflow where wallet_id = $1 and kind = 'PAYMENT' and state in ('DISPUTED', 'LOST')
			   ) as "isDisputed",
			   exists (${WON_FROM_DISPUTED}) as "hasWonDisputed",
			   exists (${SAME_PERSON_AS_PLAYER}) as "isLinked",
			   not exists (select 1 from player where player_id = $1 and ${isOwn('mobile', 'player')}) as "isUnknown"`,
			values: [playerId],
		});
		const [signals] = rows;
		return {
			LINKED_ACCOUNTS: signals?.isLinked ?? true,
			FROZEN: protection.of(playerId).frozen !== null,
			DISPUTE: signals?.isDisputed ?? true,
			DISPUTED_WINNINGS: signals?.hasWonDisputed ?? true,
			// Without a proven mobile, accounts of one person cannot be recognized.
			NO_MOBILE: signals?.isUnknown ?? true,
		};
	}

	/** The doubts of a withdrawal, and later ones about its player. */
	async #withSignals(workflow: Workflow<'WITHDRAWAL'>): Promise<Doubt[]> {
		const signals = await this.#signals(workflow.walletId);
		const found = (Object.keys(signals) as Doubt[]).filter((doubt) => signals[doubt]);
		return [...new Set([...workflow.data.doubts, ...found])];
	}

	/**
	 * A withdrawal without doubts is approved immediately; one of a frozen account, or about which a doubt has arisen since
	 * the request, is frozen; the others are pending for an operator. A repeated request may come days after the first,
	 * which a crash has left unjudged: what is known now decides. What an operator has decided about, the rules leave alone.
	 */
	async #judge(id: number): Promise<Workflow<'WITHDRAWAL'>> {
		const { ledger } = this.#options;
		await ledger.turns.take(`withdrawal ${id}`, async () => {
			const workflow = await ledger.find('WITHDRAWAL', id);
			const { doubts: known, identity = null, decidedBy } = workflow.data;
			if (workflow.state !== 'REQUESTED' || identity !== null || decidedBy !== undefined) return;
			const doubts = await this.#withSignals(workflow);
			const isNew = doubts.length > known.length;
			if (doubts.length === 0) await this.#happen(workflow, 'approve', 'rules').catch(unlessMovedOn);
			else if (isNew || doubts.includes('FROZEN'))
				await this.#happen(workflow, 'freeze', 'rules', { doubts, proposed: null }).catch(unlessMovedOn);
		});
		return await ledger.find('WITHDRAWAL', id);
	}

	/** Judges those that a crash has left unjudged. One with a doubt waits for an operator in any case. */
	async judgeInterrupted(): Promise<void> {
		const { rows } = await this.#options.db.query<{ id: number }>(
			`select id from workflow where kind = 'WITHDRAWAL' and is_open and state = 'REQUESTED'
			   and data -> 'doubts' = '[]' order by id`,
		);
		for (const { id } of rows) await this.#judge(id);
	}

	/**
	 * Freezes a withdrawal instead of an approval if a doubt has arisen since the request, such as a chargeback: the
	 * operator has to see it. Called in the withdrawal's turn.
	 * @returns whether it is frozen
	 */
	async freezeForNewDoubts(workflow: Workflow<'WITHDRAWAL'>): Promise<boolean> {
		if (workflow.state !== 'REQUESTED') return false;
		const { doubts: known } = workflow.data;
		const doubts = await this.#withSignals(workflow);
		if (doubts.length === known.length) return false;
		await this.#happen(workflow, 'freeze', 'rules', { doubts, proposed: null });
		return true;
	}

	/** @throws Refused NOT_FOUND, FORBIDDEN if the domain does not allow it, WRONG_STATE */
	async cancel(player: Depositor, id: number): Promise<Workflow<'WITHDRAWAL'>> {
		const { ledger } = this.#options;
		const workflow = await ledger.find('WITHDRAWAL', id);
		if (workflow.walletId !== player.playerId) throw new Refused('NOT_FOUND');
		if (!mayCancel(player.setting, ledger.now())) throw new Refused('FORBIDDEN');
		await ledger.turns.take(`withdrawal ${id}`, () => this.#happen(workflow, 'cancel', 'player'));
		return await ledger.find('WITHDRAWAL', id);
	}

	/**
	 * Advances a withdrawal by the provider's word, or its silence. The poller calls it while the withdrawal is open.
	 */
	async advance(id: number): Promise<void> {
		const { ledger } = this.#options;
		await ledger.turns.take(`withdrawal ${id}`, async () => {
			const workflow = await ledger.find('WITHDRAWAL', id);
			if (workflow.state === 'WAITING_FOR_KYC') await this.#goOn(workflow);
			else if (workflow.state === 'APPROVED') await this.#payOut(workflow);
			else if (workflow.state === 'PROCESSING' || workflow.state === 'UNKNOWN') await this.#lookUp(workflow);
		});
	}

	/** A player was verified: withdrawals waiting for it continue immediately, without waiting for the poller. */
	async onVerified(playerId: PlayerId): Promise<void> {
		const open = await openWorkflowsOf(this.#options.db, playerId);
		const waiting = open.filter(({ kind, state }) => kind === 'WITHDRAWAL' && state === 'WAITING_FOR_KYC');
		for (const { id } of waiting) await this.advance(id).catch(unlessMovedOn);
	}

	/**
	 * Continues once the player is verified: paid out without doubts, otherwise to an operator. New doubts may have
	 * arisen meanwhile; the document itself may have revealed another account. If an operator asked for a verification,
	 * an older one does not satisfy it.
	 */
	async #goOn(workflow: Workflow<'WITHDRAWAL'>): Promise<void> {
		const { protection } = this.#options;
		const { identifiedAtMs } = protection.of(workflow.walletId);
		const { decidedBy } = workflow.data;
		if (identifiedAtMs === undefined || (decidedBy !== undefined && identifiedAtMs < workflow.atMs)) return;
		const doubts = await this.#withSignals(workflow);
		const event = doubts.length === 0 ? 'identify' : doubts.includes('FROZEN') ? 'freeze' : 'release';
		await this.#happen(workflow, event, 'rules', { doubts, identity: null });
	}

	/**
	 * The reference is durable before the provider gets it, and the payout is sent once: after a crash it is looked up.
	 */
	async #payOut(workflow: Workflow<'WITHDRAWAL'>): Promise<void> {
		const { ledger, details, clock, log } = this.#options;
		const provider = this.#providerOf(workflow);
		const { amount, detailsId } = workflow.data;
		const currency = currencyOf(workflow.pool);
		const reference = referenceOf('BLW', workflow.id);
		const payout = { provider: provider.name, reference, sentAtMs: clock() };
		const target = detailsId === null ? null : await details.reveal(detailsId);
		await this.#happen(workflow, 'pay-out', 'server', { payout });
		try {
			const word = await provider.payOut({ reference, amount, currency, details: target });
			await this.#apply(await ledger.find('WITHDRAWAL', workflow.id), word);
		} catch (error) {
			log.warn({ err: error, reference }, 'it is not known whether a payout was taken; it is looked up');
		}
	}

	async #lookUp(workflow: Workflow<'WITHDRAWAL'>): Promise<void> {
		const { ledger, clock } = this.#options;
		const provider = this.#providerOf(workflow);
		const { amount, payout } = workflow.data;
		const currency = currencyOf(workflow.pool);
		const reference = payout?.reference ?? '';
		const word = await provider.lookUpPayout(reference).catch(() => null);
		// No operator investigates a demo player's payout, and sending it twice pays nothing.
		if (word === null && isDemoPool(workflow.pool))
			await provider.payOut({ reference, amount, currency, details: null });
		if (word && word.status !== 'PROCESSING') return await this.#apply(workflow, word);
		const waitedMs = clock() - (payout?.sentAtMs ?? 0);
		if (workflow.state === 'PROCESSING' && waitedMs > VERDICT_MS) await this.#happen(workflow, 'time-out', 'server');
		if (waitedMs > FINDING_MS)
			await ledger.report(`payout-without-verdict:${workflow.id}`, workflow, { id: workflow.id });
	}

	/** @throws Error for real money without a provider */
	#providerOf({ pool }: Pick<Workflow, 'pool'>): PaymentProvider {
		const provider = providerOf(this.#options.providers, pool);
		if (!provider) throw new Error('There is no payment provider of real money.');
		return provider;
	}

	/**
	 * Applies a provider's word on a payout. A word that no payout is waiting for, and one that contradicts an earlier
	 * verdict, are findings.
	 * @throws if it could not be made durable
	 */
	async hear(word: PayoutWord, from: PaymentProvider): Promise<void> {
		const { ledger } = this.#options;
		const id = idOf('BLW', word.reference);
		const workflow = id === null ? null : await ledger.find('WITHDRAWAL', id).catch(unlessUnknown);
		if (!workflow || !from.pools.includes(workflow.pool)) {
			const house = ledger.houseOf(from.pools);
			await ledger.report(`unknown-payout:${word.reference}`, house, { ...word });
			return;
		}
		await ledger.turns.take(`withdrawal ${workflow.id}`, async () =>
			this.#apply(await ledger.find('WITHDRAWAL', workflow.id), word),
		);
	}

	async #apply(workflow: Workflow<'WITHDRAWAL'>, word: PayoutWord): Promise<void> {
		const { ledger } = this.#options;
		const { id, state, data } = workflow;
		const { status, utr } = word;
		if (status === 'PROCESSING') return;
		const isOwn = word.amount === data.amount;
		const isWaited = state === 'PROCESSING' || state === 'UNKNOWN';
		if (isOwn && isWaited) {
			const verdict = status === 'FAILED' ? 'failed' : 'paid';
			await this.#happen(workflow, verdict, 'provider', utr === null ? {} : { utr });
			if (status !== 'REVERSED') return;
		}
		if (isOwn && (VERDICTS[state] === status || (state === 'RETURNED' && status !== 'FAILED'))) return;
		// What came back is the player's again once two operators find it on the bank's statement.
		const name = status === 'REVERSED' && isOwn ? 'payout-reversed' : 'payout-contradicted';
		await ledger.report(`${name}:${id}`, workflow, { id, ...word });
	}

	async #happen(
		workflow: Workflow<'WITHDRAWAL'>,
		event: string,
		actor: string,
		data: WorkflowData = {},
	): Promise<void> {
		const { ledger } = this.#options;
		const { amount } = workflow.data;
		await ledger.happen(WITHDRAWAL, workflow, {
			event,
			facts: NOTHING_ASKED,
			amounts: { amount, tax: taxOnReturn(workflow.data, ledger.now()) },
			actor,
			data,
		});
	}
}

/** Of steps after the request. */
const NOTHING_ASKED = { asksIdentity: false, isDemo: false };

/**
 * Why the domain requires the player's identity before it pays out; null if it does not. Amounts are those of the
 * person, per day and in total: several withdrawals, or accounts, cannot pass a limit that one could not.
 */
function identityReason(
	amount: AnyMinor,
	{ wasPaid, today, total }: { wasPaid: boolean; today: AnyMinor; total: AnyMinor },
	{ funds }: Pick<DomainSetting, 'funds'>,
): IdentityReason | null {
	const { atFirstWithdrawal, aboveWithdrawal, aboveTotal } = funds.identity;
	if (atFirstWithdrawal && !wasPaid) return 'FIRST_WITHDRAWAL';
	if (aboveWithdrawal !== null && today + amount > aboveWithdrawal * MINOR_PER_MAJOR) return 'AMOUNT';
	if (aboveTotal !== null && total + amount > aboveTotal * MINOR_PER_MAJOR) return 'TOTAL';
	return null;
}

function unlessUnknown(error: unknown): null {
	if (error instanceof Refused && error.code === 'NOT_FOUND') return null;
	throw error;
}

function unlessMovedOn(error: unknown): void {
	if (!(error instanceof Refused && error.code === 'WRONG_STATE')) throw error;
}
