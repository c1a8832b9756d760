/** /contact: the player's mail address, and what is told by mail. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { MailAddress } from '#contract/calls/contact.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { rule } from '#ui/form-check.ts';
import { FormScreen } from '#ui/form-screen.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import type { Contact } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { showNotice } from '#web/store/notices.ts';
import { contactQuery } from '#web/store/record-queries.ts';
import { useSession } from '#web/store/session.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.contact;
const KINDS = ['limits', 'withdrawals', 'statement'] as const;
const CARD = 'flex flex-col gap-2 rounded-lg border border-line bg-surface-1 p-4';

/** Runs a call, then reads the address again. */
function useContactAct<Input>(act: (input: Input) => Promise<unknown>, onDone: () => void = () => undefined) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: act,
		onSuccess: async () => {
			await client.invalidateQueries({ queryKey: contactQuery().queryKey });
			onDone();
		},
	});
}

const Refusal = ({ error }: { error: unknown }): ReactElement => (
	<p role="alert" className="min-h-5 text-loss">
		{error ? messageOf(error) : ''}
	</p>
);

function CodeForm({ sentTo }: { sentTo: string }): ReactElement {
	const [otp, setOtp] = useState('');
	const proving = useContactAct(
		() => call('proveMailAddress', { otp: otp.trim() }),
		() => showNotice(words.proven, 'success'),
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!proving.isPending) proving.mutate(undefined);
	};
	return (
		<form noValidate aria-label={words.codeTitle} onSubmit={submit} className={CARD}>
			<p className="break-words text-muted">{words.sentTo(sentTo)}</p>
			<Field
				label={ACCOUNT_TEXTS.verification.otp}
				inputMode="numeric"
				autoComplete="one-time-code"
				maxLength={6}
				value={otp}
				onChange={({ target }) => setOtp(target.value)}
			/>
			<Refusal error={proving.error} />
			<Button type="submit" variant="primary" busy={proving.isPending}>
				{words.prove}
			</Button>
		</form>
	);
}

function AddressForm({ address, unproven }: Pick<Contact, 'address' | 'unproven'>): ReactElement {
	// Another code needs no second typing.
	const [given, setGiven] = useState(unproven ?? '');
	const [password, setPassword] = useState('');
	const [refusal, setRefusal] = useState('');
	const setting = useContactAct(
		() => call('setMailAddress', { address: given.trim(), password }),
		() => setPassword(''),
	);
	const removing = useContactAct(
		() => call('removeMailAddress', { password }),
		() => {
			setGiven('');
			setPassword('');
		},
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		removing.reset();
		const isSound = rule(MailAddress)(given) === true;
		setRefusal(isSound ? '' : words.notSound);
		if (isSound && !setting.isPending) setting.mutate(undefined);
	};
	return (
		<form noValidate aria-label={words.title} onSubmit={submit} className={CARD}>
			<p className="break-words">{address === null ? words.none : words.present(address)}</p>
			<p className="text-muted">{words.hint}</p>
			<Field
				label={address === null ? words.address : words.other}
				type="email"
				inputMode="email"
				autoComplete="email"
				autoCapitalize="none"
				spellCheck={false}
				value={given}
				error={refusal}
				onChange={({ target }) => setGiven(target.value)}
			/>
			<PasswordField
				label={ACCOUNT_TEXTS.password.current}
				showLabel={ACCOUNT_TEXTS.login.showPassword}
				hideLabel={ACCOUNT_TEXTS.login.hidePassword}
				autoComplete="current-password"
				value={password}
				onChange={({ target }) => setPassword(target.value)}
			/>
			<Refusal error={setting.error ?? removing.error} />
			<Button type="submit" variant="primary" busy={setting.isPending}>
				{unproven === null ? words.send : words.again}
			</Button>
			{(address !== null || unproven !== null) && (
				<Button
					variant="outline"
					busy={removing.isPending}
					onClick={() => {
						setting.reset();
						removing.mutate(undefined);
					}}
				>
					{words.remove}
				</Button>
			)}
		</form>
	);
}

function Notices({ notices }: Pick<Contact, 'notices'>): ReactElement {
	const saving = useContactAct((next: Contact['notices']) => call('setMailNotices', next));
	// The newest press is shown until the answer has it.
	const shown = saving.isPending ? saving.variables : notices;
	return (
		<section aria-label={words.notices} className={CARD}>
			<h2 className="font-semibold">{words.notices}</h2>
			<p className="text-muted">{words.always}</p>
			{KINDS.map((kind) => (
				<label key={kind} className="flex min-h-11 items-center justify-between gap-4">
					{words.kinds[kind]}
					<input
						type="checkbox"
						role="switch"
						aria-checked={shown[kind]}
						className="switch"
						checked={shown[kind]}
						disabled={saving.isPending}
						onChange={({ target }) => saving.mutate({ ...notices, [kind]: target.checked })}
					/>
				</label>
			))}
			<Refusal error={saving.error} />
		</section>
	);
}

export function ContactScreen(): ReactElement {
	const isDemo = useSession((state) => state.user?.isDemo ?? false);
	const { data, error } = useQuery({ ...contactQuery(), enabled: !isDemo });
	const isShut = isDemo || data?.isOffered === false;
	const closed = isShut && { title: words.closed, hint: isDemo ? words.closedToDemo : words.closedHere };
	return (
		<FormScreen title={words.title} closed={closed}>
			{error && <Refusal error={error} />}
			{data && (
				<>
					<AddressForm key={data.address} address={data.address} unproven={data.unproven} />
					{data.unproven !== null && <CodeForm key={data.unproven} sentTo={data.unproven} />}
					{data.address !== null && <Notices notices={data.notices} />}
				</>
			)}
		</FormScreen>
	);
}
