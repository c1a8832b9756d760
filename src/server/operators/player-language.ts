import type { OperatorOptions } from '#server/operators/act.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Language } from '#values/languages.ts';

/** The player's own language, or else the brand's. */
export function languageOf(
	{ players, brands }: Pick<OperatorOptions, 'players' | 'brands'>,
	playerId: PlayerId,
): Language {
	const brand = brands.all().find(({ host }) => host === players.brandOf(playerId));
	return players.languageOf(playerId) ?? brand?.setting.defaultLanguage ?? 'en';
}
