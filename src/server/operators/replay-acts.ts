/** A market as it was at any time, and its sealed export. */

import { hasDetachedBets } from '#server/exchange/ledger/detached-months.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Actor, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { listingOf } from '#server/operators/named-market.ts';
import { type MarketPast, pastOf } from '#server/operators/replay/market-past.ts';
import { momentsOf, replayedAt } from '#server/operators/replay/replayed-market.ts';
import { sealedExport } from '#server/platform/public-log/sealed-export.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';

/** The act of the journal that has an export's digest. */
const EXPORTED = 'MARKET_EXPORTED';
const MOST_MOMENTS = 1_000;
const MOST_BETS = 50;
const MOST_ACTS = 50;

interface JournalRow {
	seq: number;
	at: number;
	actor: string;
	act: string;
	subject: string;
	outcome: string;
}

/** Acts of operators and the server on a market and its event, oldest first. */
async function actsOn({ reads }: OperatorOptions, marketId: number, fixtureId: number): Promise<JournalRow[]> {
	const subjects = [subjectOf({ marketId: String(marketId) }), subjectOf({ eventId: String(fixtureId) })];
	const { rows } = await reads.query<JournalRow>(
		'select seq, at, actor, act, subject, outcome from journal where subject = any ($1) order by seq',
		[subjects],
	);
	return rows;
}

interface MarkRow {
	at: number;
	kind: string;
	side: number | null;
}

/** Events of play and scores by hand, oldest first. */
async function playOf({ reads }: OperatorOptions, fixtureId: number): Promise<{ marks: MarkRow[]; cards: object[] }> {
	const [marks, cards] = await Promise.all([
		reads.query<MarkRow>('select at, kind, side from fixture_mark where fixture_id = $1 order by at', [fixtureId]),
		reads.query<{ at: number; act: string; card: object }>(
			'select at, act, actor, card from own_score where fixture_id = $1 order by version',
			[fixtureId],
		),
	]);
	return { marks: marks.rows, cards: cards.rows };
}

/** The command line's key opens everything. */
const maySeePlayers = ({ member }: Actor): boolean => member === null || member.permissions.has('players.read');

const level = ({ price, size }: { price: number; size: number }) => ({
	price: decimalFromPrice(price),
	size: majorFromMinor(size),
});

/** Wallets of players by a number of the file alone; those of the house are named. */
function pseudonyms({ bets }: MarketPast): (walletId: number) => string {
	const numbers = new Map<number, string>();
	for (const { walletId } of bets)
		if (!numbers.has(walletId))
			numbers.set(walletId, walletId < FIRST_PLAYER_ID ? `house ${walletId}` : `player ${numbers.size + 1}`);
	return (walletId) => numbers.get(walletId) ?? '';
}

/** The records of a market, a JSON line for each. */
function recordsOf(
	past: MarketPast,
	about: { market: object; settlements: { walletId: number }[]; acts: JournalRow[]; play: object },
	whoIs: (walletId: number) => string,
): { kind: string }[] {
	const { market, settlements, acts, play } = about;
	const named = <Row extends { walletId: number }>({ walletId, ...row }: Row) => ({ ...row, who: whoIs(walletId) });
	return [
		{ kind: 'market', ...market },
		{ kind: 'play', ...play },
		...past.bets.map((bet) => ({ kind: 'bet', ...named(bet) })),
		...past.matches.map((match) => ({ kind: 'match', ...match })),
		...past.events.map((event) => ({ kind: 'event', ...event })),
		...settlements.map((row) => ({ kind: 'settlement', ...named(row) })),
		...acts.map((row) => ({ kind: 'act', ...row })),
	];
}

async function exported(parts: OperatorOptions, marketId: string, hasPersons: boolean, by: Actor) {
	const { reads, exchange, fixtures } = parts;
	if (hasPersons && !maySeePlayers(by)) throw new Refused('FORBIDDEN');
	const listing = await listingOf(parts, marketId);
	// A sealed file without them would say that there were none.
	if (await hasDetachedBets(parts.db, listing.id))
		throw new Refused('WRONG_MARKET_STATE', {}, 'Bets of the market are in a detached month. Attach it first.');
	const [past, acts, play, settlements] = await Promise.all([
		pastOf(reads, listing.id),
		actsOn(parts, listing.id, listing.fixtureId),
		playOf(parts, listing.fixtureId),
		reads.query<{ walletId: number; net: number; commission: number; at: number }>(
			`select wallet_id as "walletId", net, commission, at from player_settlement where market_id = $1
			 order by wallet_id`,
			[listing.id],
		),
	]);
	const pseudonym = pseudonyms(past);
	const state = exchange.market(listing.id);
	const market = {
		listing,
		event: fixtures.fixture(listing.fixtureId)?.title ?? '',
		status: state?.status ?? null,
		results: state?.results ?? null,
	};
	const records = recordsOf(past, { market, settlements: settlements.rows, acts, play }, (walletId) =>
		hasPersons ? String(walletId) : pseudonym(walletId),
	);
	const lines = records.map((record) => `${canonicalJson(record)}\n`).join('');
	const exportedAt = isoTime(Date.now());
	const counts: Record<string, number> = {};
	for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1;
	const about = { marketId, exportedAt, exportedBy: by.actor, hasPersons, counts };
	return { ...sealedExport(parts.ledgerKey, lines, about), exportedAt };
}

export const REPLAY_ACTS: ActsOf<'market-replay' | 'market-export'> = {
	'market-replay': async ({ marketId, at }, parts, by) => {
		const listing = await listingOf(parts, marketId);
		const [past, journal, { marks }] = await Promise.all([
			pastOf(parts.reads, listing.id),
			actsOn(parts, listing.id, listing.fixtureId),
			playOf(parts, listing.fixtureId),
		]);
		const moments = momentsOf(
			past,
			journal.map(({ at: on }) => on),
			MOST_MOMENTS,
		);
		const [from, to] = [moments[0], moments.at(-1)];
		const atMs = at === undefined ? (to ?? parts.exchange.now()) : Date.parse(at);
		const { state, bets, books } = replayedAt(past, listing.runners.length, atMs);
		const acts = [
			...journal.map(({ at: on, actor, act, outcome }) => ({
				on,
				who: actor,
				what: outcome === 'done' ? act : `${act}: ${outcome}`,
			})),
			...marks.map(({ at: on, kind, side }) => ({
				on,
				who: 'play',
				what: side === null ? kind.toLowerCase() : `${kind.toLowerCase()}, side ${side + 1}`,
			})),
		]
			.filter(({ on }) => on <= atMs)
			.sort((one, other) => other.on - one.on);
		return {
			marketId,
			market: listing.name,
			eventId: String(listing.fixtureId),
			event: parts.fixtures.fixture(listing.fixtureId)?.title ?? '',
			at: isoTime(atMs),
			from: from === undefined ? null : isoTime(from),
			to: to === undefined ? null : isoTime(to),
			moments: moments.map(isoTime),
			state: state && { status: state.status ?? '', inPlay: state.inPlay ?? false, version: state.version ?? 0 },
			runners: listing.runners.map(({ name }) => name),
			books: [...books].map(([pool, runners]) => ({
				pool,
				runners: runners.map(({ back, lay, last, matched }) => ({
					back: back.map(level),
					lay: lay.map(level),
					last: last === null ? null : decimalFromPrice(last),
					matched: majorFromMinor(matched),
				})),
			})),
			bets: bets
				.filter(({ walletId }) => walletId >= FIRST_PLAYER_ID)
				.slice(-MOST_BETS)
				.toReversed()
				.map(({ betId, placedAtMs, walletId, runner, side, price, stake, matched, resting }) => ({
					betId: String(betId),
					at: isoTime(placedAtMs),
					playerId: maySeePlayers(by) ? String(walletId) : null,
					runner: listing.runners[runner]?.name ?? '',
					side: sideName(side),
					price: decimalFromPrice(price),
					stake: majorFromMinor(stake),
					matched: majorFromMinor(matched),
					resting: majorFromMinor(resting),
				})),
			acts: acts.slice(0, MOST_ACTS).map(({ on, who, what }) => ({ at: isoTime(on), who, what })),
		};
	},
	'market-export': async ({ marketId, persons }, parts, by) => {
		const { file, sha256, exportedAt } = await exported(parts, marketId, persons, by);
		const { actor, address } = by;
		const details = { sha256, persons };
		await parts.journal.write({ actor, address, act: EXPORTED, subject: subjectOf({ marketId }), details });
		return { file, sha256, exportedAt };
	},
};
