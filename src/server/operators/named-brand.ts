/** The brand that an act names. */
import type { OperatorOptions } from '#server/operators/act.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';

/** @param host of a brand, or "default". @throws Refused UNKNOWN_DOMAIN */
export function brandOf({ brands }: Pick<OperatorOptions, 'brands'>, host: string): Brand {
	const brand = brands.byName(host);
	if (!brand) throw new Refused('UNKNOWN_DOMAIN');
	return brand;
}
