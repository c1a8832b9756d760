/** Above which amounts wins and transfers are significant: as each brand's setting said when they happened. */
import * as v from 'valibot';
import { DomainSetting } from '#contract/domain-setting.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';

const Amounts = DomainSetting.entries.significantEvents;

/** From `fromMs` to before `untilMs`; null for a setting that still holds. Minor units. */
export interface AmountsOfBrand {
	host: string;
	fromMs: number;
	untilMs: number | null;
	win: AnyMinor;
	transfer: AnyMinor;
}

/** Of each brand, one after another, those that held in a period; each version of a brand says until when it held. */
export async function amountsInForce(
	reads: Pick<HeavyReads, 'query'>,
	{ hosts, fromMs }: { hosts: readonly string[]; fromMs: number },
): Promise<AmountsOfBrand[]> {
	const { rows } = await reads.query<{ host: string; amounts: unknown; untilMs: number | null }>(
		`select host, setting -> 'significantEvents' as amounts, replaced_at as "untilMs" from brand_version
		 where host = any ($1) and replaced_at > $2
		 union all select host, setting -> 'significantEvents', null from brand where host = any ($1)
		 order by host, "untilMs" nulls last`,
		[hosts, fromMs],
	);
	return rows.map(({ host, amounts, untilMs }, at) => {
		const before = rows[at - 1];
		const { winAbove, transferAbove } = v.parse(Amounts, amounts ?? undefined);
		return {
			host,
			fromMs: before?.host === host ? (before.untilMs ?? 0) : 0,
			untilMs,
			win: winAbove * MINOR_PER_MAJOR,
			transfer: transferAbove * MINOR_PER_MAJOR,
		};
	});
}
