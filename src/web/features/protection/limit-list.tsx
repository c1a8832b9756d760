import type { ReactElement } from 'react';
import { LimitRow } from '#web/features/protection/limit-row.tsx';
import type { Protection } from '#web/store/protection-queries.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';

const words = PROTECTION_TEXTS.limits;
/** Deposits first; a limit of them is as prominent as every other one. */
const GROUPS = ['deposit', 'loss', 'stake'] as const;

/** All limits of the player, each with its form. */
export function LimitList({ limits, depositFrames }: Pick<Protection, 'limits' | 'depositFrames'>): ReactElement {
	return (
		<section className="surface-card" aria-label={words.title}>
			<h2>{words.title}</h2>
			{GROUPS.map((group) => (
				<div key={group}>
					<h3 className="section-title">{words.groups[group]}</h3>
					<ul>
						{limits
							.filter(({ name }) => name.startsWith(group))
							.map((limit) => (
								<LimitRow key={limit.name} limit={limit} frames={depositFrames} />
							))}
					</ul>
				</div>
			))}
		</section>
	);
}
