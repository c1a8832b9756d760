import { type ReactElement, useId } from 'react';
import { GOOD_FOR, keyOf, type Selection } from '#web/betting/selection.ts';
import { setOptions } from '#web/store/slip.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

const words = SLIP_WORDS;
const POST_ONLY = ['', 'REFUSE', 'REPRICE'] as const;

/** What is chosen, beside the fold. */
function chosen({ keep, fillOrKill, postOnly, goodFor }: Selection): string[] {
	return [
		keep ? words.keep : '',
		fillOrKill ? words.fillOrKill : '',
		postOnly === '' ? '' : words.postOnly[postOnly],
		goodFor > 0 ? words.goodFor(goodFor) : '',
	].filter((option) => option !== '');
}

function Choice<Value extends string | number>({
	label,
	value,
	values,
	wordsOf,
	disabled,
	onChoose,
}: {
	label: string;
	value: Value;
	values: readonly Value[];
	wordsOf: (value: Value) => string;
	disabled: boolean;
	onChoose: (value: Value) => void;
}): ReactElement {
	const id = useId();
	return (
		<p className="slip-choice">
			<label htmlFor={id}>{label}</label>
			<select
				id={id}
				className="field-box"
				value={values.indexOf(value)}
				disabled={disabled}
				onChange={({ target }) => onChoose(values[Number(target.value)] as Value)}
			>
				{values.map((each, at) => (
					<option key={each} value={at}>
						{wordsOf(each)}
					</option>
				))}
			</select>
		</p>
	);
}

/** The options for the unmatched part, folded away: most bets need none. */
export function BetOptionFields({ selection, canKeep }: { selection: Selection; canKeep: boolean }): ReactElement {
	const key = keyOf(selection);
	const { keep, fillOrKill, postOnly, goodFor } = selection;
	return (
		<details className="slip-more">
			<summary>
				{words.more}
				<b>{chosen(selection).join(' · ')}</b>
			</summary>
			<label className="slip-option">
				<input
					type="checkbox"
					checked={fillOrKill}
					onChange={({ target }) =>
						setOptions(
							key,
							target.checked ? { fillOrKill: true, keep: false, postOnly: '', goodFor: 0 } : { fillOrKill: false },
						)
					}
				/>
				<span>
					{words.fillOrKill}
					<small>{words.fillOrKillHint}</small>
				</span>
			</label>
			{canKeep && (
				<label className="slip-option">
					<input
						type="checkbox"
						checked={keep}
						disabled={fillOrKill}
						onChange={({ target }) => setOptions(key, { keep: target.checked })}
					/>
					<span>
						{words.keep}
						<small>{words.keepHint}</small>
					</span>
				</label>
			)}
			<Choice
				label={words.ifMet}
				value={postOnly}
				values={POST_ONLY}
				wordsOf={(each) => (each === '' ? words.mayMatch : words.postOnly[each])}
				disabled={fillOrKill}
				onChoose={(each) => setOptions(key, { postOnly: each })}
			/>
			<Choice
				label={words.goodTill}
				value={goodFor}
				values={[0, ...GOOD_FOR]}
				wordsOf={(seconds) => (seconds === 0 ? words.goodTillCancelled : words.goodFor(seconds))}
				disabled={fillOrKill}
				onChoose={(seconds) => setOptions(key, { goodFor: seconds })}
			/>
		</details>
	);
}
