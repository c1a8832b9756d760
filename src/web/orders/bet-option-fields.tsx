import { type ReactElement, useId, useState } from 'react';
import { ZERO } from '#values/money.ts';
import { isAtPrice, isWhenSound, keptPrice, whenText } from '#web/betting/asked-terms.ts';
import {
	BET_WHENS,
	GOOD_FOR,
	GOOD_UNTIL_MATCHED,
	isPlan,
	keyOf,
	NO_OPTIONS,
	type Selection,
} from '#web/betting/selection.ts';
import type { TakenTerms } from '#web/betting/taken-terms.ts';
import { formatMoney } from '#web/format.ts';
import { setOptions } from '#web/store/slip.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';
import { oddsKeys } from '#web/typed-odds.ts';

const words = SLIP_WORDS;
const POST_ONLY = ['', 'REFUSE', 'REPRICE'] as const;

/** What is chosen, beside the fold. */
function chosen(selection: Selection): string[] {
	const { keep, fillOrKill, postOnly, goodFor, goodUntilMatched, when } = selection;
	return [
		when === '' ? '' : `${words.whens[when]} ${whenText(selection)}`,
		keep ? words.keep : '',
		fillOrKill ? words.fillOrKill : '',
		postOnly === '' ? '' : words.postOnly[postOnly],
		goodFor > 0 ? words.goodFor(goodFor) : '',
		goodUntilMatched > 0 ? words.goodUntilMatched(formatMoney(goodUntilMatched)) : '',
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

/** What only a bet that is placed at once can ask, at rest. */
const TERMS_OF_NOW = { fillOrKill: false, postOnly: '', goodFor: 0, goodUntilMatched: ZERO } as const;

/** The price that places the bet, or the distance of a trailing one. */
function WhenField({ selection }: { selection: Selection }): ReactElement {
	const id = useId();
	const [typed, setTyped] = useState<string | null>(null);
	const { when, whenAt, quoting } = selection;
	const isPrice = isAtPrice(selection);
	const isTrailing = when === 'TRAILS_RISE' || when === 'TRAILS_FALL';
	const isAtStart = when === 'START';
	const label = isPlan(when)
		? words.planFields[when]
		: isAtStart
			? words.startLimit
			: isTrailing
				? words.whenTicks
				: words.whenPrice;
	const hint = isPlan(when) ? words.planHints[when] : isAtStart ? words.startHint : words.whenHint;
	return (
		<>
			<p className="slip-choice">
				<label htmlFor={id}>{label}</label>
				<input
					id={id}
					className="field-box text-right"
					inputMode={
						when === 'BRACKET'
							? 'text'
							: isTrailing || when === 'PEG'
								? 'numeric'
								: isPrice && quoting === 'ODDS'
									? oddsKeys()
									: 'decimal'
					}
					autoComplete="off"
					value={typed ?? whenText(selection)}
					aria-invalid={whenAt !== '' && !isWhenSound(selection)}
					aria-describedby={`${id}-hint`}
					onChange={({ target: { value } }) => {
						setTyped(isPrice ? value : null);
						setOptions(keyOf(selection), { whenAt: isPrice ? keptPrice(value, selection) : value });
					}}
					onBlur={() => setTyped(null)}
				/>
			</p>
			<small id={`${id}-hint`}>{hint}</small>
		</>
	);
}

/** The options for the unmatched part, folded away: most bets need none. */
export function BetOptionFields({
	selection,
	taken,
}: {
	selection: Selection;
	/** What the market takes. */
	taken: TakenTerms;
}): ReactElement {
	const key = keyOf(selection);
	const { keep, fillOrKill, postOnly, goodFor, goodUntilMatched, when } = selection;
	// What was chosen before the market changed is shown, too: it can be taken back.
	const isShown = (option: TakenTerms['options'][number]) =>
		taken.options.includes(option) || selection[option] !== NO_OPTIONS[option];
	return (
		<details className="slip-more">
			<summary>
				{words.more}
				<b>{chosen(selection).join(' · ')}</b>
			</summary>
			<Choice
				label={words.when}
				value={when}
				values={BET_WHENS.filter((each) => taken.whens.includes(each) || when === each)}
				wordsOf={(each) => words.whens[each]}
				disabled={false}
				onChoose={(each) =>
					setOptions(key, { ...TERMS_OF_NOW, when: each, whenAt: '', ...(each === 'START' ? { keep: false } : {}) })
				}
			/>
			{when !== '' && <WhenField selection={selection} />}
			<label className="slip-option">
				<input
					type="checkbox"
					disabled={when !== ''}
					checked={fillOrKill}
					onChange={({ target }) =>
						setOptions(key, target.checked ? { ...TERMS_OF_NOW, fillOrKill: true, keep: false } : { fillOrKill: false })
					}
				/>
				<span>
					{words.fillOrKill}
					<small>{words.fillOrKillHint}</small>
				</span>
			</label>
			{taken.keeps && (
				<label className="slip-option">
					<input
						type="checkbox"
						checked={keep}
						disabled={fillOrKill || when === 'START'}
						onChange={({ target }) => setOptions(key, { keep: target.checked })}
					/>
					<span>
						{words.keep}
						<small>{words.keepHint}</small>
					</span>
				</label>
			)}
			{isShown('postOnly') && (
				<Choice
					label={words.ifMet}
					value={postOnly}
					values={POST_ONLY}
					wordsOf={(each) => (each === '' ? words.mayMatch : words.postOnly[each])}
					disabled={fillOrKill || when !== ''}
					onChoose={(each) => setOptions(key, { postOnly: each })}
				/>
			)}
			{isShown('goodFor') && (
				<Choice
					label={words.goodTill}
					value={goodFor}
					values={[0, ...GOOD_FOR]}
					wordsOf={(seconds) => (seconds === 0 ? words.goodTillCancelled : words.goodFor(seconds))}
					disabled={fillOrKill || when !== ''}
					onChoose={(seconds) => setOptions(key, { goodFor: seconds })}
				/>
			)}
			{isShown('goodUntilMatched') && (
				<Choice
					label={words.endsWithVolume}
					value={goodUntilMatched}
					values={[ZERO, ...GOOD_UNTIL_MATCHED]}
					wordsOf={(amount) => (amount === 0 ? words.anyVolume : words.goodUntilMatched(formatMoney(amount)))}
					disabled={fillOrKill || when !== ''}
					onChoose={(amount) => setOptions(key, { goodUntilMatched: amount })}
				/>
			)}
		</details>
	);
}
