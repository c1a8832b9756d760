/**
 * Which properties of the house's rounds are proven, and which a player has to trust: nothing more is claimed anywhere.
 */
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
