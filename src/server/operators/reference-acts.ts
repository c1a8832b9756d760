/** Finds what a pasted reference names, and answers where its money is. */
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Actor, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { languageOf } from '#server/operators/player-language.ts';
import { searchPlayers } from '#server/operators/player-page.ts';
import { findBet } from '#server/operators/references/bet-subject.ts';
import { findMarket } from '#server/operators/references/market-subject.ts';
import { findPlayer } from '#server/operators/references/player-subject.ts';
import { readReference, type SubjectKind, type SubjectRef } from '#server/operators/references/read-reference.ts';
import { type FindSubject, MOST_POSTINGS, type Subject } from '#server/operators/references/subject.ts';
import { ANSWER_TEXTS } from '#server/operators/references/texts/answer-texts.ts';
import { subjectsWithUtr, WORKFLOW_SUBJECTS } from '#server/operators/references/workflow-subject.ts';
import { LANGUAGES } from '#values/languages.ts';
import { majorFromMinor } from '#values/money.ts';
import { nameKey } from '#values/name-key.ts';

type Answer = NonNullable<OperatorResult<OperatorCalls['reference-find']>['answer']>;

const SUBJECTS: Readonly<Record<SubjectKind, FindSubject>> = {
	...WORKFLOW_SUBJECTS,
	bet: findBet,
	player: findPlayer,
	market: findMarket,
};

/** Players by name or mobile; a whole name excludes the longer ones that begin with it. */
async function playersNamed(parts: OperatorOptions, query: string, by: Actor): Promise<SubjectRef[]> {
	const found = await searchPlayers(parts, query, by, ['mobile', 'name']);
	const whole = found.filter(({ userName }) => nameKey(userName) === nameKey(query));
	return (whole.length > 0 ? whole : found).map(({ playerId }) => ({ kind: 'player', id: Number(playerId) }));
}

const isVisible = ({ playerId }: Subject, { players }: OperatorOptions, { member }: Actor): boolean =>
	playerId === null || !member?.brands || member.brands.includes(players.brandOf(playerId) ?? '');

async function subjectsOf(parts: OperatorOptions, reference: string, by: Actor): Promise<Subject[]> {
	const { refs, utr, player } = readReference(reference);
	const [withUtr, named] = await Promise.all([
		utr === null ? [] : subjectsWithUtr(parts, utr),
		player === null ? [] : playersNamed(parts, player, by),
	]);
	const all = new Map([...refs, ...withUtr, ...named].map((ref) => [`${ref.kind} ${ref.id}`, ref]));
	const subjects = await Promise.all([...all.values()].map(({ kind, id }) => SUBJECTS[kind](parts, id)));
	return subjects.filter((subject) => subject !== null).filter((subject) => isVisible(subject, parts, by));
}

function foundView({ kind, id, playerId, about, marketId }: Subject, { players, exchange, fixtures }: OperatorOptions) {
	const player =
		playerId === null
			? null
			: {
					playerId: String(playerId),
					userName: players.nameOf(playerId) ?? '',
					brand: players.brandOf(playerId) ?? '',
					pool: exchange.wallet(playerId)?.pool ?? '',
				};
	const fixtureId = marketId === undefined ? undefined : fixtures.market(marketId)?.fixtureId;
	return {
		reference: `${kind} ${id}`,
		kind,
		id: String(id),
		about,
		player,
		eventId: fixtureId === undefined ? null : String(fixtureId),
		marketId: marketId === undefined ? null : String(marketId),
	};
}

async function answerOf(subject: Subject, parts: OperatorOptions): Promise<Answer> {
	const { say, postings } = await subject.answer();
	return {
		language: subject.playerId === null ? 'en' : languageOf(parts, subject.playerId),
		sentences: Object.fromEntries(
			LANGUAGES.map((language) => [language, say(ANSWER_TEXTS[language])]),
		) as Answer['sentences'],
		postings: postings.slice(-MOST_POSTINGS).map(({ batch, line, at, kind, debit, credit, amount }) => ({
			id: `${batch}-${line}`,
			at: isoTime(at),
			kind,
			debit,
			credit,
			amount: majorFromMinor(amount),
		})),
	};
}

export const REFERENCE_ACTS: ActsOf<'reference-find'> = {
	'reference-find': async ({ reference }, parts, by) => {
		const subjects = await subjectsOf(parts, reference, by);
		const [only, ...others] = subjects;
		return {
			found: subjects.map((subject) => foundView(subject, parts)),
			answer: only && others.length === 0 ? await answerOf(only, parts) : null,
		};
	},
};
