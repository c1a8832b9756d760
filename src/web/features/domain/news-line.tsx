import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { useDomain } from '#web/store/domain.ts';
import { TEXTS } from '#web/texts.ts';

/** The brand's news, all of them at once and standing still. */
export function NewsLine(): ReactElement | null {
	const news = useDomain((state) => state.setting?.news);
	if (!news || news.length === 0) return null;
	return (
		<aside aria-label={TEXTS.domain.news} className="border-b border-line bg-surface-2 px-3 py-2 text-xs lg:px-5">
			<ul className="mx-auto flex max-w-[100rem] flex-wrap gap-x-6 gap-y-1">
				{news.map((sentence) => (
					<li key={sentence} className="flex items-center gap-2">
						<Icon solid size="xs" className="text-brand-text">
							tower-broadcast
						</Icon>
						{sentence}
					</li>
				))}
			</ul>
		</aside>
	);
}
