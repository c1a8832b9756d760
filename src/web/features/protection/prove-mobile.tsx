/** Whose limits and breaks are set here: of this account alone, until a code proves the mobile. */
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import * as v from 'valibot';
import { Mobile, OneTimeCode } from '#contract/player-rules.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { rule } from '#ui/form-check.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { useChangedProtection } from '#web/features/protection/use-changed-protection.ts';
import { showNotice } from '#web/store/notices.ts';
import type { Protection } from '#web/store/protection-queries.ts';
import { fieldRefusal } from '#web/texts/field-refusal.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';

const words = PROTECTION_TEXTS.mobile;

/** Checks a field with the rule that the server has; empty when it is right. */
function refusalOf(schema: v.GenericSchema, value: string): string {
	const refused = rule(schema)(value);
	return refused === true ? '' : (fieldRefusal(refused) ?? refused);
}

function Code({ sentTo, onOther }: { sentTo: string; onOther: () => void }): ReactElement {
	const [otp, setOtp] = useState('');
	const [error, setError] = useState('');
	const onChanged = useChangedProtection();
	const proving = useMutation({
		mutationFn: () => call('proveMobile', { otp: otp.trim() }),
		onSuccess: (protection) => {
			onChanged(protection);
			showNotice(words.proven, 'success');
		},
	});
	return (
		<form
			noValidate
			className="flex flex-col gap-2"
			onSubmit={(event) => {
				event.preventDefault();
				const refusal = refusalOf(OneTimeCode, otp);
				setError(refusal);
				if (refusal === '' && !proving.isPending) proving.mutate();
			}}
		>
			<p className="text-muted">{words.sentTo(sentTo)}</p>
			<Field
				label={words.code}
				inputMode="numeric"
				autoComplete="one-time-code"
				maxLength={6}
				value={otp}
				error={error || (proving.error ? messageOf(proving.error) : '')}
				onChange={({ target }) => setOtp(target.value)}
			/>
			<div className="protection-acts">
				<Button type="submit" variant="primary" busy={proving.isPending}>
					{words.prove}
				</Button>
				<Button variant="outline" onClick={onOther}>
					{words.again}
				</Button>
			</div>
		</form>
	);
}

/** Asks for a code to the mobile that the account has, or to another one. */
function Send({ known, onSent }: { known: string | null; onSent: (masked: string) => void }): ReactElement {
	const [mobile, setMobile] = useState('');
	const [error, setError] = useState('');
	const sending = useMutation({
		mutationFn: () => call('sendMobileCode', mobile === '' ? {} : { mobile }),
		onSuccess: ({ masked }) => onSent(masked),
	});
	return (
		<form
			noValidate
			className="flex flex-col gap-2"
			onSubmit={(event) => {
				event.preventDefault();
				const refusal = mobile === '' && known !== null ? '' : refusalOf(Mobile, mobile);
				setError(refusal);
				if (refusal === '' && !sending.isPending) sending.mutate();
			}}
		>
			<Field
				label={known === null ? words.number : words.other(known)}
				type="tel"
				autoComplete="tel"
				value={mobile}
				error={error || (sending.error ? messageOf(sending.error) : '')}
				onChange={({ target }) => setMobile(target.value)}
			/>
			<div className="protection-acts">
				<Button type="submit" variant="primary" busy={sending.isPending}>
					{words.send}
				</Button>
			</div>
		</form>
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
