/** The rules by which limits of markets tighten. In memory for each look, in the database for the next start. */
import type pg from 'pg';
import { homeLimitOf } from '#values/currencies.ts';
import type { LimitStep } from '#values/limit-steps.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

/** What a rule watches: what the house can lose in a market, or the largest loss that one player can have in it. */
type Watched = 'HOUSE' | 'PLAYER';

/** Which markets and whose bets; empty texts stand for all. At most one rule is about the same. */
export interface RuleAbout {
	sport: string;
	marketType: string;
	brand: string;
	pool: Pool;
	watches: Watched;
}

export interface LimitRule extends RuleAbout {
	ruleId: number;
	relaxPercent: number;
	/** Rising by `from`, one or more; minor units of the pool's currency. */
	steps: readonly LimitStep[];
}

/** What a step allows, as limits of markets are written: in the home currency. */
export function allowedBy({ pool }: Pick<LimitRule, 'pool'>, { from, maxStake, maxExposure }: LimitStep): LimitStep {
	const inHome = (minor: number): number => homeLimitOf(currencyOf(pool), minor);
	return { from, maxStake: inHome(maxStake), maxExposure: maxExposure === null ? null : inHome(maxExposure) };
}

/** A rule by what it is about, as the journal names it. */
export const limitRuleName = ({ sport, marketType, brand, pool, watches }: Partial<RuleName>): string =>
	['limits', sport || 'every sport', marketType || 'every type', brand || 'all brands', pool, watches].join(' ');

type RuleName = Record<keyof RuleAbout, string | undefined>;

const COLUMNS = `rule_id as "ruleId", sport, market_type as "marketType", brand, pool, watches,
	relax_percent as "relaxPercent", steps`;

export class LimitRules {
	readonly #db: pg.Pool;
	#rules: readonly LimitRule[] | null = null;
	/** Changes so far: what was read before one is not kept. */
	#changes = 0;

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	async all(): Promise<readonly LimitRule[]> {
		while (this.#rules === null) {
			const changes = this.#changes;
			const { rows } = await this.#db.query<LimitRule>(`select ${COLUMNS} from limit_rule order by rule_id`);
			if (changes === this.#changes) this.#rules = rows;
		}
		return this.#rules;
	}

	async find(about: RuleAbout): Promise<LimitRule | null> {
		return (await this.all()).find((rule) => isAbout(rule, about)) ?? null;
	}

	/** Replaces the rule about the same; without steps there is none any more. A replaced rule has a new number. */
	async set(about: RuleAbout, rule: Pick<LimitRule, 'relaxPercent' | 'steps'> | null): Promise<void> {
		const { sport, marketType, brand, pool, watches } = about;
		const key = [sport, marketType, brand, pool, watches];
		if (rule === null)
			await this.#db.query(
				'delete from limit_rule where (sport, market_type, brand, pool, watches) = ($1, $2, $3, $4, $5)',
				key,
			);
		else
			await this.#db.query(
				`insert into limit_rule (sport, market_type, brand, pool, watches, relax_percent, steps)
				 values ($1, $2, $3, $4, $5, $6, $7)
				 on conflict (sport, market_type, brand, pool, watches) do update set
				   rule_id = default, relax_percent = excluded.relax_percent, steps = excluded.steps`,
				[...key, rule.relaxPercent, JSON.stringify(rule.steps)],
			);
		this.#changes += 1;
		this.#rules = null;
	}
}

const isAbout = (rule: RuleAbout, about: RuleAbout): boolean =>
	(['sport', 'marketType', 'brand', 'pool', 'watches'] as const).every((field) => rule[field] === about[field]);
