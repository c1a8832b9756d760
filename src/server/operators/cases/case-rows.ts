/** Cases as they are read: the queue, one case with its evidence, and how often each rule was right. */
import type pg from 'pg';
import { inNumbers } from '#server/platform/postgres/numbered-ids.ts';
import type { CaseEntryKind, CaseFactKind, CaseOutcome, CaseRuleName, CaseState } from '#values/cases.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

type Db = Pick<pg.ClientBase, 'query'>;

export interface CaseRow {
	caseId: number;
	rule: CaseRuleName;
	subject: string;
	state: CaseState;
	outcome: CaseOutcome | null;
	owner: string | null;
	openedAtMs: number;
	/** Null once it is decided. */
	dueAtMs: number | null;
	changedAtMs: number;
	entryCount: number;
	factCount: number;
	/** The one that sets the deadline first. */
	players: { playerId: PlayerId; userName: string; brand: string }[];
}

interface CaseEntry {
	number: number;
	atMs: number;
	/** Null for a rule. */
	author: string | null;
	kind: CaseEntryKind;
	text: string;
}

export interface CaseFact {
	fact: string;
	/** The number of the entry that it came with. */
	entry: number;
	playerId: PlayerId;
	atMs: number;
	kind: CaseFactKind;
	ref: number;
	amount: AnyMinor | null;
	currency: Currency;
	words: string;
}

const CASES = `
	select case_id as "caseId", rule, subject, state, outcome, staff.name as owner, opened_at as "openedAtMs",
	  due_at as "dueAtMs", changed_at as "changedAtMs", entries as "entryCount",
	  (select count(*)::int from compliance_case_fact as fact where fact.case_id = found.case_id) as "factCount",
	  (select jsonb_agg(jsonb_build_object('playerId', player_id, 'userName', user_name, 'brand', brand) order by player_id)
	     from compliance_case_player join player using (player_id) where compliance_case_player.case_id = found.case_id) as players
	from compliance_case as found left join staff on staff_id = owner_id`;

/** Members of single brands see the cases that are about players of these brands alone. */
const IS_VISIBLE = `($1::text[] is null or not exists (select 1 from compliance_case_player join player using (player_id)
	where compliance_case_player.case_id = found.case_id and brand <> all ($1)))`;

/** Limit of listed cases. */
const MOST_LISTED = 500;

const LISTED = {
	OPEN: { where: `state = 'OPEN'`, order: 'due_at, case_id' },
	DECIDED: { where: `state = 'DECIDED'`, order: 'changed_at desc, case_id desc' },
};

/**
 * The open cases, soonest due first; those decided last; or a player's, changed last first.
 * @param brands hosts; null for all
 */
export async function listedCases(
	db: Db,
	brands: readonly string[] | null,
	of: CaseState | PlayerId,
): Promise<CaseRow[]> {
	const isOfPlayer = typeof of === 'number';
	const { where, order } = isOfPlayer
		? {
				where: 'case_id in (select case_id from compliance_case_player where player_id = $2)',
				order: 'changed_at desc, case_id desc',
			}
		: LISTED[of];
	const { rows } = await db.query<CaseRow>(
		`${CASES} where ${where} and ${IS_VISIBLE} order by ${order} limit ${MOST_LISTED}`,
		isOfPlayer ? [brands, of] : [brands],
	);
	return rows;
}

/** @throws Refused NOT_FOUND */
export async function caseOf(db: Db, caseId: number): Promise<CaseRow> {
	const { rows } = await db.query<CaseRow>(`${CASES} where case_id = $1`, [caseId]);
	const [row] = rows;
	if (!row) throw new Refused('NOT_FOUND');
	return row;
}

/** Oldest first. */
export async function entriesOf(db: Db, caseId: number): Promise<CaseEntry[]> {
	const { rows } = await db.query<CaseEntry>(
		'select number, at as "atMs", author, kind, text from compliance_case_entry where case_id = $1 order by number',
		[caseId],
	);
	return rows;
}

/** In the order of time. */
export async function factsOf(db: Db, caseId: number): Promise<CaseFact[]> {
	const { rows } = await db.query<Omit<CaseFact, 'currency'> & { pool: Pool }>(
		`select fact, entry, player_id as "playerId", at as "atMs", kind, ref, amount, pool, words
		 from compliance_case_fact join player using (player_id) where case_id = $1 order by at, ${inNumbers('fact')}`,
		[caseId],
	);
	return rows.map(({ pool, ...fact }) => ({ ...fact, currency: currencyOf(pool) }));
}

/** How many cases each rule has, by their last outcome; null for those that are open. */
export async function countByRule(
	db: Db,
	brands: readonly string[] | null,
): Promise<{ rule: CaseRuleName; outcome: CaseOutcome | null; count: number }[]> {
	const { rows } = await db.query<{ rule: CaseRuleName; outcome: CaseOutcome | null; count: number }>(
		`select rule, outcome, count(*)::int as count from compliance_case as found where ${IS_VISIBLE} group by rule, outcome`,
		[brands],
	);
	return rows;
}

/** How many cases of some brands are open, and how many are past their deadline. */
export async function countOpenCases(
	db: Db,
	brands: readonly string[] | null,
	nowMs: number,
): Promise<{ open: number; overdue: number }> {
	const { rows } = await db.query<{ open: number; overdue: number }>(
		`select count(*)::int as open, count(*) filter (where due_at < $2)::int as overdue
		 from compliance_case as found where state = 'OPEN' and ${IS_VISIBLE}`,
		[brands, nowMs],
	);
	return rows[0] ?? { open: 0, overdue: 0 };
}
