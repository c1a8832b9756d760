/**
 * Counts how often each bet of the pay tables was paid. It follows the ended rounds in steps, so that no reader scans them:
 * where a step ended and what it counted are one row of the table, which the next step locks. So each round is counted
 * once, whichever process counts.
 */
import { createHash } from 'node:crypto';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { GAMES, gameOf } from '#games/all-games.ts';
import { type BetTallies, countRounds } from '#games/bet-tally.ts';
import type { Game } from '#games/game.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

const EVERY_MS = 5_000;
/** A few milliseconds of counting. */
const MOST_AT_ONCE = 500;
/** The source of the rounds of one player. */
const OWN = 'own';
const SHARED = GAMES.filter(({ kind }) => kind === 'crash' || kind === 'table').map(({ code }) => code);

interface GameTally {
	/** Of the bets that were counted: another pay table has a count of its own. */
	payTable: string;
	rounds: number;
	/** By reason. */
	voids: Readonly<Record<string, number>>;
	bets: BetTallies;
}

type Tallies = Readonly<Record<string, GameTally>>;

interface TallyRow {
	after: number;
	waiting: readonly number[];
	tallies: Tallies;
}

interface SourceState extends TallyRow {
	source: string;
	waits: boolean;
}

/** An ended round. */
interface Ended {
	game: string;
	/** Null for a round that was played. */
	voidReason: string | null;
	outcome: unknown;
	choice: string;
}

/** What a step looked at. */
interface Looked extends Omit<TallyRow, 'tallies'> {
	ended: readonly Ended[];
	isLast: boolean;
}

interface RoundTalliesOptions {
	db: pg.Pool;
	log: Pick<Logger, 'warn'>;
}

export class RoundTallies {
	readonly #options: RoundTalliesOptions;
	readonly #turns = new Turns<'count'>();
	readonly #known = new Map<string, TallyRow>();
	#timer: NodeJS.Timeout | null = null;
	#counting: Promise<void> = Promise.resolve();
	#isStopping = false;

	constructor(options: RoundTalliesOptions) {
		this.#options = options;
	}

	start(): void {
		this.#counting = this.count()
			.catch((error: unknown) => this.#options.log.warn({ err: error }, 'the rounds of games could not be counted'))
			.finally(() => {
				if (!this.#isStopping) this.#timer = setTimeout(() => this.start(), EVERY_MS).unref();
			});
	}

	async stop(): Promise<void> {
		this.#isStopping = true;
		if (this.#timer) clearTimeout(this.#timer);
		await this.#counting;
	}

	/** As last counted. */
	of({ code, kind }: Game): GameTally {
		const row = this.#known.get(kind === 'crash' || kind === 'table' ? code : OWN);
		return row?.tallies[code] ?? EMPTY;
	}

	/** The last shared round that was counted; 0 before the first. */
	lastRound(game: string): number {
		return this.#known.get(game)?.after ?? 0;
	}

	/** Counts what has ended by now. Called by the timer, and by tests. */
	async count(): Promise<void> {
		await this.#turns.take('count', async () => {
			for (const { source, after, waiting, tallies, waits } of await this.#look())
				if (!waits) this.#known.set(source, { after, waiting, tallies });
				else while (!(await this.#step(source)) && !this.#isStopping) await turnOfOthers();
		});
	}

	/** What was counted of each source, and whether it has more to count: most have nothing, most of the time. */
	async #look(): Promise<readonly SourceState[]> {
		const { rows } = await this.#options.db.query<SourceState>({
			name: 'rounds-to-count',
			text: `select source, after, waiting, tallies, case when source = '${OWN}' then
					exists (select from workflow where kind = 'CASINO' and id > after) or exists (
						select from workflow where kind = 'CASINO' and not is_open
						and id in (select id::bigint from jsonb_array_elements_text(waiting) as open (id)))
				else exists (
					select from (select phase from table_round where game = source and round > after order by round limit 1)
					where phase in ('ENDED', 'VOID')) end as waits
				from (
					select source, coalesce(after, 0) as after, coalesce(waiting, '[]') as waiting, coalesce(tallies, '{}') as tallies
					from unnest($1::text[]) as asked (source) left join round_tally using (source)
				) as counted`,
			values: [[OWN, ...SHARED]],
		});
		return rows;
	}

	/** @returns whether nothing is left */
	async #step(source: string): Promise<boolean> {
		return await inTransaction(this.#options.db, async (client) => {
			await client.query(
				`insert into round_tally (source, after, waiting, tallies) values ($1, 0, '[]', '{}') on conflict do nothing`,
				[source],
			);
			const { rows } = await client.query<TallyRow>(
				'select after, waiting, tallies from round_tally where source = $1 for update',
				[source],
			);
			const row = rows[0] as TallyRow;
			const { ended, isLast, after, waiting } = await (source === OWN
				? ownSince(client, row)
				: sharedSince(client, source, row));
			const counted = { after, waiting, tallies: withRounds(row.tallies, ended) };
			if (after !== row.after || ended.length > 0)
				await client.query('update round_tally set after = $2, waiting = $3, tallies = $4 where source = $1', [
					source,
					after,
					JSON.stringify(waiting),
					JSON.stringify(counted.tallies),
				]);
			this.#known.set(source, counted);
			return isLast;
		});
	}
}

/** Identifies a pay table: with another one, earlier counts mean nothing. */
const payTableOf = ({ bets }: Game): string => {
	const terms = bets.map(({ code, prizes }) => [code, prizes.map(({ pays, chance }) => [pays, chance])]);
	const text = JSON.stringify(terms, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
	return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

const PAY_TABLES = new Map(GAMES.map((game) => [game.code, payTableOf(game)]));
const EMPTY: GameTally = { payTable: '', rounds: 0, voids: {}, bets: {} };

function withRounds(tallies: Tallies, ended: readonly Ended[]): Tallies {
	const counted = new Map(Object.entries(tallies));
	for (const [code, rounds] of Map.groupBy(ended, ({ game }) => game)) {
		const game = gameOf(code);
		if (game) counted.set(code, tallyWith(game, counted.get(code), rounds));
	}
	return Object.fromEntries(counted);
}

function tallyWith(game: Game, before: GameTally | undefined, ended: readonly Ended[]): GameTally {
	const payTable = PAY_TABLES.get(game.code) ?? '';
	const known = before?.payTable === payTable ? before : { ...EMPTY, payTable };
	const voids = { ...known.voids };
	for (const { voidReason } of ended) if (voidReason !== null) voids[voidReason] = (voids[voidReason] ?? 0) + 1;
	const played = ended.filter(({ voidReason }) => voidReason === null);
	return { payTable, rounds: known.rounds + played.length, voids, bets: countRounds(game, known.bets, played) };
}

/** Shared rounds end one after another, so the first one that has not ended is the last to look at. */
async function sharedSince(client: pg.PoolClient, game: string, { after }: TallyRow): Promise<Looked> {
	const { rows } = await client.query<{ round: number; phase: string; reason: string | null; result: unknown }>(
		`select round, phase, void_reason as reason, result from table_round where game = $1 and round > $2
		order by round limit ${MOST_AT_ONCE}`,
		[game, after],
	);
	const open = rows.findIndex(({ phase }) => phase !== 'ENDED' && phase !== 'VOID');
	const ended = open < 0 ? rows : rows.slice(0, open);
	return {
		after: ended.at(-1)?.round ?? after,
		waiting: [],
		ended: ended.map(({ phase, reason, result }) => ({
			game,
			voidReason: phase === 'VOID' ? (reason ?? 'RESTART') : null,
			outcome: result,
			choice: '',
		})),
		isLast: open >= 0 || rows.length < MOST_AT_ONCE,
	};
}

interface OwnRow extends Omit<Ended, 'voidReason'> {
	id: number;
	state: string;
	isOpen: boolean;
	/** A round of one player, unlike bets on shared rounds and rounds of providers. */
	isOwn: boolean;
}

const OWN_COLUMNS = `id, state, is_open as "isOpen", data ? 'pair' as "isOwn", data->>'game' as game,
	data->'bets'->0->>'bet' as choice, case when data ? 'pair' then data->'outcome' end as outcome`;

/** A round with turns ends after later ones, so those that are still open are looked at again. */
async function ownSince(client: pg.PoolClient, { after, waiting }: TallyRow): Promise<Looked> {
	const again = await client.query<OwnRow>(
		`select ${OWN_COLUMNS} from workflow where kind = 'CASINO' and id = any($1) and not is_open`,
		[waiting],
	);
	const next = await client.query<OwnRow>(
		`select ${OWN_COLUMNS} from workflow where kind = 'CASINO' and id > $1 order by id limit ${MOST_AT_ONCE}`,
		[after],
	);
	const own = next.rows.filter(({ isOwn }) => isOwn);
	const done = new Set(again.rows.map(({ id }) => id));
	return {
		after: next.rows.at(-1)?.id ?? after,
		waiting: [...waiting.filter((id) => !done.has(id)), ...own.filter(({ isOpen }) => isOpen).map(({ id }) => id)],
		ended: [...again.rows, ...own.filter(({ isOpen }) => !isOpen)].map(({ state, ...round }) => ({
			...round,
			voidReason: state === 'VOID' ? 'ABANDONED' : null,
		})),
		isLast: next.rows.length < MOST_AT_ONCE,
	};
}
