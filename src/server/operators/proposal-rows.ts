/** Proposals in the database. Each state of one is a row of the journal. */
import type pg from 'pg';
import type * as v from 'valibot';
import type { Preview, Proposal } from '#contract/operators/proposals.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import type { Act as JournalAct } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';

export type ProposalView = v.InferInput<typeof Proposal>;
export type PreviewView = v.InferInput<typeof Preview>;
type ProposalState = ProposalView['state'];

export interface ProposalRow {
	proposal_id: number;
	act: string;
	input: Record<string, unknown>;
	subject: string;
	reason: string;
	preview: PreviewView;
	basis: string;
	/** Null for a result that a feed reports. */
	proposed_by: number | null;
	proposed_at: number;
	state: ProposalState;
	decided_by: number | null;
	decided_at: number | null;
	outcome: string | null;
	half_key_id: string | null;
	half: Buffer | null;
}

export type NewProposal = Pick<
	ProposalRow,
	'act' | 'input' | 'subject' | 'reason' | 'preview' | 'basis' | 'proposed_by'
> &
	Partial<Pick<ProposalRow, 'half_key_id' | 'half'>>;

type Storing = Pick<OperatorOptions, 'journal' | 'changes'>;

/** A move of a proposal from one state to another. */
export interface Move {
	from: ProposalState;
	to: ProposalState;
	/** The member who makes the transition; null for a feed. */
	staffId: number | null;
	/** The name for the journal. */
	actor: string;
	outcome: string | null;
}

/** Resolves when it is durable. */
export async function addProposal(parts: Storing, made: NewProposal, actor: string): Promise<ProposalRow> {
	const row = await parts.journal.change(async (client) => {
		const result = await insert(client, made);
		return { result, act: await stateAct(client, parts, result, actor) };
	});
	parts.changes.proposalsChanged();
	return row;
}

/** @throws Refused WRONG_STATE if another request was first */
export async function moveProposal(parts: Storing, row: ProposalRow, move: Move): Promise<void> {
	await replaceProposal(parts, [row, move], null);
}

/**
 * Moves a proposal and creates its replacement, atomically.
 * @throws Refused WRONG_STATE if another request was first
 */
export async function replaceProposal(
	parts: Storing,
	[{ proposal_id: proposalId }, { from, to, staffId, actor, outcome }]: readonly [row: ProposalRow, move: Move],
	next: NewProposal | null,
): Promise<void> {
	await parts.journal.change(async (client) => {
		const { rows } = await client.query<ProposalRow>(
			`update proposal set state = $3, decided_by = $4, decided_at = $5, outcome = $6,
			   half = case when $3 in ('OPEN', 'APPLYING') then half end
			 where proposal_id = $1 and state = $2 returning *`,
			[proposalId, from, to, staffId, Date.now(), outcome],
		);
		const [moved] = rows;
		if (!moved) throw new Refused('WRONG_STATE');
		const act = await stateAct(client, parts, moved, actor);
		const nextAct = next && (await stateAct(client, parts, await insert(client, next), actor));
		return { result: undefined, act, ...(nextAct ? { nextAct } : {}) };
	});
	parts.changes.proposalsChanged();
}

/** @throws Refused NOT_FOUND */
export async function findProposal({ db }: Pick<OperatorOptions, 'db'>, proposalId: string): Promise<ProposalRow> {
	const { rows } = await db.query<ProposalRow>('select * from proposal where proposal_id = $1', [Number(proposalId)]);
	const [row] = rows;
	if (!row) throw new Refused('NOT_FOUND');
	return row;
}

interface Wanted {
	/** Pending ones alone, of which those of members come before those of feeds. */
	isOpen: boolean;
	subject: string | null;
	acts: readonly string[];
	/** Leaves out those that name a brand or a player of another one; null for all. */
	brands: readonly string[] | null;
	most: number;
}

/** A page of proposals, newest first. @param last of the page before; null for the first page */
export async function proposalsAfter(
	{ db }: Pick<OperatorOptions, 'db'>,
	{ isOpen, subject, acts, brands, most }: Wanted,
	last: ProposalRow | null,
): Promise<ProposalRow[]> {
	const rank = `(proposed_by is null and ${isOpen})`;
	const { rows } = await db.query<ProposalRow>(
		`select * from proposal where act = any ($1) and ($2::text is null or subject = $2)
		   ${isOpen ? "and state in ('OPEN', 'APPLYING')" : ''}
		   and ($3::text[] is null or coalesce(input ->> 'host' = any ($3), true) and (input ->> 'playerId' is null or exists (
		     select 1 from player where player_id = (input ->> 'playerId')::bigint and brand = any ($3))))
		   and ($4::bigint is null or (${rank}, -proposed_at, -proposal_id) > ($5::boolean, -$6::bigint, -$4::bigint))
		 order by ${rank}, proposed_at desc, proposal_id desc limit ${most}`,
		[acts, subject, brands, last?.proposal_id ?? null, isOpen && last?.proposed_by === null, last?.proposed_at ?? null],
	);
	return rows;
}

async function insert(client: pg.PoolClient, made: NewProposal): Promise<ProposalRow> {
	const { act, input, subject, reason, preview, basis, proposed_by: by, half_key_id: keyId = null, half = null } = made;
	const { rows } = await client.query<ProposalRow>(
		`insert into proposal
		   (act, input, subject, reason, preview, basis, proposed_by, proposed_at, state, half_key_id, half)
		 values ($1, $2, $3, $4, $5, $6, $7, $8, 'OPEN', $9, $10) returning *`,
		[act, input, subject, reason, preview, basis, by, Date.now(), keyId, half],
	);
	return rows[0] as ProposalRow;
}

/** The journal's row of a proposal's new state. */
async function stateAct(
	client: pg.PoolClient,
	{ journal }: Pick<OperatorOptions, 'journal'>,
	{ proposal_id: proposalId, state, outcome }: ProposalRow,
	actor: string,
): Promise<JournalAct> {
	const subject = `proposal ${proposalId}`;
	const row = await journal.keep(client, 'proposal', proposalId);
	return { actor, address: null, act: 'proposal-state', subject, details: { state, outcome }, row };
}

/** Those whose confirmations a kill of the server interrupted. */
export async function interruptedProposals({ db }: Pick<OperatorOptions, 'db'>): Promise<ProposalRow[]> {
	const { rows } = await db.query<ProposalRow>("select * from proposal where state = 'APPLYING' order by proposal_id");
	return rows;
}
