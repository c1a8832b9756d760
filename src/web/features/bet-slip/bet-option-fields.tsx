import type { ReactElement } from 'react';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import { setOptions } from '#web/store/slip.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** The options for the unmatched part, folded away: most bets need neither. */
export function BetOptionFields({ selection, canKeep }: { selection: Selection; canKeep: boolean }): ReactElement {
	const key = keyOf(selection);
	return (
		<details className="slip-more">
			<summary>
				{SLIP_WORDS.more}
				{selection.keep && <b>{SLIP_WORDS.keep}</b>}
				{selection.fillOrKill && <b>{SLIP_WORDS.fillOrKill}</b>}
			</summary>
			<label className="slip-option">
				<input
					type="checkbox"
					checked={selection.fillOrKill}
					onChange={(event) =>
						setOptions(key, event.target.checked ? { fillOrKill: true, keep: false } : { fillOrKill: false })
					}
				/>
				<span>
					{SLIP_WORDS.fillOrKill}
					<small>{SLIP_WORDS.fillOrKillHint}</small>
				</span>
			</label>
			{canKeep && (
				<label className="slip-option">
					<input
						type="checkbox"
						checked={selection.keep}
						disabled={selection.fillOrKill}
						onChange={(event) => setOptions(key, { keep: event.target.checked })}
					/>
					<span>
						{SLIP_WORDS.keep}
						<small>{SLIP_WORDS.keepHint}</small>
					</span>
				</label>
			)}
		</details>
	);
}
