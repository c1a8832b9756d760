/** A new brand of play money: its host, name, languages and sports, and the rules that it takes over from another. */
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Problem } from '#console/parts/loaded.tsx';
import { SPORT_FIELDS } from '#contract/operators/brands.ts';
import { SETTING_WORDS } from '#contract/setting-words.ts';
import { Button } from '#ui/button.tsx';
import { Field, SelectField } from '#ui/field.tsx';
import { CURRENCIES, HOME_CURRENCY } from '#values/currency-codes.ts';
import { languageLabel } from '#values/language-names.ts';
import { LANGUAGES } from '#values/languages.ts';

interface NewBrandDialogProps {
	brands: ResultOf<'brand-list'>;
	onAdded: (host: string) => void;
	onClose: () => void;
}

export function NewBrandDialog({ brands, onAdded, onClose }: NewBrandDialogProps): ReactElement {
	const add = useAct('brand-add');
	const [sports, setSports] = useState<readonly (typeof SPORT_FIELDS)[number][]>(SPORT_FIELDS);
	const [languages, setLanguages] = useState<readonly string[]>(['en']);
	const send = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const typed = (name: string) => String(form.get(name) ?? '').trim();
		const rulesOf = typed('rulesOf');
		const host = typed('host').toLowerCase();
		const currency = CURRENCIES.find((code) => code === typed('currency')) ?? HOME_CURRENCY;
		const input = { host, title: typed('title'), languages: [...languages], sports: [...sports], currency };
		add.mutate({ ...input, ...(rulesOf === '' ? {} : { rulesOf }) }, { onSuccess: () => onAdded(host) });
	};
	return (
		<Dialog title="New brand" onClose={onClose}>
			<p className="text-muted">It begins in play money. Two owners make it one of real money on its page.</p>
			<form className="record-form" onSubmit={send}>
				<Field
					label="Host"
					name="host"
					required
					autoComplete="off"
					hint="In lower case without a port, such as play.example."
				/>
				<Field label="Name of the site" name="title" required maxLength={60} autoComplete="off" />
				<SelectField
					label="Currency, which never changes"
					name="currency"
					options={CURRENCIES.map((code) => ({ value: code, text: code }))}
				/>
				<Choices
					legend="Languages; the first chosen is for visitors who ask for none of them"
					names={Object.fromEntries(LANGUAGES.map((code) => [code, languageLabel(code, 'not proofread')]))}
					chosen={languages}
					onChosen={setLanguages}
				/>
				<Choices
					legend="Sports"
					names={Object.fromEntries(SPORT_FIELDS.map((sport) => [sport, SETTING_WORDS[sport].label]))}
					chosen={sports}
					onChosen={(chosen) => setSports(SPORT_FIELDS.filter((sport) => chosen.includes(sport)))}
				/>
				<SelectField
					label="Rules of bets, registration, money and protection"
					name="rulesOf"
					options={[
						{ value: '', text: 'the defaults' },
						...brands.map(({ host }) => ({ value: host, text: `as ${host}` })),
					]}
				/>
				<Problem error={add.error} />
				<Button type="submit" variant="primary" busy={add.isPending} disabled={languages.length === 0}>
					Add the brand
				</Button>
			</form>
		</Dialog>
	);
}

interface ChoicesProps {
	legend: string;
	/** Labels by value. */
	names: Readonly<Record<string, string>>;
	chosen: readonly string[];
	onChosen: (chosen: string[]) => void;
}

function Choices({ legend, names, chosen, onChosen }: ChoicesProps): ReactElement {
	const turn = (value: string) =>
		onChosen(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
	return (
		<fieldset>
			<legend className="text-sm text-muted">{legend}</legend>
			{Object.entries(names).map(([value, label]) => (
				<label key={value} className="check">
					<input type="checkbox" checked={chosen.includes(value)} onChange={() => turn(value)} />
					{label}
				</label>
			))}
		</fieldset>
	);
}
