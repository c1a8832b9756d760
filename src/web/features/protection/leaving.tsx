/** The ways to stop: a break, self-exclusion, closing the account. Each is confirmed before it is done. */
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Modal } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { TIME_OUT_HOURS } from '#values/time.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { leave } from '#web/features/protection/change-protection.ts';
import { formatDateTime } from '#web/format.ts';
import { showNotice } from '#web/store/notices.ts';
import type { Protection } from '#web/store/protection-queries.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = PROTECTION_TEXTS;
const MONTHS = [6, 12, 60] as const;
const HOURS = [TIME_OUT_HOURS.least, 48, 168, 336, TIME_OUT_HOURS.most] as const;

interface Step {
	title: string;
	hint: string;
	/** Of the button that opens the confirmation, and of the one that confirms. */
	start: string;
	question: string;
	/** Nothing that cannot be undone is done without the password. */
	needsPassword: boolean;
	leave: (password: string) => Promise<Protection>;
	done: (protection: Protection) => string;
}

function Confirmation({ step, onClose }: { step: Step; onClose: () => void }): ReactElement {
	const [password, setPassword] = useState('');
	const [error, setError] = useState('');
	const leaving = useMutation({
		mutationFn: () => leave(() => step.leave(password)),
		onSuccess: (protection) => {
			showNotice(step.done(protection), 'success');
			onClose();
		},
	});
	return (
		<Modal open sheet title={step.question} closeLabel={TEXTS.app.close} onClose={onClose}>
			<form
				noValidate
				className="flex flex-col gap-4"
				onSubmit={(event) => {
					event.preventDefault();
					const isMissing = step.needsPassword && password === '';
					setError(isMissing ? words.noPassword : '');
					if (!isMissing && !leaving.isPending) leaving.mutate();
				}}
			>
				<p className="text-muted">{step.hint}</p>
				{step.needsPassword && (
					<PasswordField
						label={words.password}
						showLabel={words.showPassword}
						hideLabel={words.hidePassword}
						autoComplete="current-password"
						value={password}
						error={error}
						onChange={({ target }) => setPassword(target.value)}
					/>
				)}
				{leaving.error && (
					<p role="alert" className="text-loss">
						{messageOf(leaving.error)}
					</p>
				)}
				<Button type="submit" variant="danger" className="w-full" busy={leaving.isPending}>
					{step.start}
				</Button>
			</form>
		</Modal>
	);
}

function Way({ step, children }: { step: Step; children?: ReactNode }): ReactElement {
	const [isAsked, setAsked] = useState(false);
	return (
		<section className="surface-card" aria-label={step.title}>
			<h2>{step.title}</h2>
			<p className="text-muted">{step.hint}</p>
			<div className="protection-acts">
				{children}
				<Button variant="outline" onClick={() => setAsked(true)}>
					{step.start}
				</Button>
			</div>
			{isAsked && <Confirmation step={step} onClose={() => setAsked(false)} />}
		</section>
	);
}

/** A choice of lengths, as the select has them: text. */
function Length({
	lengths,
	names,
	value,
	onChange,
}: {
	lengths: readonly number[];
	names: Readonly<Record<number, string>>;
	value: number;
	onChange: (value: number) => void;
}): ReactElement {
	return (
		<FilterSelect
			label={words.breaks.label}
			value={String(value)}
			options={lengths.map((length) => ({ value: String(length), text: names[length] ?? '' }))}
			onChange={(length) => onChange(Number(length))}
		/>
	);
}

export function Break(): ReactElement {
	const [hours, setHours] = useState<(typeof HOURS)[number]>(HOURS[0]);
	const { lengths, title, hint, start, confirm, taken } = words.breaks;
	const step: Step = {
		title,
		hint,
		start,
		question: confirm(lengths[hours]),
		needsPassword: false,
		leave: () => call('takeTimeOut', { hours }),
		done: ({ timeOutUntil }) => taken(formatDateTime(timeOutUntil ?? '')),
	};
	return (
		<Way step={step}>
			<Length
				lengths={HOURS}
				names={lengths}
				value={hours}
				onChange={(length) => setHours(HOURS.find((known) => known === length) ?? HOURS[0])}
			/>
		</Way>
	);
}

export function Exclusion({ holdsForAll }: Pick<Protection, 'holdsForAll'>): ReactElement {
	const [months, setMonths] = useState<(typeof MONTHS)[number]>(MONTHS[0]);
	const { lengths, title, hint, here, start, confirm, done } = words.exclusion;
	const step: Step = {
		title,
		hint: holdsForAll ? hint : here,
		start,
		question: confirm(lengths[months]),
		needsPassword: true,
		leave: (password) => call('excludeSelf', { months, password }),
		done: ({ excludedUntil }) => done(formatDateTime(excludedUntil ?? '')),
	};
	return (
		<Way step={step}>
			<Length
				lengths={MONTHS}
				names={lengths}
				value={months}
				onChange={(length) => setMonths(MONTHS.find((known) => known === length) ?? MONTHS[0])}
			/>
		</Way>
	);
}

export function Closing(): ReactElement {
	const { title, hint, start, confirm, done } = words.closing;
	const leave = (password: string) => call('closeAccount', { password });
	return <Way step={{ title, hint, start, question: confirm, needsPassword: true, leave, done: () => done }} />;
}
