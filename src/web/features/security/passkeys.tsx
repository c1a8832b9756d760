import { type ReactElement, useState } from 'react';
import { MOST_PASSKEYS } from '#contract/factor-fields.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { call } from '#web/api/client.ts';
import { PasswordStep } from '#web/features/security/password-step.tsx';
import { formatDateTime } from '#web/format.ts';
import { addPasskey, type Factors, knowsPasskeys, NoPasskey, showFactors } from '#web/store/factors.ts';
import { showNotice } from '#web/store/notices.ts';
import { SECURITY_TEXTS } from '#web/texts/more.ts';

const words = SECURITY_TEXTS.passkeys;

type Passkey = Factors['passkeys'][number];

function Adding({ onClose }: { onClose: () => void }): ReactElement {
	const [name, setName] = useState('');
	async function add(password: string): Promise<void> {
		const given = name.trim();
		if (given === '') throw new Error(words.noName);
		try {
			await showFactors(await addPasskey(given, password));
		} catch (failure) {
			throw failure instanceof NoPasskey ? new Error(words.notMade) : failure;
		}
		showNotice(words.added(given), 'success');
	}
	return (
		<PasswordStep title={words.add} hint={words.addHint} submit={words.goOn} change={add} onClose={onClose}>
			<Field
				label={words.name}
				hint={words.nameHint}
				maxLength={60}
				value={name}
				onChange={({ target }) => setName(target.value)}
			/>
		</PasswordStep>
	);
}

function Renaming({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactElement {
	const [name, setName] = useState(passkey.name);
	async function rename(password: string): Promise<void> {
		const given = name.trim();
		if (given === '') throw new Error(words.noName);
		const { keyId } = passkey;
		await showFactors(await call('renamePasskey', { keyId, name: given, password }));
		showNotice(words.renamed(given), 'success');
	}
	return (
		<PasswordStep
			title={words.renameNamed(passkey.name)}
			hint={words.nameHint}
			submit={words.rename}
			change={rename}
			onClose={onClose}
		>
			<Field label={words.name} maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
		</PasswordStep>
	);
}

function Removal({ passkey: { keyId, name }, onClose }: { passkey: Passkey; onClose: () => void }): ReactElement {
	async function remove(password: string): Promise<void> {
		await showFactors(await call('removePasskey', { keyId, password }));
		showNotice(words.removed(name), 'success');
	}
	return (
		<PasswordStep
			danger
			title={words.removeAsked(name)}
			hint={words.removeHint}
			submit={words.remove}
			change={remove}
			onClose={onClose}
		/>
	);
}

/** The player's passkeys, with the ways to add and remove one. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }): ReactElement {
	const [isAdding, setAdding] = useState(false);
	const [renamed, setRenamed] = useState<Passkey | null>(null);
	const [removed, setRemoved] = useState<Passkey | null>(null);
	const mayAdd = knowsPasskeys() && passkeys.length < MOST_PASSKEYS;
	return (
		<section className="surface-card factor-card" aria-label={words.title}>
			<h2 className="font-semibold">{words.title}</h2>
			<p className="text-muted">{words.hint}</p>
			{passkeys.length > 0 && (
				<ul className="factor-list">
					{passkeys.map((passkey) => (
						<li key={passkey.keyId}>
							<span>
								<bdi className="font-semibold">{passkey.name}</bdi>
								<span className="block text-xs text-muted">
									{words.made(formatDateTime(passkey.createdAt))}
									{' · '}
									{passkey.lastUsedAt === null ? words.unused : words.used(formatDateTime(passkey.lastUsedAt))}
								</span>
							</span>
							<span className="flex flex-none flex-wrap justify-end gap-2">
								<Button
									variant="outline"
									size="small"
									aria-label={words.renameNamed(passkey.name)}
									onClick={() => setRenamed(passkey)}
								>
									{words.rename}
								</Button>
								<Button
									variant="outline"
									size="small"
									aria-label={words.removeNamed(passkey.name)}
									onClick={() => setRemoved(passkey)}
								>
									{words.remove}
								</Button>
							</span>
						</li>
					))}
				</ul>
			)}
			{!knowsPasskeys() && <p className="text-muted">{words.unknown}</p>}
			{mayAdd && (
				<Button variant="primary" onClick={() => setAdding(true)}>
					{words.add}
				</Button>
			)}
			{isAdding && <Adding onClose={() => setAdding(false)} />}
			{renamed && <Renaming passkey={renamed} onClose={() => setRenamed(null)} />}
			{removed && <Removal passkey={removed} onClose={() => setRemoved(null)} />}
		</section>
	);
}
