/** What a confirmation will move: in words, by sums, and the largest movements. */
import type { ReactElement } from 'react';
import type * as v from 'valibot';
import { amount } from '#console/parts/format.ts';
import type { Preview } from '#contract/operators/proposals.ts';

type PreviewData = v.InferInput<typeof Preview>;
type Line = PreviewData['lines'][number];

const Lines = ({ caption, lines }: { caption: string; lines: readonly Line[] }): ReactElement => (
	<table className="preview">
		<caption>{caption}</caption>
		<thead>
			<tr>
				<th scope="col">What</th>
				<th scope="col">Who</th>
				<th scope="col">Pool</th>
				<th scope="col" data-number>
					Amount
				</th>
			</tr>
		</thead>
		<tbody>
			{lines.map(({ what, who, pool, amount: moved }) => (
				<tr key={`${what} ${who} ${pool}`}>
					<td>{what}</td>
					<td>{who}</td>
					<td>{pool}</td>
					<td data-number>{amount(moved)}</td>
				</tr>
			))}
		</tbody>
	</table>
);

export function PreviewView({ preview }: { preview: PreviewData }): ReactElement {
	const { summary, lines, total, sums } = preview;
	return (
		<div>
			<ul>
				{summary.map((line) => (
					<li key={line}>{line}</li>
				))}
			</ul>
			{sums.length > 0 && <Lines caption="In all" lines={sums} />}
			{lines.length > 0 && (
				<Lines
					caption={
						total > lines.length
							? `The largest ${lines.length} of ${total} movements`
							: total === 1
								? '1 movement'
								: `${total} movements`
					}
					lines={lines}
				/>
			)}
		</div>
	);
}
