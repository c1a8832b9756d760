import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Selection } from '#web/betting/selection.ts';
import { formatQuote } from '#web/format.ts';
import { ladderQuery } from '#web/store/market-queries.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

const words = SLIP_WORDS;

/** What the starting price would be if the auction were held now: with the bets that rest in the book, and without. */
export function StartEstimate({ selection }: { selection: Selection }): ReactElement {
	const { marketId, runnerId, quoting } = selection;
	const { data } = useQuery(ladderQuery(marketId, runnerId));
	const start = data?.runners.find((runner) => runner.runnerId === runnerId)?.start;
	const near = start?.near ?? null;
	const far = start?.far ?? null;
	return (
		<div className="self-end">
			<p className="text-sm font-semibold">{words.whens.START}</p>
			<p className="text-xs text-muted">
				{near === null ? words.startUnknown : words.startNow(formatQuote(near, quoting))}
				{far !== null && far !== near && ` · ${words.startFar(formatQuote(far, quoting))}`}
			</p>
		</div>
	);
}
