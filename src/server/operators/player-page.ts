/** Players as operators see them: search, one page about each, freezing and exclusion. */
import type pg from 'pg';
import { TRANSFER_KINDS } from '#engine/effect.ts';
import { gameOf } from '#games/all-games.ts';
import { storedWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { isoTime, openBetView } from '#server/exchange/views/wire-views.ts';
import { newestMoneyRows } from '#server/money/funds/newest-money-rows.ts';
import { openRounds } from '#server/money/funds/open-rounds.ts';
import { netsOfPlayer } from '#server/money/funds/player-standing.ts';
import type { Actor, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { documentView } from '#server/operators/document-acts.ts';
import { type HeldMoney, heldMoney } from '#server/operators/held-money.ts';
import { workflowView } from '#server/operators/payment-acts.ts';
import { namedPlayer, sportLimitsOf } from '#server/operators/player-acts.ts';
import { tagsOf } from '#server/operators/player-note-acts.ts';
import { isOwn } from '#server/people/persons/facts.ts';
import { ALL_LINKS, FACT_OF, type LinkReason, linksOfPlayer } from '#server/people/persons/linked-accounts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { nameKey } from '#values/name-key.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { type SideCode, sideName } from '#values/sides.ts';

/** Rows of each list on a player's page. */
const ROWS = 50;
const MOST_FOUND = 25;
/** Workflows on a player's page: all but rounds of the casino. */
const MONEY_KINDS = TRANSFER_KINDS.filter((kind) => kind !== 'CASINO');

interface PlayerRow {
	playerId: number;
	userName: string;
	brand: string;
	pool: string;
	isDemo: boolean;
	mobile: string | null;
	isMobileProven: boolean;
	createdAtMs: number;
}

const PLAYER = `select player_id as "playerId", user_name as "userName", brand, pool, is_demo as "isDemo", mobile,
	${isOwn('mobile', 'player')} as "isMobileProven",
	created_at as "createdAtMs" from player`;

type FoundBy = 'name' | 'mobile' | 'player' | 'bet' | 'utr' | 'tag' | 'note';

/** The condition under which each kind of search finds a player; each has an index. */
export const SEARCHES: readonly { by: FoundBy; takes: RegExp; where: string; value: (query: string) => unknown }[] = [
	{ by: 'player', takes: /^\d{1,15}$/, where: 'player_id = $1', value: Number },
	{
		by: 'bet',
		takes: /^\d{1,15}$/,
		where: 'player_id = (select wallet_id from bet where bet_id = $1)',
		value: Number,
	},
	{ by: 'mobile', takes: /^\+?\d{10,13}$/, where: 'mobile = $1', value: (query) => `+91${query.slice(-10)}` },
	{
		by: 'utr',
		takes: /^[A-Za-z0-9]{8,22}$/,
		where: `player_id in (
			select wallet_id from workflow where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr' and data ->> 'utr' = $1)`,
		value: (query) => query.toUpperCase(),
	},
	{
		by: 'tag',
		takes: /^#/,
		where: 'player_id in (select player_id from player_tag where tag = $1)',
		value: (query) => query.slice(1).trim().toLowerCase(),
	},
	{
		by: 'note',
		takes: /^note:/i,
		where: `player_id in (
			select player_id from player_note where to_tsvector('simple', note) @@ websearch_to_tsquery('simple', $1))`,
		value: (query) => query.slice('note:'.length),
	},
	{
		by: 'name',
		takes: /./,
		where: String.raw`name_key like $1`,
		value: (query) => `${nameKey(query).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
	},
];

/** The statement of one kind of search; its parameters are the value and the member's brands. */
export const searchStatement = (where: string): string =>
	`${PLAYER} where ${where} and ($2::text[] is null or brand = any ($2)) order by name_key using ~<~ limit ${MOST_FOUND}`;

/** @param fields by which players are found, the surest first; by default all */
export async function searchPlayers(
	{ reads }: OperatorOptions,
	query: string,
	{ member }: Actor,
	fields: readonly FoundBy[] = SEARCHES.map(({ by }) => by),
) {
	const found = new Map<number, PlayerRow & { by: FoundBy }>();
	const brands = member?.brands ?? null;
	for (const { by, takes, where, value } of SEARCHES) {
		if (!fields.includes(by) || !takes.test(query)) continue;
		const { rows } = await reads.query<PlayerRow>(searchStatement(where), [value(query), brands]);
		for (const row of rows) if (!found.has(row.playerId)) found.set(row.playerId, { ...row, by });
	}
	return [...found.values()]
		.slice(0, MOST_FOUND)
		.map(({ playerId, userName, brand, pool, mobile, isMobileProven, by }) => ({
			playerId: String(playerId),
			userName,
			brand,
			pool,
			mobile,
			isMobileProven,
			by,
		}));
}

async function rowOf({ db }: OperatorOptions, playerId: number): Promise<PlayerRow> {
	const { rows } = await db.query<PlayerRow>(`${PLAYER} where player_id = $1`, [playerId]);
	const [row] = rows;
	if (!row) throw new Refused('UNKNOWN_USER');
	return row;
}

async function statement({ reads, fixtures }: OperatorOptions, playerId: number) {
	const rows = await newestMoneyRows(reads, playerId, ROWS);
	const named = await fixtures.named(rows.flatMap(({ marketId }) => (marketId ? [marketId] : [])));
	return rows.map(({ id, kind, marketId, game, amount, balanceAfter, atMs }) => {
		const market = named.get(marketId);
		const played = game === null ? '' : (gameOf(game)?.name ?? game);
		return {
			id,
			at: isoTime(atMs),
			kind,
			about: market ? `${market.fixture.title} · ${market.listing.name}` : played,
			amount: majorFromMinor(amount),
			balance: majorFromMinor(balanceAfter),
		};
	});
}

async function pastBets({ reads, fixtures }: OperatorOptions, playerId: number) {
	const { rows } = await reads.query<{
		betId: number;
		marketId: number;
		runner: number;
		side: SideCode;
		price: number;
		stake: AnyMinor;
		matched: AnyMinor;
		result: string | null;
		placedAtMs: number;
	}>(
		`select bet_id as "betId", market_id as "marketId", runner, side, price, stake, matched, result, placed_at as "placedAtMs"
		 from bet where wallet_id = $1 order by bet_id desc limit ${ROWS}`,
		[playerId],
	);
	const named = await fixtures.named(rows.map(({ marketId }) => marketId));
	return rows.map(({ betId, marketId, runner, side, price, stake, matched, result, placedAtMs }) => {
		const market = named.get(marketId);
		return {
			betId: String(betId),
			placed: isoTime(placedAtMs),
			market: market ? `${market.fixture.title} · ${market.listing.name}` : String(marketId),
			runner: market?.listing.runners[runner]?.name ?? String(runner),
			side: sideName(side),
			price: decimalFromPrice(price),
			stake: majorFromMinor(stake),
			matched: majorFromMinor(matched),
			result: result ?? '',
		};
	});
}

/** Accounts that may belong to one person, act as one, or were used at one address. */
async function linked({ db }: OperatorOptions, playerId: number, brands: readonly string[] | null) {
	const { rows } = await db.query<{ playerId: number; userName: string; brand: string; why: LinkReason }>(
		`select other_id as "playerId", user_name as "userName", brand, why from (${linksOfPlayer(ALL_LINKS)}) as link
		 join player on player.player_id = other_id where $2::text[] is null or brand = any ($2)
		 order by why = 'same invitation tree', other_id, why limit ${ROWS}`,
		[playerId, brands],
	);
	return rows.map((row) => ({ ...row, playerId: String(row.playerId), fact: FACT_OF[row.why] ?? null }));
}

const heldText = (held: HeldMoney): string =>
	held.of === 'market' ? held.title : held.of === 'round' ? `${held.game}, round ${held.id}` : `${held.of} ${held.id}`;

function protectionOf({ funds, players }: OperatorOptions, playerId: number) {
	const record = funds.protection.of(playerId);
	const time = (what: string, atMs: number | null) => (atMs === null ? [] : [{ what, value: isoTime(atMs) }]);
	return [
		...Object.entries(record.limits).map(([what, limit]) => ({
			what,
			value: limit === null || limit === undefined ? 'none' : String(majorFromMinor(limit)),
		})),
		...time('time-out until', record.timeOutUntilMs),
		...time('excluded until', record.excludedUntilMs),
		...time('closed', record.closedAtMs),
		...time('identity verified', record.identifiedAtMs ?? null),
		...funds.terms.held(playerId).map(({ kind, version, acceptedAtMs }) => ({
			what: `${kind === 'TERMS' ? 'terms' : 'privacy policy'} ${version}`,
			value: acceptedAtMs === null ? 'not accepted' : `accepted ${isoTime(acceptedAtMs)}`,
		})),
		...(record.frozen === null ? [] : [{ what: 'frozen', value: record.frozen }]),
		...(players.isLocked(playerId) ? [{ what: 'locked', value: 'after wrong passwords' }] : []),
	];
}

const textCell = (value: unknown): string | number | boolean | null =>
	value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? value
		: JSON.stringify(value);

/** The displayed fields of a table's row. */
const cellsOf = (row: object) =>
	Object.fromEntries(
		Object.entries(row)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, textCell(value)]),
	);

/** Newest first. A name may have been another person's, who was erased. */
const actsOn = (db: pg.Pool, { playerId, userName, brand, createdAtMs }: PlayerRow) =>
	db.query<{ at: number; actor: string; act: string; outcome: string }>(
		`select at, actor, act, outcome from journal where subject = any ($1) and (subject = $2 or at >= $3)
		 order by seq desc limit ${ROWS}`,
		[[`player ${playerId}`, `player ${userName} of ${brand}`], `player ${playerId}`, createdAtMs],
	);

async function playerPage(parts: OperatorOptions, playerId: number, brands: readonly string[] | null) {
	const { db, exchange, sports } = parts;
	const row = await rowOf(parts, playerId);
	const wallet = exchange.wallet(playerId);
	const [standing, rows, bets, money, rounds, logIns, links, documents, tags, notes, acts] = await Promise.all([
		netsOfPlayer(parts.reads, playerId),
		statement(parts, playerId),
		pastBets(parts, playerId),
		storedWorkflows(db, { where: 'wallet_id = $1 and kind = any ($2)', values: [playerId, MONEY_KINDS] }),
		openRounds(db, playerId),
		db.query<{ at: number; address: string; succeeded: boolean }>(
			`select at, address, succeeded from login_attempt where player_id = $1 order by at desc limit ${ROWS}`,
			[playerId],
		),
		linked(parts, playerId, brands),
		parts.funds.documents.of(playerId),
		tagsOf(db, playerId),
		db.query<{ at: number; author: string; note: string }>(
			`select at, author, note from player_note where player_id = $1 order by note_id desc limit ${ROWS}`,
			[playerId],
		),
		actsOn(db, row),
	]);
	const dated = <Row extends { at: number }>(found: readonly Row[]) =>
		found.map((entry) => ({ ...entry, at: isoTime(entry.at) }));
	return {
		playerId: String(playerId),
		userName: row.userName,
		brand: row.brand,
		pool: row.pool,
		isDemo: row.isDemo,
		mobile: row.mobile,
		isMobileProven: row.isMobileProven,
		since: isoTime(row.createdAtMs),
		cash: majorFromMinor(wallet?.cash ?? 0),
		exposure: majorFromMinor(wallet?.exposure ?? 0),
		hold: majorFromMinor(wallet?.hold ?? 0),
		bonus: majorFromMinor(wallet?.bonus ?? 0),
		netDeposits: majorFromMinor(standing.netDeposits),
		netPosition: majorFromMinor(standing.netPosition),
		held: heldMoney(parts, playerId, rounds, money).map((held) => ({
			what: heldText(held),
			amount: majorFromMinor(held.amount),
		})),
		limits: wallet?.limits ? { ...wallet.limits } : null,
		closedSports: [...sports.closed(playerId)],
		sportLimits: sportLimitsOf(parts, playerId),
		protection: protectionOf(parts, playerId),
		openBets: exchange
			.openBets(playerId)
			.slice(0, ROWS)
			.map((bet) => cellsOf(openBetView(bet, parts))),
		bets,
		statement: rows,
		money: money
			.sort((one, other) => other.openedAtMs - one.openedAtMs)
			.slice(0, ROWS)
			.map((workflow) => cellsOf(workflowView(workflow))),
		logIns: dated(logIns.rows),
		linked: links,
		documents: documents.map(documentView),
		tags,
		notes: dated(notes.rows),
		journal: dated(acts.rows),
	};
}

export const PLAYER_PAGE_ACTS: ActsOf<'player-search' | 'player' | 'player-freeze' | 'player-exclude'> = {
	'player-search': ({ query }, parts, by) => searchPlayers(parts, query, by),
	player: ({ playerId }, parts, { member }) => playerPage(parts, Number(playerId), member?.brands ?? null),
	'player-freeze': async ({ reason, ...named }, parts, { actor, address }) => {
		const { playerId, userName } = namedPlayer(parts, named);
		await parts.funds.protection.freeze(playerId, reason, { actor, address });
		return { playerId: String(playerId), userName, frozen: reason };
	},
	'player-exclude': async ({ playerId, months }, parts, { actor, address }) => {
		await rowOf(parts, Number(playerId));
		const { protection, leave } = parts.funds;
		const accounts = await protection.exclude(Number(playerId), months, { actor, address });
		for (const account of accounts) await leave(account);
		return { until: isoTime(protection.of(Number(playerId)).excludedUntilMs ?? 0) };
	},
};
