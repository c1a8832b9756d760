import { type ReactElement, useRef } from 'react';
import type { Group } from '#web/features/market/market-kinds.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

export type Shown = Group | 'ALL';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** The kinds of markets of a match, in one scrolling row; arrows move along it. */
export function MarketNav({
	groups,
	shown,
	onShow,
}: {
	groups: readonly { group: Group; count: number }[];
	shown: Shown;
	onShow: (group: Shown) => void;
}): ReactElement {
	const row = useRef<HTMLDivElement>(null);
	const all = groups.reduce((sum, { count }) => sum + count, 0);
	const tabs: { key: Shown; count: number }[] = [
		{ key: 'ALL', count: all },
		...groups.map(({ group, count }) => ({ key: group, count })),
	];
	function move(key: string): void {
		const step = STEPS[key];
		const at = tabs.findIndex((tab) => tab.key === shown);
		const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
		if (!next) return;
		onShow(next.key);
		const button = row.current?.querySelector<HTMLElement>(`[data-group="${next.key}"]`);
		button?.focus();
		button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}
	return (
		<div
			ref={row}
			role="tablist"
			tabIndex={-1}
			aria-label={MARKET_WORDS.tabs}
			className="market-nav"
			onKeyDown={(event) => move(event.key)}
		>
			{tabs.map(({ key, count }) => (
				<button
					key={key}
					type="button"
					role="tab"
					id={`market-tab-${key}`}
					data-group={key}
					aria-selected={key === shown}
					aria-controls="market-groups"
					tabIndex={key === shown ? 0 : -1}
					onClick={() => onShow(key)}
				>
					{MARKET_WORDS.groups[key]} <small>{count}</small>
				</button>
			))}
		</div>
	);
}
