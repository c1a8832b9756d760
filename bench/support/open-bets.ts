/**
 * Very many open bets of many players in many markets: each player has 25, three in a market; two fifths of them are matched.
 * The other backs rest at prices above.
 */
import type pg from 'pg';
import type { Request } from '#server/exchange/exchange.ts';
import { LADDER } from '#values/price-ladder.ts';

export const BETS_OF_A_PLAYER = 25;
const BETS_OF_A_MARKET = 500;
const IN_A_ROW = 3;
/** The market that is bet on while the others stand. */
export const BUSY_MARKET = 1;
const FIRST_MARKET = 2;
const FIRST_WALLET = 1_000_000;
const FUNDS = 10_000_000_000;
const STAKE = 1_000;
const PRICES = LADDER.slice(-20);
const WRITTEN_AT_ONCE = 25_000;
const BUSY_PRICES = [198, 204, 310];

async function writeRows(db: pg.Pool, rows: readonly number[][]): Promise<void> {
	const columns = [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column]));
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched_at,
		   matched, matched_value, remaining, cancelled, lapsed, voided)
		 select coalesce((select max(bet_id) from bet), 0) + number, wallet_id, market_id, 'PLAY', 0, side, price, $6::bigint, true, now_ms,
		   case when matched > 0 then now_ms end, matched, matched * price, $6::bigint - matched, 0, 0, 0
		 from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) as clock,
		   unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::bigint[])
		     with ordinality as row (wallet_id, market_id, side, price, matched, number)`,
		[...columns, STAKE],
	);
}

export class OpenBets {
	readonly count: number;
	readonly players: number;
	readonly markets: number;

	constructor(count: number) {
		this.count = count;
		// In pairs, which are matched with one another.
		this.players = 2 * Math.ceil(count / BETS_OF_A_PLAYER / 2);
		this.markets = Math.ceil(count / BETS_OF_A_MARKET);
	}

	/** Commands that open the markets and wallets. */
	*tables(): Generator<Request> {
		for (let marketId = BUSY_MARKET; marketId < FIRST_MARKET + this.markets; marketId++) {
			yield {
				kind: 'open-market',
				marketId,
				pools: ['PLAY'],
				runners: 3,
				numberOfWinners: 1,
				commissionBp: 200,
				minStake: 1,
				maxStake: 50_000_000,
				profitRatioRule: false,
				selfMatch: 'ALLOW',
				suspended: false,
			};
		}
		for (let walletId = FIRST_WALLET; walletId < FIRST_WALLET + this.players; walletId++) {
			yield { kind: 'open-wallet', walletId, pool: 'PLAY' };
			yield { kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS };
		}
	}

	/** The bets, in an order in which those that are to match meet nothing else. */
	*bets(): Generator<Request & { kind: 'place-bet' }> {
		for (let at = 0; at < this.count; at++) {
			const player = at % this.players;
			const [pair, turn] = [player >> 1, Math.floor(at / this.players)];
			const isMatched = (pair + turn) % 5 < 2;
			const isLay = isMatched && player % 2 === 1;
			const marketId = FIRST_MARKET + ((pair * 31 + Math.floor(turn / IN_A_ROW) * 97) % this.markets);
			yield this.#bet(player, marketId, isLay ? 1 : 0, PRICES[isMatched ? 0 : 1 + ((pair * 7 + turn) % 19)] ?? 0);
		}
	}

	/**
	 * Writes the bets into the tables of an exchange that is stopped, as they stand when all were placed: to place a million
	 * takes minutes. Their digest is not compared and their seals are missing, so such a ledger is good for a bench alone.
	 */
	async write(db: pg.Pool): Promise<void> {
		const held = new Map<number, number>();
		let [rows, position] = [[] as number[][], new Map<string, [win: number, lose: number]>()];
		for (const { walletId, marketId, side, price } of this.bets()) {
			const isMatched = price === PRICES[0];
			rows.push([walletId, marketId, side, price, isMatched ? STAKE : 0]);
			const own = position.get(`${walletId} ${marketId}`) ?? [0, 0];
			position.set(`${walletId} ${marketId}`, own);
			const sign = side === 0 ? 1 : -1;
			if (isMatched) own[0] += (sign * STAKE * (price - 100)) / 100;
			own[1] -= sign * STAKE;
			if (rows.length < WRITTEN_AT_ONCE) continue;
			await writeRows(db, rows);
			rows = [];
		}
		await writeRows(db, rows);
		for (const [key, [win, lose]] of position) {
			const walletId = Number.parseInt(key, 10);
			held.set(walletId, (held.get(walletId) ?? 0) - Math.min(0, win, lose));
		}
		position = new Map();
		await db.query(
			`update wallet set cash = cash - held, exposure = exposure + held, version = version + 1
			 from unnest($1::bigint[], $2::bigint[]) as own (id, held) where wallet_id = id`,
			[[...held.keys()], [...held.values()]],
		);
		await db.query('update lease set last_bet_id = (select max(bet_id) from bet), digest_format = 0');
		await db.query('vacuum analyze');
	}

	/** A bet on the busy market: each pair of them is matched. */
	busyBet(at: number): Request & { kind: 'place-bet' } {
		const pair = at >> 1;
		const player = at % 2 === 0 ? pair : pair * 7 + 3;
		return this.#bet(player % this.players, BUSY_MARKET, (at % 2) as 0 | 1, BUSY_PRICES[pair % 3] ?? 0);
	}

	#bet(player: number, marketId: number, side: 0 | 1, price: number): Request & { kind: 'place-bet' } {
		const walletId = FIRST_WALLET + player;
		return { kind: 'place-bet', walletId, marketId, runner: 0, side, price, stake: STAKE, persist: true };
	}
}
