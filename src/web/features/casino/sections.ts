/** The sections of the lobby, as `/lobby-page/:section` names them, and where a game stands. */
import type { CasinoGameInfo } from '#web/store/casino-queries.ts';

export const RAILS = ['originals', 'tables', 'cards', 'studios'] as const;
export const SECTIONS = ['all', ...RAILS] as const;
export type Section = (typeof SECTIONS)[number];

export const isSection = (name: string | undefined): name is Section => SECTIONS.some((section) => section === name);

export function sectionOf({ kind }: Pick<CasinoGameInfo, 'kind'>): Section {
	if (kind === 'provider') return 'studios';
	if (kind === 'table') return 'tables';
	return kind === 'turns' ? 'cards' : 'originals';
}
