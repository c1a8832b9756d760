/** Acts on the identity of persons. */
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ProtectionRecord } from '#server/money/funds/protection/protection-record.ts';
import type { Actor, ActPreview, ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { seesBrand } from '#server/operators/today-acts.ts';
import { relationOf } from '#server/people/persons/relation.ts';
import { Refused } from '#values/error-catalogue.ts';

interface KeptRow {
	playerId: number;
	userName: string;
	brand: string;
	others: number[];
	before: ProtectionRecord | null;
	record: ProtectionRecord;
}

/** Undecided cases, of one player or of all. */
async function keptBars({ db }: OperatorOptions, playerId: number | null): Promise<KeptRow[]> {
	const { rows } = await db.query<KeptRow>(
		`select player_id as "playerId", user_name as "userName", brand, others, before, record from bar_on_hint
		 join player using (player_id) join player_protection using (player_id)
		 where decided_at is null and ($1::bigint is null or player_id = $1) order by player_id`,
		[playerId],
	);
	return rows;
}

/** @throws Refused NOT_FOUND */
async function keptBarOf(parts: OperatorOptions, playerId: string): Promise<KeptRow> {
	const [row] = await keptBars(parts, Number(playerId));
	if (!row) throw new Refused('NOT_FOUND');
	return row;
}

const timeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

/** @throws Refused UNKNOWN_USER */
async function related(
	{ playerId, otherId }: { playerId: string; otherId: string },
	{ reads, players }: OperatorOptions,
	{ member }: Actor,
) {
	for (const id of [playerId, otherId]) if (players.brandOf(Number(id)) === null) throw new Refused('UNKNOWN_USER');
	const accountOf = (id: number) => {
		const [userName, brand] = [players.nameOf(id) ?? String(id), players.brandOf(id) ?? ''];
		return seesBrand(member, brand) ? { playerId: String(id), userName, brand } : null;
	};
	const { path, isCut } = await relationOf(reads, Number(playerId), Number(otherId));
	const hops = path?.map(({ playerId: next, reasons }) => ({
		account: accountOf(next),
		reasons: reasons.map(({ why, sinceMs }) => ({ why, since: timeOrNull(sinceMs) })),
	}));
	return { path: hops ?? null, isCut };
}

const said = (summary: string[], basis: unknown): ActPreview => ({
	summary,
	lines: [],
	total: 0,
	sums: [],
	basis: JSON.stringify(basis),
});

export const PERSON_ACTS: ActsOf<'related' | 'fact-refute' | 'bars-on-hints' | 'bar-on-hint-decide'> = {
	related: related,
	'fact-refute': async ({ playerId, otherId, kind, reason }, { funds }, { actor, address }) => {
		const by = { actor, address };
		const refuted = await funds.persons.refute(Number(playerId), { otherId: Number(otherId), kind, reason }, by);
		return { refuted };
	},
	'bars-on-hints': async (_, parts, { member }) => {
		const rows = (await keptBars(parts, null)).filter(({ brand }) => seesBrand(member, brand));
		return rows.map(({ playerId, userName, brand, others, record }) => ({
			playerId: String(playerId),
			userName,
			brand,
			excludedUntil: timeOrNull(record.excludedUntilMs),
			timeOutUntil: timeOrNull(record.timeOutUntilMs),
			limits: Object.keys(record.limits),
			others: others.map(String),
		}));
	},
	'bar-on-hint-decide': async ({ playerId, lifts }, parts, { actor, address }) => {
		const { before } = await keptBarOf(parts, playerId);
		await parts.funds.protection.decideKept(Number(playerId), lifts ? (before?.limits ?? {}) : null, {
			actor,
			address,
		});
		return { lifted: lifts };
	},
};

export const PERSON_PREVIEWS: PreviewsOf<'fact-refute' | 'bar-on-hint-decide'> = {
	'fact-refute': {
		preview: async ({ playerId, otherId, kind }, { funds, players }) => {
			const shared = await funds.persons.shared(Number(playerId), { otherId: Number(otherId), kind });
			if (shared.length === 0) throw new Refused('NOT_FOUND');
			const [own, other] = [playerId, otherId].map((id) => players.nameOf(Number(id)) ?? id);
			return said([`The ${kind} that ${own} shares with ${other} is not of ${own}.`], shared);
		},
		isDone: async ({ playerId, otherId, kind }, { funds }) =>
			(await funds.persons.shared(Number(playerId), { otherId: Number(otherId), kind })).length === 0,
	},
	'bar-on-hint-decide': {
		preview: async ({ playerId, lifts }, parts) => {
			const { userName, before, record } = await keptBarOf(parts, playerId);
			const what = lifts
				? `The exclusion and the break of ${userName} end, and its limits are those it set itself.`
				: `${userName} keeps its limits and breaks.`;
			return said([what], [before, record, lifts]);
		},
		isDone: async ({ playerId, lifts }, { db }) => {
			const { rowCount } = await db.query('select from journal where act = $1 and subject = $2 limit 1', [
				lifts ? 'KEPT_BAR_LIFTED' : 'KEPT_BAR_LEFT',
				`player ${playerId}`,
			]);
			return rowCount === 1;
		},
	},
};
