/** The transitions of the tables of funds, and those that the steps in a database have made. */
import type pg from 'pg';
import type { Row } from '#server/money/funds/machine.ts';
import { ALL_MACHINES } from '#server/money/funds/machines/all-machines.ts';

export interface Transition {
	kind: string;
	from: readonly string[];
	event: string;
	/** Null: the state stays. */
	to: string | null;
	/** Only rows that differ in their guard alone need it. */
	guard: string | null;
	name: string;
}

const nameOf = (kind: string, { from, event, to, guard }: Row): string =>
	`${kind} ${event}: ${from.join(', ') || '–'} → ${to ?? 'stays'}${guard ? ` (${guard.text})` : ''}`;

export const TRANSITIONS: readonly Transition[] = ALL_MACHINES.flatMap(({ kind, rows }) =>
	rows.map((row) => {
		const { from, event, to, guard } = row;
		return { kind, from, event, to, guard: guard?.text ?? null, name: nameOf(kind, row) };
	}),
);

/** Events that no operator decides, and that an act or the clock brings about at once. */
const FOLLOWING = new Set(['dispute', 'cancel', 'time-out', 'screen', 'pay-out', 'post', 'settle']);

/** What operators decide at random, by kind; what is named twice is decided more often. */
export const DECISIONS: Readonly<Record<string, readonly string[]>> = {
	PAYMENT: ['credit', 'refund'],
	DISPUTE: ['won', 'lost', 'evidence'],
	DEPOSIT: ['approve', 'approve', 'reject', 'reverse', 'reverse'],
	REFERRAL: ['void', 'claw-back', 'claw-back'],
	WITHDRAWAL: [
		'approve',
		'approve',
		'approve',
		'reject',
		'freeze',
		'release',
		'wait-for-kyc',
		'paid',
		'failed',
		'return',
	],
	ADJUSTMENT: ['approve', 'approve', 'reject'],
	FINDING: ['match', 'credit', 'write-off'],
	BONUS: ['cancel', 'claw-back'],
};

const OF_DEMO_POOL = 'coins of the demo pool';
const BY_PROVIDER = 'the provider returns payments';

/**
 * Transitions that other tests make: those of demo players, of taxes, of disputes, of receipts that another's word displaces, and
 * of payments that a provider returns or takes back.
 */
const isMadeElsewhere = ({ kind, event, from, to, guard }: Transition): boolean =>
	guard === OF_DEMO_POOL ||
	guard === BY_PROVIDER ||
	event === 'returned' ||
	event === 'not-returned' ||
	event === 'charged-back' ||
	kind === 'DISPUTE' ||
	kind === 'TAX' ||
	['dispute-ended', 'displace', 'reopen'].includes(event) ||
	(event === 'dispute' && to === null && from.includes('DISPUTED'));

/**
 * The transitions that the walks over all machines make. The rules doubt every payout of a walk, and no friend of one
 * loses a deposit: `test/calls/identity.test.ts` and `test/calls/referral.test.ts` make these transitions, and
 * `test/funds/evidence-walk.test.ts` those of evidence.
 */
export const WALKED: readonly Transition[] = TRANSITIONS.filter(
	(transition) => !isMadeElsewhere(transition) && transition.event !== 'identify' && transition.event !== 'disqualify',
);

/** Whether an act of a walk can bring it about on a workflow in its state. */
export const canBeNudged = ({ kind, event }: Transition): boolean =>
	DECISIONS[kind]?.includes(event) === true || FOLLOWING.has(event) || (kind === 'PAYMENT' && event === 'succeeded');

interface Step {
	kind: string;
	from: string | null;
	to: string;
	/** Of an adjustment. */
	isCredit: boolean | null;
	isBonus: boolean | null;
	/** The fields of the workflow's data that the step changed. */
	sets: string[];
}

/** Of an adjustment: it gives to the player, or takes. */
export const isCreditGuard = (guard: string | null): boolean => guard?.startsWith('credit') ?? false;
export const isBonusGuard = (guard: string | null): boolean => guard?.endsWith('bonus') ?? false;

/** The event of a step that leaves a dispute in its state. */
function changeOf(sets: readonly string[]): string {
	if (sets.includes('proposed')) return 'propose';
	if (sets.includes('evidence')) return 'evidence';
	if (sets.includes('taken')) return 'take';
	return sets.includes('held') ? 'hold' : 'hear';
}

/** A step does not name its event; where two rows have the same states, what it moved tells them apart. */
function isOf({ kind, from, event, to, guard }: Transition, step: Step): boolean {
	const fits = step.from === null ? from.length === 0 : from.includes(step.from);
	if (kind !== step.kind || !fits || (to ?? step.from) !== step.to) return false;
	// The walks' provider returns none.
	if (guard === BY_PROVIDER) return false;
	if (kind === 'ADJUSTMENT' && event === 'post')
		return isCreditGuard(guard) === step.isCredit && isBonusGuard(guard) === step.isBonus;
	if (kind === 'BONUS' && step.from === 'ACTIVE' && step.to === 'RELEASED')
		return step.sets.includes('amount') === (event === 'refund');
	if (kind === 'PAYMENT' && step.from === 'DISPUTED' && step.to === 'DISPUTED')
		return step.sets.includes('lost') === (event === 'dispute-ended');
	if (kind === 'PAYMENT' && step.from === 'REVIEW' && step.to === 'REVIEW')
		return step.sets.includes('chargebacks') === (event === 'charged-back');
	if (kind === 'DISPUTE' && step.from === step.to) return event === changeOf(step.sets);
	return true;
}

/** The names of the transitions that were made. @throws when a step is of no row */
export async function transitionsMade(db: pg.Pool): Promise<string[]> {
	const { rows } = await db.query<Step>(
		`select distinct kind, from_state as "from", to_state as "to", (workflow.data ->> 'isCredit')::boolean as "isCredit",
		   workflow.data ->> 'reasonCode' = 'BONUS' as "isBonus",
		   array(select jsonb_object_keys(step.data) order by 1) as sets
		 from workflow_step as step join workflow using (kind, id) where kind = any($1)`,
		[ALL_MACHINES.map(({ kind }) => kind)],
	);
	return rows.flatMap((step) => {
		const made = TRANSITIONS.filter((transition) => isOf(transition, step));
		if (made.length !== 1) throw new Error(`${made.length} rows fit the step ${JSON.stringify(step)}`);
		return made.map(({ name }) => name);
	});
}
