/** One setting of a brand: its words, its bounds, and a new value for the draft, checked as it is typed. */
import { type FormEvent, type ReactElement, useState } from 'react';
import { amountSaid, majorFromText } from '#console/parts/amount-words.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { LookPreview } from '#console/parts/look-preview.tsx';
import { checked, type Draft, withValue } from '#console/parts/setting-draft.ts';
import { type SettingField, shownValue, valueAt } from '#console/parts/setting-fields.ts';
import { ColourFields } from '#console/screens/colour-fields.tsx';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { textOf } from '#contract/setting-change.ts';
import { isSetAlone } from '#contract/setting-guard.ts';
import { OF_BRAND } from '#contract/setting-words.ts';
import type { Theme } from '#contract/theme-tokens.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField, SelectField } from '#ui/field.tsx';

interface SettingDialogProps {
	field: SettingField;
	/** As it is. */
	setting: DomainSetting;
	draft: Draft;
	/** @param value for the draft, as text */
	onDraft: (value: string) => void;
	onClose: () => void;
}

const YES_NO = [
	{ value: 'true', text: 'Yes' },
	{ value: 'false', text: 'No' },
];

const isAmount = ({ kind, unit }: SettingField): boolean => kind === 'number' && unit === OF_BRAND;

/** Major units; a text that is no amount stays, and the check says so. */
const amountText = (typed: string): string => String(majorFromText(typed) ?? typed);

/** What the box shows of a value. */
const typedOf = ({ kind }: SettingField, value: unknown): string =>
	value === null ? '' : kind === 'json' || kind === 'colours' ? JSON.stringify(value, null, 1) : textOf(value);

export function SettingDialog({ field, setting, draft, onDraft, onClose }: SettingDialogProps): ReactElement {
	const drafted = draft.get(field.path);
	const [typed, setTyped] = useState(drafted ?? typedOf(field, valueAt(setting, field.path)));
	const value = typed.trim() === '' && field.isNullable ? 'null' : isAmount(field) ? amountText(typed) : typed;
	const check = checked(setting, withValue(draft, field.path, value));
	const isLook = field.group === 'colours' || field.path === 'domainTitle';
	const send = (event: FormEvent) => {
		event.preventDefault();
		if (check.problem !== null) return;
		onDraft(value);
		onClose();
	};
	return (
		<Dialog title={field.label} onClose={onClose}>
			<p>{field.help}</p>
			<p className="text-muted">
				Now: {shownValue(field, valueAt(setting, field.path))}.
				{!isSetAlone(field.path) && ' It concerns money, so another member confirms it.'}
			</p>
			<form className="record-form" onSubmit={send} noValidate>
				<ValueField
					field={field}
					theme={check.setting.theme}
					typed={typed}
					problem={check.problem}
					onTyped={setTyped}
				/>
				{check.warnings.map((warning) => (
					<p key={warning} className="text-soon">
						{warning}
					</p>
				))}
				<Button type="submit" variant="primary" disabled={check.problem !== null}>
					Put into the draft
				</Button>
			</form>
			{isLook && <LookPreview look={check.setting} />}
		</Dialog>
	);
}

interface ValueFieldProps {
	field: SettingField;
	theme: Theme;
	typed: string;
	problem: string | null;
	onTyped: (typed: string) => void;
}

function ValueField({ field, theme, typed, problem, onTyped }: ValueFieldProps): ReactElement {
	const { kind, bounds, unit, label } = field;
	const shared = {
		label: unit === '' ? label : `${label}, ${unit}`,
		value: typed,
		error: problem ?? undefined,
		autoComplete: 'off',
		onChange: ({ target }: { target: { value: string } }) => onTyped(target.value),
	};
	if (kind === 'colours') return <ColourFields theme={theme} typed={typed} problem={problem} onTyped={onTyped} />;
	if (kind === 'checkbox') return <SelectField {...shared} options={YES_NO} />;
	if (typeof kind === 'object')
		return <SelectField {...shared} options={kind.options.map((option) => ({ value: option, text: option }))} />;
	if (kind === 'json') return <LongField {...shared} rows={8} hint="As JSON." />;
	const none = field.isNullable ? ' Empty for none.' : '';
	const said = isAmount(field) ? `${amountSaid(typed)} ` : '';
	return <Field {...shared} inputMode={kind === 'number' ? 'numeric' : 'text'} hint={`${said}${bounds}${none}`} />;
}
