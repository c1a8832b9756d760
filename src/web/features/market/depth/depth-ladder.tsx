import type { ReactElement } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import type { Minor } from '#values/money.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatQuote, formatRounded } from '#web/format.ts';
import type { Level } from '#web/live/prices/price-book.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

/** Both sides by price, highest first: offers to layers above offers to backers. */
function ladderRows(back: readonly Level[], lay: readonly Level[]) {
	const rows = [
		...back.map(({ price, size }) => ({ price, toBack: size, toLay: null })),
		...lay.map(({ price, size }) => ({ price, toBack: null, toLay: size })),
	];
	return rows.sort((one, other) => other.price - one.price);
}

function Size({ size, most, side }: { size: Minor | null; most: number; side: 'BACK' | 'LAY' }): ReactElement {
	return (
		<td className="depth-size" data-side={side}>
			{size !== null && <i aria-hidden="true" style={{ width: `${(size / most) * 100}%` }} />}
			{size !== null && <span>{formatRounded(size)}</span>}
		</td>
	);
}

/** Every offered level, as a table with a bar behind each size. */
export function DepthLadder({
	book,
	loading,
	quoting,
}: {
	book: { back: readonly Level[]; lay: readonly Level[] } | null;
	loading: boolean;
	quoting: Quoting;
}): ReactElement {
	if (loading) return <Skeleton className="h-56 w-full" />;
	const rows = ladderRows(book?.back ?? [], book?.lay ?? []);
	if (rows.length === 0) return <p className="text-muted">{MARKET_WORDS.depthEmpty}</p>;
	const most = Math.max(...rows.map(({ toBack, toLay }) => toBack ?? toLay ?? 0));
	return (
		<table className="depth-ladder">
			<caption className="unseen">{MARKET_WORDS.depthTitle}</caption>
			<thead>
				<tr>
					<th scope="col">{quoting === 'SPREAD' ? sideWord('BACK', quoting) : MARKET_WORDS.toBack}</th>
					<th scope="col">{MARKET_WORDS.depthPrice}</th>
					<th scope="col">{quoting === 'SPREAD' ? sideWord('LAY', quoting) : MARKET_WORDS.toLay}</th>
				</tr>
			</thead>
			<tbody>
				{rows.map(({ price, toBack, toLay }) => (
					<tr key={price}>
						<Size size={toBack} most={most} side="BACK" />
						<th scope="row">{formatQuote(price, quoting)}</th>
						<Size size={toLay} most={most} side="LAY" />
					</tr>
				))}
			</tbody>
		</table>
	);
}
