/** Runs an act for an operator and records it in the journal with its outcome. */

import type { Act, Actor, AskedAct, Confirmed, OperatorOptions } from '#server/operators/act.ts';
import { replacedBy, standing, subjectOf } from '#server/operators/act-record.ts';
import { checkNotOwn } from '#server/operators/authorize.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import type { BegunAct } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';

/**
 * Fields that are kept out of the journal: secrets, a document's number, a file with the references of many players, the
 * bytes of a picture, and what is written to and about a player, which is erased with the person.
 */
const SECRET = new Set(['password', 'document', 'report', 'image', 'text', 'topic', 'note', 'tag']);

/** How long a read waits for a process that may have been deposed. */
const LOOK_WITHIN_MS = 5_000;

export const withoutSecrets = (input: object): Record<string, unknown> =>
	Object.fromEntries(Object.entries(input).filter(([name]) => !SECRET.has(name)));

/** An act requested by an operator. */
interface Running {
	act: Act;
	asked: AskedAct;
	/** Of the proposal that is being confirmed. */
	confirmed?: Confirmed;
}

/** Another process has taken over, or the database is unavailable. */
const isElsewhere = (error: unknown): boolean =>
	isDatabaseFault(error) || (error instanceof Refused && error.code === 'DRAINING');

/**
 * @returns the result of the act
 * @throws Refused the refusals of the act; OUTCOME_UNKNOWN if its row could not be written
 */
export async function runAct(
	{ act, asked, confirmed }: Running,
	options: OperatorOptions,
	by: Actor,
): Promise<unknown> {
	const { input } = asked;
	if (act.looks) {
		if (!act.isOwn) await options.exchange.fresh(performance.now() + LOOK_WITHIN_MS);
		return await asked.run(options, by);
	}
	if (!act.isUrgent) await endInterrupted(options);
	const { journal } = options;
	const { actor, address } = by;
	const note = {
		actor,
		address,
		act: act.name,
		subject: subjectOf(input),
		details: withoutSecrets(input),
		before: standing(input, options),
	};
	const noted = journal.begin(note);
	// An urgent act waits for its note only before it is answered. The note is sent before the act's batch nevertheless.
	if (act.isUrgent) noted.catch(() => undefined);
	else await noted;
	let outcome = 'done';
	try {
		// An urgent act is about no account, and waits for nothing here.
		if (!act.isUrgent) await checkNotOwn(act, asked, options, actor);
		return await asked.run(options, by, confirmed);
	} catch (error) {
		outcome = error instanceof Refused ? error.code : 'INTERNAL';
		throw error;
	} finally {
		const after = standing(input, options);
		const isDone = outcome === 'done';
		const end = async (begun: BegunAct) => {
			const noted = begun.before;
			// The act has its row whether or not the version can be read.
			const before = isDone ? await replacedBy(input, { before: noted, after }, options).catch(() => noted) : noted;
			await journal.end({ ...begun, before }, { after, outcome });
		};
		await noted.then(
			(begun) =>
				end(begun).catch((error: unknown) => {
					// The row is written by another process, or when the database is available again. A refusal stays a
					// refusal.
					if (!isElsewhere(error)) throw error;
					if (isDone) throw new Refused('OUTCOME_UNKNOWN');
				}),
			() => journal.write({ ...note, after, outcome }),
		);
	}
}

/**
 * Writes the rows of acts that a kill or a refusing database interrupted, before others begin. The current state of its
 * subject shows whether such an act was done.
 */
export async function endInterrupted(options: OperatorOptions): Promise<void> {
	const ending = (await options.journal.unfinished()).map((begun) => {
		const after = standing(begun.details ?? {}, options);
		return options.journal.end(begun, { after, outcome: 'INTERRUPTED' });
	});
	// One that fails stays unfinished and does not block the others.
	const failed = (await Promise.allSettled(ending)).find(({ status }) => status === 'rejected');
	if (failed?.status === 'rejected') throw failed.reason;
}
