/** The events of an account: one timeline, read from the records of each kind. */
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { inNumbers } from '#server/platform/postgres/numbered-ids.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

type Row = ResultOf<Calls['getActivity']>['items'][number];
type ConfirmedKind = ResultOf<Calls['getConfirmedActivity']>['kind'];

interface ActivityRow extends Pick<Row, 'id' | 'kind' | 'what' | 'reference' | 'userIp'> {
	amount: AnyMinor | null;
	atMs: number;
	/** Of a bet; 0 for others. */
	marketId: MarketId;
}

/**
 * The rows of a player; $1 is the player. From the journal only the player's own acts; the acts of operators are their
 * own record. Reading a provider's answer is no state for players.
 */
const ACTIVITY = `
	select 'login-' || attempt_id as id, 'LOGIN' as kind, case when succeeded then 'SUCCESS' else 'FAILURE' end as what,
	   '' as reference, null::bigint as amount, address, at, 0::bigint as market_id
	 from login_attempt where player_id = $1
	union all
	select 'device-' || attempt_id, 'DEVICE', 'NEW', '', null, address, at, 0
	 from login_attempt where player_id = $1 and is_new_device
	union all
	select 'act-' || seq,
	   case when act like 'API_KEY_%' then 'API_KEY'
	     when act in ('PASSWORD_CHANGED', 'STAKES_CHANGED', 'MOBILE_PROVEN', 'MAIL_PROVEN', 'MAIL_REMOVED', 'PASSKEY_ADDED',
	       'PASSKEY_REMOVED', 'PASSKEY_RENAMED', 'AUTHENTICATOR_ADDED', 'AUTHENTICATOR_REMOVED', 'RECOVERY_CODE_USED', 'TICKET_MESSAGE') then 'ACCOUNT' else 'LIMIT' end,
	   act, coalesce(details ->> 'name', ''), null, address, at, 0
	 from journal where subject = 'player ' || $1 and actor = 'player' and outcome = 'done'
	union all
	select lower(kind) || '-' || id,
	   case when kind = 'WITHDRAWAL' then 'WITHDRAWAL' when kind = 'CASINO' then 'ROUND'
	     when kind in ('PAYMENT', 'DEPOSIT') then 'DEPOSIT' else 'CLAIM' end,
	   case state when 'UNKNOWN' then 'PROCESSING' else state end, coalesce(data ->> 'game', data ->> 'title', case when kind = 'COINS' then data ->> 'reason' end, ''),
	   coalesce(data ->> 'stake', data ->> 'amount')::bigint, null, opened_at, 0
	 from workflow where wallet_id = $1
	   and kind in ('PAYMENT', 'DEPOSIT', 'WITHDRAWAL', 'CASINO', 'BONUS', 'REFERRAL', 'COINS')
	union all
	select 'bet-' || bet_id, 'BET', coalesce(result, case when ended_at is null then 'OPEN' else 'ENDED' end), '', stake, null,
	   placed_at, market_id
	 from bet where wallet_id = $1`;

/** With what the player won or lost in each market, the commission taken off. */
const CONFIRMED = `${ACTIVITY}
	union all
	select 'settlement-' || market_id, 'SETTLEMENT', 'SETTLED', '', profit, null, at, market_id
	 from player_settlement where wallet_id = $1`;

const COLUMNS = 'id, kind, what, reference, amount, address as "userIp", at as "atMs", market_id as "marketId"';

/** The rows as they are shown: those of a market name it. */
async function shown<Kind extends string>(
	fixtures: Parts['fixtures'],
	rows: readonly (Omit<ActivityRow, 'kind'> & { kind: Kind })[],
) {
	const named = await fixtures.named(rows.flatMap(({ marketId }) => (marketId > 0 ? [marketId] : [])));
	return rows.map(({ id, kind, what, reference, amount, userIp, atMs, marketId }) => {
		const market = named.get(marketId);
		return {
			id,
			at: isoTime(atMs),
			kind,
			what,
			reference: market ? `${market.fixture.title} · ${market.listing.name}` : reference,
			amount: amount === null ? null : majorFromMinor(amount),
			userIp,
		};
	});
}

export const activityHandlers = ({ reads, fixtures }: Parts): HandlersOf<'getActivity' | 'getConfirmedActivity'> => ({
	getConfirmedActivity: async ({ id }, caller) => {
		const { rows } = await reads.query<Omit<ActivityRow, 'kind'> & { kind: ConfirmedKind }>(
			`select ${COLUMNS} from (${CONFIRMED}) as activity where id = $2`,
			[playerOf(caller).playerId, id],
		);
		const [row] = await shown(fixtures, rows);
		if (!row) throw new Refused('NOT_FOUND');
		return row;
	},
	getActivity: async ({ kind, from, to, maxResultCount, skipCount }, caller) => {
		const values: unknown[] = [playerOf(caller).playerId];
		const where = ['true'];
		const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
		if (kind) add('kind = ?', kind);
		if (from) add('at >= ?', Date.parse(from));
		if (to) add('at <= ?', Date.parse(to));
		const activity = `from (${ACTIVITY}) as activity where ${where.join(' and ')}`;
		const counted = await reads.query<{ count: number }>(`select count(*)::int as count ${activity}`, values);
		// The ids are read of the rows up to those of the page alone.
		const { rows } = await reads.query<ActivityRow>(
			`select ${COLUMNS} from (
			   select * ${activity} order by at desc fetch first ${skipCount + maxResultCount} rows with ties
			 ) as newest
			 order by at desc, ${inNumbers('id', 'desc')} limit ${maxResultCount} offset ${skipCount}`,
			values,
		);
		return { totalCount: counted.rows[0]?.count ?? 0, items: await shown(fixtures, rows) };
	},
});
