/** The form that creates an app key, and the dialog that shows the key once. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useRef, useState } from 'react';
import { MOST_CALLS_A_SECOND } from '#contract/calls/api-access.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Modal } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { apiAccessQuery } from '#web/store/api-access-query.ts';
import { showNotice } from '#web/store/notices.ts';
import { ACCOUNT_TEXTS, API_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = API_TEXTS;
const EMPTY = { name: '', addresses: '', calls: '20', password: '', rights: 'trade' as 'trade' | 'read' };
type Entered = typeof EMPTY;

/** The errors of the form, by field. */
function faultsIn({ name, calls, password }: Entered): Partial<Record<keyof Entered, string>> {
	const perSecond = Number(calls);
	const isRate = Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= MOST_CALLS_A_SECOND;
	return {
		...(name.trim() === '' ? { name: words.noName } : {}),
		...(isRate ? {} : { calls: words.badCalls(MOST_CALLS_A_SECOND) }),
		...(password === '' ? { password: words.noPassword } : {}),
	};
}

function ShownOnce({ appKey, onClose }: { appKey: string; onClose: () => void }): ReactElement {
	const field = useRef<HTMLInputElement>(null);
	async function copy(): Promise<void> {
		try {
			await navigator.clipboard.writeText(appKey);
			showNotice(words.copied, 'success');
		} catch {
			field.current?.select();
			showNotice(words.notCopied, 'error');
		}
	}
	return (
		<Modal open sheet title={words.made} closeLabel={TEXTS.app.close} onClose={onClose} initialFocus={field}>
			<div className="flex flex-col gap-4">
				<p className="text-muted">{words.once}</p>
				<label className="api-key-shown">
					<span>{words.key}</span>
					<input
						ref={field}
						readOnly
						translate="no"
						value={appKey}
						autoComplete="off"
						onFocus={({ target }) => target.select()}
					/>
				</label>
				<Button variant="primary" onClick={() => void copy()}>
					{words.copy}
				</Button>
			</div>
		</Modal>
	);
}

export function NewKey(): ReactElement {
	const [entered, setEntered] = useState<Entered>(EMPTY);
	const [faults, setFaults] = useState<ReturnType<typeof faultsIn>>({});
	const [appKey, setAppKey] = useState<string | null>(null);
	const queries = useQueryClient();
	const change = (changes: Partial<Entered>) => setEntered({ ...entered, ...changes });
	const making = useMutation({
		mutationFn: () =>
			call('createApiKey', {
				name: entered.name.trim(),
				mayTrade: entered.rights === 'trade',
				addresses: entered.addresses.split(/[\s,]+/).filter(Boolean),
				callsPerSecond: Number(entered.calls),
				password: entered.password,
			}),
		onSuccess: (made) => {
			setAppKey(made.appKey);
			setEntered(EMPTY);
			return queries.invalidateQueries({ queryKey: apiAccessQuery().queryKey });
		},
	});
	function submit(event: FormEvent): void {
		event.preventDefault();
		const found = faultsIn(entered);
		setFaults(found);
		if (Object.keys(found).length === 0 && !making.isPending) making.mutate();
	}
	return (
		<section className="surface-card" aria-label={words.newKey}>
			<h2>{words.newKey}</h2>
			<form noValidate className="api-key-form" onSubmit={submit}>
				<Field
					label={words.name}
					hint={words.nameHint}
					maxLength={40}
					value={entered.name}
					error={faults.name}
					onChange={({ target }) => change({ name: target.value })}
				/>
				<FilterSelect
					label={words.rights}
					value={entered.rights}
					options={[
						{ value: 'trade', text: words.trade },
						{ value: 'read', text: words.read },
					]}
					onChange={(rights) => change({ rights })}
				/>
				<Field
					label={words.addresses}
					hint={words.addressesHint}
					autoCapitalize="none"
					spellCheck={false}
					value={entered.addresses}
					onChange={({ target }) => change({ addresses: target.value })}
				/>
				<Field
					label={words.calls}
					inputMode="numeric"
					value={entered.calls}
					error={faults.calls}
					onChange={({ target }) => change({ calls: target.value })}
				/>
				<PasswordField
					label={ACCOUNT_TEXTS.login.password}
					hint={words.passwordHint}
					showLabel={ACCOUNT_TEXTS.login.showPassword}
					hideLabel={ACCOUNT_TEXTS.login.hidePassword}
					autoComplete="current-password"
					value={entered.password}
					error={faults.password}
					onChange={({ target }) => change({ password: target.value })}
				/>
				<p role="alert" className="min-h-5 text-loss">
					{making.error && messageOf(making.error)}
				</p>
				<Button type="submit" variant="primary" busy={making.isPending}>
					{words.make}
				</Button>
			</form>
			{appKey !== null && <ShownOnce appKey={appKey} onClose={() => setAppKey(null)} />}
		</section>
	);
}
