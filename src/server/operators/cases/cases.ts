/**
 * Changes of cases. A rule and its subject have one case: a candidate's new facts open it, extend it while it is open, and
 * open it again once it is decided, if they are an alarm by themselves. A fact is in one case of its rule for ever, so a
 * rule that looks again, or in two processes, changes nothing. Each entry is a row of the journal, which is fenced.
 */
import type pg from 'pg';
import { type Candidate, type Fact, sumsOf } from '#server/operators/cases/candidate.ts';
import { factsDigest } from '#server/operators/cases/facts-digest.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import {
	CASE_RULES,
	type CaseEntryKind,
	type CaseOutcome,
	type CaseRuleName,
	type CaseState,
	MOST_FACTS_AT_ONCE,
} from '#values/cases.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { moneyText } from '#values/money-text.ts';
import { DAY_MS } from '#values/time.ts';

interface CasesOptions {
	db: Pick<pg.Pool, 'query'>;
	journal: Journal;
	clock: () => number;
	/** How many days a case of this player's brand may take. */
	decideDaysOf: (playerId: PlayerId) => number;
	/** The queue of cases changed. */
	onChanged: () => void;
}

type TakenAs = 'OPENED' | 'EXTENDED' | 'REOPENED';

interface KnownCase {
	caseId: number;
	state: CaseState;
	entryCount: number;
}

interface NewEntry {
	kind: CaseEntryKind;
	text: string;
	factsDigest: Buffer | null;
}

type Author = Pick<Act, 'actor' | 'address'>;
const BY_RULE: Author = { actor: 'server', address: null };

/** Another process, or another look, was first; the next look sees what it wrote. */
class TakenMeanwhile extends Error {}

export class Cases {
	readonly #options: CasesOptions;

	constructor(options: CasesOptions) {
		this.#options = options;
	}

	/** Takes what a rule sees. @returns what it did to the case; null for nothing new */
	async take(candidate: Candidate): Promise<TakenAs | null> {
		const fresh = await this.#freshFacts(candidate);
		if (fresh.length === 0) return null;
		const known = await this.#caseOf(candidate);
		const as = takenAs(candidate, known, fresh);
		if (as === null) return null;
		try {
			await this.#write(candidate, known, as, fresh.slice(0, MOST_FACTS_AT_ONCE));
		} catch (error) {
			if (error instanceof TakenMeanwhile) return null;
			throw error;
		}
		this.#options.onChanged();
		return as;
	}

	/** The facts that are in no case of the rule, oldest first. */
	async #freshFacts({ rule, facts }: Candidate): Promise<Fact[]> {
		const { rows } = await this.#options.db.query<{ fact: string }>(
			'select fact from compliance_case_fact where rule = $1 and fact = any ($2)',
			[rule, facts.map(({ name }) => name)],
		);
		const known = new Set(rows.map(({ fact }) => fact));
		return facts.filter(({ name }) => !known.has(name)).sort((one, other) => one.atMs - other.atMs);
	}

	async #caseOf({ rule, subject, isCircle, players }: Candidate): Promise<KnownCase | null> {
		const isIts = isCircle
			? 'exists (select 1 from compliance_case_player as its where its.case_id = found.case_id and player_id = any ($2))'
			: 'subject = $2';
		const { rows } = await this.#options.db.query<KnownCase>(
			`select case_id as "caseId", state, entries as "entryCount" from compliance_case as found
			 where rule = $1 and ${isIts} order by case_id limit 1`,
			[rule, isCircle ? players : subject],
		);
		return rows[0] ?? null;
	}

	async #write(candidate: Candidate, known: KnownCase | null, as: TakenAs, facts: readonly Fact[]): Promise<void> {
		const { rule, players } = candidate;
		const sealed = facts.map(({ name, kind, ref, playerId, atMs, amount, words }) => {
			return { fact: name, kind, ref, playerId, atMs, amount, words };
		});
		await this.#options.journal.change(async (client) => {
			const caseId = known === null ? await this.#insert(client, candidate) : await held(client, known);
			const entry = { kind: as, text: summaryOf(rule, facts), factsDigest: factsDigest(sealed) };
			const number = (known?.entryCount ?? 0) + 1;
			const act = await this.#addEntry(client, { caseId, number }, entry, BY_RULE);
			const { rowCount } = await client.query(
				`insert into compliance_case_fact (rule, fact, case_id, entry, player_id, at, kind, ref, amount, words)
				 select $1, fact, $2, $3, "playerId", "atMs", kind, ref, amount, words from jsonb_to_recordset($4::jsonb)
				   as fact (fact text, "playerId" bigint, "atMs" bigint, kind text, ref bigint, amount bigint, words text)
				 on conflict do nothing`,
				[rule, caseId, number, JSON.stringify(sealed)],
			);
			if (rowCount !== sealed.length) throw new TakenMeanwhile();
			await client.query(
				'insert into compliance_case_player (case_id, player_id) select $1, unnest($2::bigint[]) on conflict do nothing',
				[caseId, players],
			);
			await client.query(
				`update compliance_case set state = 'OPEN', outcome = null, due_at = coalesce(due_at, $2) where case_id = $1`,
				[caseId, this.#dueOf(candidate, this.#options.clock())],
			);
			return { result: undefined, act };
		});
	}

	#dueOf({ players: [first = 0] }: Candidate, atMs: number): number {
		return atMs + this.#options.decideDaysOf(first) * DAY_MS;
	}

	async #insert(client: pg.PoolClient, candidate: Candidate): Promise<number> {
		const atMs = this.#options.clock();
		const { rows } = await client.query<{ caseId: number }>(
			`insert into compliance_case (rule, subject, state, opened_at, due_at, changed_at, entries)
			 values ($1, $2, 'OPEN', $3, $4, $3, 0) on conflict (rule, subject) do nothing returning case_id as "caseId"`,
			[candidate.rule, candidate.subject, atMs, this.#dueOf(candidate, atMs)],
		);
		const [made] = rows;
		if (!made) throw new TakenMeanwhile();
		return made.caseId;
	}

	/** @param staffId null for no member. @throws Refused WRONG_STATE for a decided case */
	async assign(caseId: number, staffId: number | null): Promise<void> {
		const { rowCount } = await this.#options.db.query(
			`update compliance_case set owner_id = $2 where case_id = $1 and state = 'OPEN'`,
			[caseId, staffId],
		);
		if (rowCount !== 1) throw new Refused('WRONG_STATE');
		this.#options.onChanged();
	}

	/** Adds a member's note. A note is never changed. */
	async note(caseId: number, text: string, by: Author): Promise<void> {
		await this.#addByMember(caseId, { kind: 'NOTE', text, factsDigest: null }, by);
	}

	/**
	 * Closes a case as two members decided it.
	 * @param seen its entries, as the members saw them
	 * @throws Refused WRONG_STATE for a decided case, and if an entry was added since
	 */
	async decide(
		caseId: number,
		{ seen, outcome, reason }: { seen: number; outcome: CaseOutcome; reason: string },
		by: Author,
	): Promise<void> {
		await this.#addByMember(caseId, { kind: 'DECIDED', text: `${outcome}: ${reason}`, factsDigest: null }, by, {
			seen,
			outcome,
		});
	}

	async #addByMember(
		caseId: number,
		entry: NewEntry,
		by: Author,
		decision: { seen: number; outcome: CaseOutcome } | null = null,
	): Promise<void> {
		await this.#options.journal.change(async (client) => {
			const { rows } = await client.query<KnownCase>(
				'select state, entries as "entryCount" from compliance_case where case_id = $1 for update',
				[caseId],
			);
			const [found] = rows;
			if (!found) throw new Refused('NOT_FOUND');
			const { state, entryCount } = found;
			if (decision && (state !== 'OPEN' || entryCount !== decision.seen)) throw new Refused('WRONG_STATE');
			const act = await this.#addEntry(client, { caseId, number: entryCount + 1 }, entry, by);
			if (decision)
				await client.query(
					`update compliance_case set state = 'DECIDED', outcome = $2, due_at = null where case_id = $1`,
					[caseId, decision.outcome],
				);
			return { result: undefined, act };
		});
		this.#options.onChanged();
	}

	/** @returns the act of the journal */
	async #addEntry(
		client: pg.PoolClient,
		{ caseId, number }: { caseId: number; number: number },
		{ kind, text, factsDigest: digest }: NewEntry,
		{ actor, address }: Author,
	): Promise<Act> {
		const { journal, clock } = this.#options;
		const atMs = clock();
		const author = digest === null ? actor : null;
		const { rows } = await client.query<{ entryId: number }>(
			`insert into compliance_case_entry (case_id, number, at, author, kind, text, facts_digest)
			 values ($1, $2, $3, $4, $5, $6, $7) returning entry_id as "entryId"`,
			[caseId, number, atMs, author, kind, text, digest],
		);
		await client.query('update compliance_case set entries = $2, changed_at = $3 where case_id = $1', [
			caseId,
			number,
			atMs,
		]);
		const row = await journal.keep(client, 'compliance_case_entry', rows[0]?.entryId as number);
		return { actor, address, act: `CASE_${kind}`, subject: `case ${caseId}`, details: { number }, row };
	}
}

/** What the new facts of a candidate do; null for nothing. */
function takenAs(candidate: Candidate, known: KnownCase | null, fresh: readonly Fact[]): TakenAs | null {
	if (known?.state === 'OPEN') return candidate.holds(candidate.facts) ? 'EXTENDED' : null;
	if (!candidate.holds(fresh)) return null;
	return known === null ? 'OPENED' : 'REOPENED';
}

/** @throws TakenMeanwhile if the case has changed since it was read */
async function held(client: pg.PoolClient, { caseId, state, entryCount }: KnownCase): Promise<number> {
	const { rowCount } = await client.query(
		'select from compliance_case where case_id = $1 and state = $2 and entries = $3 for update',
		[caseId, state, entryCount],
	);
	if (rowCount !== 1) throw new TakenMeanwhile();
	return caseId;
}

function summaryOf(rule: CaseRuleName, facts: readonly Fact[]): string {
	const sums = sumsOf(facts).map(([currency, sum]) => moneyText(currency, sum));
	const count = facts.length === 1 ? 'one fact' : `${facts.length} facts`;
	return `${CASE_RULES[rule].title}: ${count} of ${sums.join(' and ')} together.`;
}
