/** What is proven of the house's rounds, and what a player has to believe: no more is claimed anywhere. */
import type { ReactElement } from 'react';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.claims;

export function Claims(): ReactElement {
	return (
		<details className="claims">
			<summary>{words.title}</summary>
			<dl>
				{words.kinds.map(({ games, proven, believed }) => (
					<div key={games}>
						<dt>{games}</dt>
						<dd>
							<strong>{words.proven}</strong> {proven}
						</dd>
						<dd>
							<strong>{words.believed}</strong> {believed}
						</dd>
					</div>
				))}
			</dl>
		</details>
	);
}
