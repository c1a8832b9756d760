/** The scope of limits and breaks here: this account alone, until a code proves the mobile. */
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import type * as v from 'valibot';
import { Mobile, OneTimeCode } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { Field, type FieldProps } from '#ui/field.tsx';
import { rule } from '#ui/form-check.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { changeProtection } from '#web/features/protection/change-protection.ts';
import { showNotice } from '#web/store/notices.ts';
import type { Protection } from '#web/store/protection-queries.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { ACCOUNT_TEXTS, PROTECTION_TEXTS } from '#web/texts/more.ts';

const words = PROTECTION_TEXTS.mobile;

/** Checks a field with the server's rule; empty if it is valid. */
function refusalOf(schema: v.GenericSchema, value: string): string {
	const refused = rule(schema)(value);
	return refused === true ? '' : (fieldRefusal(refused) ?? refused);
}

interface OneFieldFormProps {
	field: Pick<FieldProps, 'label' | 'hint' | 'type' | 'inputMode' | 'autoComplete' | 'maxLength'>;
	/** What the trimmed text must be, unless it may be empty and is. */
	schema: v.GenericSchema;
	mayBeEmpty?: boolean;
	submit: string;
	/** @param text trimmed and checked */
	onSubmit: (text: string) => Promise<unknown>;
	/** The password, asked for when there is a text. */
	secret?: { value: string; onChange: (password: string) => void };
	/** Beside the button. */
	children?: ReactNode;
}

function OneFieldForm(props: OneFieldFormProps): ReactElement {
	const { field, schema, mayBeEmpty = false, submit, onSubmit, secret, children } = props;
	const [text, setText] = useState('');
	const [refusal, setRefusal] = useState('');
	const sending = useMutation({ mutationFn: onSubmit });
	const failure = sending.error ? messageOf(sending.error) : '';
	const asked = text.trim() === '' ? undefined : secret;
	return (
		<form
			noValidate
			className="flex flex-col gap-2"
			onSubmit={(event) => {
				event.preventDefault();
				const given = text.trim();
				const refused = mayBeEmpty && given === '' ? '' : refusalOf(schema, given);
				setRefusal(refused);
				if (refused === '' && !sending.isPending) sending.mutate(given);
			}}
		>
			<Field
				{...field}
				value={text}
				error={refusal || (asked ? '' : failure)}
				onChange={({ target }) => setText(target.value)}
			/>
			{asked && (
				<PasswordField
					label={ACCOUNT_TEXTS.password.current}
					showLabel={ACCOUNT_TEXTS.login.showPassword}
					hideLabel={ACCOUNT_TEXTS.login.hidePassword}
					autoComplete="current-password"
					value={asked.value}
					error={failure}
					onChange={({ target }) => asked.onChange(target.value)}
				/>
			)}
			<div className="protection-acts">
				<Button type="submit" variant="primary" busy={sending.isPending}>
					{submit}
				</Button>
				{children}
			</div>
		</form>
	);
}

function Code({ sentTo, onOther }: { sentTo: string; onOther: () => void }): ReactElement {
	const prove = async (otp: string) => {
		await changeProtection(() => call('proveMobile', { otp }));
		showNotice(words.proven, 'success');
	};
	return (
		<>
			<p className="text-muted">{words.sentTo(sentTo)}</p>
			<OneFieldForm
				field={{ label: words.code, inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 6 }}
				schema={OneTimeCode}
				submit={words.prove}
				onSubmit={prove}
			>
				<Button variant="outline" onClick={onOther}>
					{words.again}
				</Button>
			</OneFieldForm>
		</>
	);
}

/** Asks for a code to the mobile that the account has, or for the password to another one. */
function Send({ known, onSent }: { known: string | null; onSent: (masked: string) => void }): ReactElement {
	const [password, setPassword] = useState('');
	return (
		<OneFieldForm
			field={{
				label: words.number,
				type: 'tel',
				autoComplete: 'tel',
				hint: known === null ? undefined : words.emptyFor(known),
			}}
			schema={Mobile}
			mayBeEmpty={known !== null}
			submit={words.send}
			onSubmit={async (mobile) =>
				onSent((await call('sendMobileCode', mobile === '' ? {} : { mobile, password })).masked)
			}
			secret={{ value: password, onChange: setPassword }}
		/>
	);
}

export function ProveMobile({ protection }: { protection: Protection }): ReactElement | null {
	const { mobile, holdsForAll, isHeldByMobile } = protection;
	const [sentTo, setSentTo] = useState<string | null>(null);
	if (mobile?.isProven) return null;
	return (
		<section className="surface-card" aria-label={words.title}>
			<h2>{words.title}</h2>
			<p className="text-muted">{holdsForAll ? words.known : words.hint}</p>
			{isHeldByMobile && <output className="protection-bar">{words.held}</output>}
			{sentTo === null ? (
				<Send known={mobile?.masked ?? null} onSent={setSentTo} />
			) : (
				<Code sentTo={sentTo} onOther={() => setSentTo(null)} />
			)}
		</section>
	);
}
