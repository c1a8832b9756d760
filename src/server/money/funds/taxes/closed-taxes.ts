/**
 * Taxes of periods that are over: those of a brand's months, which the house bears, and those of players' net winnings of
 * a financial year. Each is posted once; what a crash left out, the next call posts.
 */
import type pg from 'pg';
import type { DatedRules } from '#contract/brand-rules.ts';
import { zoneAt } from '#contract/rules-at.ts';
import { GAIN, MARKET_RESULT_KINDS } from '#server/exchange/ledger/result-gain.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { TAX } from '#server/money/funds/machines/tax.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { accountYear, taxYearAt, winningsTaxIn } from '#server/money/funds/taxes/withheld-tax.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { type Pool, poolOf, stepOf } from '#values/pools.ts';
import { netWinningsOf, type Tax, type TaxBase, taxOf } from '#values/taxes.ts';
import { dayOf, monthsBetween } from '#values/zoned-calendar.ts';

type MonthlyBase = Exclude<TaxBase, 'NET_WINNINGS'>;

/**
 * By base: the postings that it sums, and with which sign. A result that is reversed counts at the time of its reversal,
 * so a month that is over never changes. Deposits are gross: what is returned to a player is not deducted.
 * Source of the last: Central Goods and Services Tax Rules of India, rule 31B.
 */
const BASES: Readonly<Record<MonthlyBase, { kinds: string; sum: string }>> = {
	DEPOSITS: {
		kinds: `('PAYMENT', 'DEPOSIT')`,
		sum: `case when credit = 'cash' then amount when debit = 'cash' then -amount else 0 end`,
	},
	COMMISSION: {
		kinds: MARKET_RESULT_KINDS,
		sum: `case when credit = 'commission' then amount when debit = 'commission' then -amount else 0 end`,
	},
	REVENUE: { kinds: `('CASINO', ${MARKET_RESULT_KINDS.slice(1)}`, sum: `-${GAIN}` },
};

const isMonthly = (tax: Tax): tax is Tax & { base: MonthlyBase } => tax.base !== 'NET_WINNINGS';

interface ClosedTax {
	name: string;
	/** A month such as 2026-03, or the financial year that began in a calendar year. */
	period: string;
	base: AnyMinor;
	amount: AnyMinor;
	/** Null for a tax of the brand. */
	playerId: PlayerId | null;
}

/** A time in which the same taxes hold. */
interface Stretch {
	fromMs: number;
	toMs: number;
	taxes: readonly Tax[];
}

interface ClosedTaxesOptions {
	ledger: FundsLedger;
	db: pg.Pool;
	throughHistory: Pick<pg.Pool, 'query'>;
	protection: Pick<Protection, 'turnOf'>;
}

export class ClosedTaxes {
	readonly #options: ClosedTaxesOptions;

	constructor(options: ClosedTaxesOptions) {
		this.#options = options;
	}

	/** Posts what a brand owes for periods that are over. @returns what was posted now */
	async close(brand: Pick<Brand, 'host' | 'setting'>): Promise<ClosedTax[]> {
		return await this.#options.ledger.turns.take(`taxes ${brand.host}`, async () => [
			...(await this.#closeMonths(brand)),
			...(await this.#closeYears(brand)),
		]);
	}

	async #closeMonths({ host, setting }: Pick<Brand, 'host' | 'setting'>): Promise<ClosedTax[]> {
		const nowMs = this.#options.ledger.now();
		const pool = poolOf('REAL', setting.currency);
		const zone = zoneAt(setting, nowMs);
		const closed: ClosedTax[] = [];
		const first = setting.rules.find(({ taxes }) => taxes.some(isMonthly));
		if (!first) return closed;
		const months = monthsBetween(dayOf(Date.parse(first.from), zone), dayOf(nowMs, zone), zone);
		for (const [at, { name: period, fromMs }] of months.entries()) {
			const toMs = months[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
			if (toMs > nowMs) break;
			for (const [name, stretches] of byTax(stretchesOf(setting.rules, fromMs, toMs))) {
				const claim = `tax:${host}:${name}:${period}`;
				if (await this.#isClaimed(claim)) continue;
				const sums = { base: 0, amount: 0 };
				for (const { tax, ...stretch } of stretches) {
					const base = await this.#baseOf(host, tax.base, stretch);
					sums.base += base;
					sums.amount += taxOf(base, tax.rateBp, stepOf(pool));
				}
				await this.#post('accrue', { walletId: 0, pool }, claim, { name, host, period, ...sums });
				closed.push({ name, period, ...sums, playerId: null });
			}
		}
		return closed;
	}

	/** The winnings of players in years that ended under a tax on them. */
	async #closeYears({ host, setting }: Pick<Brand, 'host' | 'setting'>): Promise<ClosedTax[]> {
		const { throughHistory, ledger, protection } = this.#options;
		const nowMs = ledger.now();
		const pool = poolOf('REAL', setting.currency);
		const zone = zoneAt(setting, nowMs);
		const closed: ClosedTax[] = [];
		const first = setting.rules.find(({ taxes }) => winningsTaxIn(taxes));
		if (!first) return closed;
		for (let year = taxYearAt(Date.parse(first.from), zone); year.toMs <= nowMs; year = taxYearAt(year.toMs, zone)) {
			const tax = winningsTaxIn(setting.rules.findLast(({ from }) => Date.parse(from) < year.toMs)?.taxes ?? []);
			if (!tax) continue;
			const { rows } = await throughHistory.query<{ playerId: PlayerId }>(
				`select player_id as "playerId" from player where brand = $1 and pool like 'REAL%' and created_at < $2
				   and not exists (select 1 from workflow_claim where name = 'tax:' || $3 || ':' || player_id || ':' || $4)
				 order by player_id`,
				[host, year.toMs, tax.name, year.year],
			);
			for (const { playerId } of rows) {
				const about = await ledger.turns.take(protection.turnOf(playerId), async () => {
					const base = netWinningsOf(await accountYear(throughHistory, playerId, year));
					const made = {
						name: tax.name,
						host,
						period: String(year.year),
						base,
						amount: taxOf(base, tax.rateBp, stepOf(pool)),
					};
					await this.#post('withhold', { walletId: playerId, pool }, `tax:${tax.name}:${playerId}:${year.year}`, made);
					return made;
				});
				closed.push({ ...about, playerId });
			}
		}
		return closed;
	}

	async #post(
		event: 'accrue' | 'withhold',
		owner: { walletId: PlayerId; pool: Pool },
		claim: string,
		data: { name: string; host: string; period: string; base: AnyMinor; amount: AnyMinor },
	): Promise<void> {
		const happening = { event, facts: null, amounts: { amount: data.amount }, actor: 'server', data, claims: [claim] };
		await this.#options.ledger.begin(TAX, owner, happening);
	}

	async #isClaimed(name: string): Promise<boolean> {
		return (await this.#options.db.query('select 1 from workflow_claim where name = $1', [name])).rowCount !== 0;
	}

	async #baseOf(
		host: string,
		base: MonthlyBase,
		{ fromMs, toMs }: Pick<Stretch, 'fromMs' | 'toMs'>,
	): Promise<AnyMinor> {
		const { kinds, sum } = BASES[base];
		const { rows } = await this.#options.throughHistory.query<{ sum: AnyMinor }>(
			`select coalesce(sum(${sum}), 0)::bigint as sum from posting join player on player_id = wallet_id
			 where at >= $2 and at < $3 and posting.pool like 'REAL%' and brand = $1 and kind in ${kinds}`,
			[host, fromMs, toMs],
		);
		return rows[0]?.sum ?? 0;
	}
}

/** A period, cut where a profile or a rate begins. */
function stretchesOf(rules: readonly DatedRules[], fromMs: number, toMs: number): Stretch[] {
	const starts = rules.map(({ from }) => Date.parse(from)).filter((at) => at > fromMs && at < toMs);
	const cuts = [fromMs, ...starts, toMs];
	return cuts.slice(0, -1).map((from, at) => ({
		fromMs: from,
		toMs: cuts[at + 1] ?? toMs,
		taxes: rules.findLast((rule) => Date.parse(rule.from) <= from)?.taxes ?? [],
	}));
}

function byTax(stretches: readonly Stretch[]) {
	const all = stretches.flatMap(({ taxes, fromMs, toMs }) =>
		taxes.filter(isMonthly).map((tax) => ({ tax, fromMs, toMs })),
	);
	return Map.groupBy(all, ({ tax }) => tax.name);
}
