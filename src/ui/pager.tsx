import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';

/** Newer and older pages of a list, with the current range; nothing when all fits on one page. */
export function Pager({
	skip,
	size,
	total,
	onSkip,
	words,
}: {
	skip: number;
	size: number;
	total: number;
	onSkip: (skip: number) => void;
	words: { newer: string; older: string; range: (from: number, to: number, of: number) => string };
}): ReactElement | null {
	if (total <= size && skip === 0) return null;
	return (
		<div className="flex items-center justify-between gap-3 py-3">
			<Button disabled={skip === 0} onClick={() => onSkip(Math.max(0, skip - size))}>
				{words.newer}
			</Button>
			<p className="text-xs text-muted">{words.range(skip + 1, Math.min(skip + size, total), total)}</p>
			<Button disabled={skip + size >= total} onClick={() => onSkip(skip + size)}>
				{words.older}
			</Button>
		</div>
	);
}
