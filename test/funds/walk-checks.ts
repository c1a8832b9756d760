/** Queries whose rows are faults in the books of funds. */
import type { Currency } from '#values/currency-codes.ts';
import { type Pool, poolOf } from '#values/pools.ts';

/** What the accounts of a pool hold beside what its workflows say they should: equal rows. */
export const disagreementsIn = (pool: Pool) => `
	with workflow as (
		select kind, wallet_id, state, is_open, data from public.workflow where pool = '${pool}'
	), said as (
		select 'hold ' || wallet_id as account,
			coalesce(sum((data ->> case kind when 'DISPUTE' then 'held' else 'amount' end)::bigint), 0) as amount
		from workflow where is_open and (kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'APPROVED')
			or kind = 'DISPUTE' and state = 'OPEN') group by wallet_id
		union all select 'bonus ' || wallet_id, sum((data ->> 'amount')::bigint) from workflow
			where kind = 'BONUS' and state = 'ACTIVE' group by wallet_id
		union all select 'payout', sum((data ->> 'amount')::bigint) from workflow
			where is_open and kind = 'WITHDRAWAL' and state in ('PROCESSING', 'UNKNOWN')
		union all select 'bank', sum(case kind when 'WITHDRAWAL' then (data ->> 'amount')::bigint when 'DEPOSIT' then -(data ->> 'amount')::bigint
			else -(data ->> 'net')::bigint end) from workflow where kind = 'WITHDRAWAL' and state = 'PAID'
			or kind = 'DEPOSIT' and state = 'APPROVED' or kind = 'PROVIDER_SETTLEMENT'
		union all select 'gateway', sum(case kind when 'PAYMENT' then -(data ->> 'paid')::bigint
			when 'DISPUTE' then (data ->> 'amount')::bigint else (data ->> 'net')::bigint + (data ->> 'fee')::bigint end) from workflow
			where kind = 'PAYMENT' and data ? 'paid' and state <> 'REFUNDED' or kind = 'PROVIDER_SETTLEMENT'
			or kind = 'DISPUTE' and state in ('OWED', 'LOST')
		union all select 'loss', -sum(case when kind = 'DISPUTE' then (data ->> 'rest')::bigint
			else (data ->> 'amount')::bigint * case when (data ->> 'isCredit')::boolean then 1 else -1 end end) from workflow
			where kind = 'DISPUTE' and state in ('OWED', 'LOST') or kind = 'ADJUSTMENT' and state = 'POSTED' and data ->> 'reasonCode' <> 'BONUS'
		union all select 'bonus_cost', sum(case when kind = 'ADJUSTMENT' and not (data ->> 'isCredit')::boolean then 1 else -1 end
			* (data ->> 'amount')::bigint) from workflow where kind = 'BONUS' and state in ('ACTIVE', 'RELEASED')
			or kind = 'ADJUSTMENT' and state = 'POSTED' and data ->> 'reasonCode' = 'BONUS'
		union all select 'referral_cost', -sum((data ->> 'amount')::bigint) from workflow where kind = 'REFERRAL' and state = 'CLAIMED'
		union all select 'unmatched', sum((data ->> 'paid')::bigint) from workflow where is_open and kind = 'PAYMENT' and state = 'REVIEW'
	), held as (
		select 'hold ' || wallet_id as account, hold as amount from wallet where hold <> 0 and pool = '${pool}'
		union all select 'bonus ' || wallet_id, bonus from wallet where bonus <> 0 and pool = '${pool}'
		union all select kind, balance from house_account where pool = '${pool}'
			and kind in ('payout', 'unmatched', 'bank', 'gateway', 'loss', 'bonus_cost', 'referral_cost')
	)
	select account, said.amount::text as said, held.amount::text as held from said full join held using (account)
	where coalesce(said.amount, 0) <> coalesce(held.amount, 0)`;

/** Postings, balances and amounts of workflows in yen that are not whole coins; postings of a wallet in another pool. */
export const PARTS_OF_COINS = `
	select 'posting' as what, kind, amount::text from posting where pool like '%-JPY' and amount % 100 <> 0
	union all select 'posting of another pool', kind, amount::text from posting join wallet using (wallet_id)
		where wallet_id > 0 and posting.pool <> wallet.pool
	union all select 'wallet', wallet_id::text, cash::text from wallet
		where pool like '%-JPY' and (cash % 100 <> 0 or exposure % 100 <> 0 or hold % 100 <> 0 or bonus % 100 <> 0)
	union all select 'workflow', kind, data ->> 'amount' from workflow where pool like '%-JPY' and (data ->> 'amount')::bigint % 100 <> 0`;

/** Transfers that were credited twice, as payments or by their receipts. */
export const PAID_TWICE = `select data ->> 'utr' as utr from workflow where data ? 'utr' and (kind = 'PAYMENT' or kind = 'DEPOSIT' and state = 'APPROVED')
	group by 1 having count(*) > 1`;

/** Disputes that hold more than is disputed, or whose amount is not accounted for; payments of which more is disputed than was paid. */
export const OVERHELD = `select id::text, state, data::text from workflow where kind = 'DISPUTE' and (
		(data ->> 'held')::bigint not between 0 and (data ->> 'amount')::bigint
		or state in ('OWED', 'LOST') and (data ->> 'taken')::bigint + (data ->> 'rest')::bigint <> (data ->> 'amount')::bigint
		or state = 'WON' and (data ->> 'held')::bigint + (data ->> 'taken')::bigint + (data ->> 'rest')::bigint <> 0)
	union all select payment.id::text, payment.state, payment.data::text from workflow as payment join workflow as dispute
		on dispute.kind = 'DISPUTE' and dispute.state <> 'WON' and (dispute.data ->> 'payment')::bigint = payment.id
	where payment.kind = 'PAYMENT' group by payment.kind, payment.id, payment.state, payment.data
	having sum((dispute.data ->> 'amount')::bigint) > (payment.data ->> 'paid')::bigint`;

/** Referrers who were paid for more friends than the cap, and friends who were linked twice. */
export const referredMoreThan = (cap: number) => `
	select wallet_id as player from workflow where kind = 'REFERRAL' and state = 'CLAIMED' group by 1 having count(*) > ${cap}
	union all select (data ->> 'refereeId')::bigint from workflow where kind = 'REFERRAL' group by 1 having count(*) > 1`;

/** Campaigns that gave more than their budget. */
export const overspent = (campaign: string, currency: Currency, budget: number) => `
	select sum((data ->> 'amount')::bigint)::text as given from workflow where kind = 'BONUS' and data ->> 'campaign' = '${campaign}' and pool = '${poolOf('PLAY', currency)}'
	  and state in ('ACTIVE', 'RELEASED') having sum((data ->> 'amount')::bigint) > ${budget} * 100`;

/** Payouts that are approved and not sent. */
export const UNSENT_PAYOUTS = `select id::text from workflow where kind = 'WITHDRAWAL' and state = 'APPROVED'`;

/** What is stuck in a state that no actor can end, days later. */
export const STUCK = `
	select kind, id::text, state from workflow as open where is_open and (
		kind = 'PAYMENT' and state in ('CREATED', 'PENDING', 'FAILED', 'EXPIRED') or kind = 'ADJUSTMENT' and state = 'APPROVED'
		or kind = 'WITHDRAWAL' and (state in ('APPROVED', 'PROCESSING') or state = 'UNKNOWN' and not exists (
			select 1 from workflow_claim where name = 'finding:payout-without-verdict:' || open.id))
		or kind = 'DEPOSIT' and state = 'SUBMITTED' or kind = 'DISPUTE' and state = 'OWED' and not exists (
			select 1 from workflow as play where play.wallet_id = open.wallet_id and play.is_open and play.kind in ('CASINO', 'WITHDRAWAL'))
			and not exists (select 1 from wallet where wallet.wallet_id = open.wallet_id and exposure > 0)
			and not exists (select 1 from bet where bet.wallet_id = open.wallet_id and ended_at is null) or kind = 'BONUS' and exists (
			select 1 from player_protection where player_id = wallet_id and record ->> 'excludedUntilMs' is not null))
	union all select 'referral', player_id::text, referral_code from player where referral_code <> '' and not exists (
		select 1 from workflow_claim where name = 'referral:' || player_id)
	union all select 'webhook', event_id, state from payment_webhook where state = 'NEW'`;
