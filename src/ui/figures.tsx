import type { ReactElement, ReactNode } from 'react';

interface Figure {
	name: string;
	value: ReactNode;
	tone?: 'profit' | 'loss' | undefined;
}

/** On a phone this number of sums, or more, stands in two columns. */
const MANY = 4;

/** Sums above a list, each with its name; the first is the one that counts. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }): ReactElement {
	return (
		<section aria-label={label}>
			<dl className="figures" data-many={figures.length >= MANY || undefined}>
				{figures.map(({ name, value, tone }) => (
					<div key={name} data-tone={tone}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

/** The colour of an amount; its sign says the same. */
export const toneOf = (amount: number): 'profit' | 'loss' | undefined =>
	amount > 0 ? 'profit' : amount < 0 ? 'loss' : undefined;
