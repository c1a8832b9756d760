/**
 * Which properties of the house's rounds are proven, and which a player has to trust: nothing more is claimed anywhere.
 * Also the knowledge that each party has of a shared round before its result.
 */
import type { ReactElement } from 'react';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.claims;

export function Claims(): ReactElement {
	return (
		<>
			<WhatIsProven />
			<WhoKnewWhat />
		</>
	);
}

/** The parts that decide a round of Crash or of a table. */
function WhoKnewWhat(): ReactElement {
	return (
		<details className="claims">
			<summary>{words.parts.title}</summary>
			<dl>
				{words.parts.rows.map(({ part, known, fixed }) => (
					<div key={part}>
						<dt>{part}</dt>
						<dd>
							<strong>{words.parts.known}</strong> {known}
						</dd>
						<dd>
							<strong>{words.parts.fixed}</strong> {fixed}
						</dd>
					</div>
				))}
			</dl>
		</details>
	);
}

function WhatIsProven(): ReactElement {
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
