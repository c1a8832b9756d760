/** The stored state of markets whose limits rules have lowered, for all players or for those of a brand. */
import type pg from 'pg';
import type { MarketId } from '#values/ids.ts';
import type { MarketLimits } from '#values/limit-steps.ts';

/** A rule, and the number of its step. */
export type ReachedStep = readonly [ruleId: number, step: number];

export interface TightenedMarket {
	marketId: MarketId;
	/** The brand whose players the limits are for; empty for all. */
	brand: string;
	/** What the market gets back. */
	base: MarketLimits;
	/** What the rules want now. */
	set: MarketLimits;
	reached: readonly ReachedStep[];
	/** Those of them that an operator overruled. */
	waived: readonly ReachedStep[];
	/** Whether the market has been changed. */
	isApplied: boolean;
	atMs: number;
}

interface Row {
	market_id: MarketId;
	brand: string;
	base_max_stake: number;
	base_max_exposure: number;
	set_max_stake: number;
	set_max_exposure: number;
	reached: ReachedStep[];
	waived: ReachedStep[];
	is_applied: boolean;
	at: number;
}

export async function readTightened(db: pg.Pool): Promise<TightenedMarket[]> {
	const { rows } = await db.query<Row>('select * from tightened_market order by market_id, brand');
	return rows.map((row) => ({
		marketId: row.market_id,
		brand: row.brand,
		base: { maxStake: row.base_max_stake, maxExposure: row.base_max_exposure },
		set: { maxStake: row.set_max_stake, maxExposure: row.set_max_exposure },
		reached: row.reached,
		waived: row.waived,
		isApplied: row.is_applied,
		atMs: row.at,
	}));
}

export async function keepTightened(db: pg.Pool | pg.PoolClient, kept: TightenedMarket): Promise<void> {
	const { marketId, brand, base, set, reached, waived, isApplied, atMs } = kept;
	await db.query(
		`insert into tightened_market (market_id, brand, base_max_stake, base_max_exposure, set_max_stake, set_max_exposure,
		   reached, waived, is_applied, at) values ($1, $10, $2, $3, $4, $5, $6, $7, $8, $9)
		 on conflict (market_id, brand) do update set base_max_stake = $2, base_max_exposure = $3, set_max_stake = $4,
		   set_max_exposure = $5, reached = $6, waived = $7, is_applied = $8, at = $9`,
		[
			marketId,
			base.maxStake,
			base.maxExposure,
			set.maxStake,
			set.maxExposure,
			JSON.stringify(reached),
			JSON.stringify(waived),
			isApplied,
			atMs,
			brand,
		],
	);
}

export const dropTightened = async (
	db: pg.Pool,
	{ marketId, brand }: Pick<TightenedMarket, 'marketId' | 'brand'>,
): Promise<void> =>
	void (await db.query('delete from tightened_market where market_id = $1 and brand = $2', [marketId, brand]));

/** Whether every step that is reached was overruled. */
export const isOverruled = ({ reached, waived }: Pick<TightenedMarket, 'reached' | 'waived'>): boolean =>
	reached.every((step) => isIn(waived, step));

export const isIn = (steps: readonly ReachedStep[], [ruleId, step]: ReachedStep): boolean =>
	steps.some((other) => other[0] === ruleId && other[1] === step);
