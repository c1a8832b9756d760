import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Modal } from '#ui/modal.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { PasswordStep } from '#web/features/security/password-step.tsx';
import { factorsQuery, showFactors } from '#web/store/factors.ts';
import { showNotice } from '#web/store/notices.ts';
import { SECURITY_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = SECURITY_TEXTS.authenticator;

type Begun = AnswerOf<'beginAuthenticator'>;

function CodeField({ code, onCode }: { code: string; onCode: (code: string) => void }): ReactElement {
	return (
		<Field
			label={words.code}
			autoComplete="one-time-code"
			autoCapitalize="none"
			spellCheck={false}
			maxLength={24}
			value={code}
			onChange={({ target }) => onCode(target.value)}
		/>
	);
}

const typed = (code: string): string => code.replaceAll(/\s/g, '').toLowerCase();

/** The secret for the app, and its first code. */
function SetUp({ begun, onSet, onClose }: { begun: Begun; onSet: (codes: string[]) => void; onClose: () => void }) {
	const [code, setCode] = useState('');
	const [refusal, setRefusal] = useState('');
	const [isBusy, setBusy] = useState(false);
	async function add(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		setRefusal('');
		try {
			onSet((await call('addAuthenticator', { code: typed(code) })).recoveryCodes);
		} catch (failure) {
			setRefusal(messageOf(failure));
			setBusy(false);
		}
	}
	return (
		<Modal open sheet title={words.setUp} closeLabel={TEXTS.app.close} onClose={onClose}>
			<form noValidate className="flex flex-col gap-2" onSubmit={(event) => void add(event)}>
				<p className="text-muted">{words.scan}</p>
				<img className="factor-qr" alt={words.qr} src={`data:image/svg+xml;utf8,${encodeURIComponent(begun.qr)}`} />
				<p className="text-muted">{words.orType}</p>
				<code className="factor-secret" translate="no">
					{begun.secret}
				</code>
				<CodeField code={code} onCode={setCode} />
				<p role="alert" className="min-h-5 text-loss">
					{refusal}
				</p>
				<Button type="submit" variant="primary" busy={isBusy}>
					{words.turnOn}
				</Button>
			</form>
		</Modal>
	);
}

/** The recovery codes, this once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactElement {
	return (
		<Modal open sheet title={words.codes} closeLabel={TEXTS.app.close} onClose={onClose}>
			<div className="flex flex-col gap-3">
				<p className="text-muted">{words.codesHint}</p>
				<ul className="factor-codes" translate="no">
					{codes.map((code) => (
						<li key={code}>
							<code>{code}</code>
						</li>
					))}
				</ul>
				<Button variant="primary" onClick={onClose}>
					{words.codesKept}
				</Button>
			</div>
		</Modal>
	);
}

/** The step that the player is in. */
type Step = 'PASSWORD' | 'REMOVAL' | { begun: Begun } | { codes: string[] } | null;

/** The authenticator app: a code of it is asked for after the password. */
export function Authenticator({ recoveryCodesLeft }: { recoveryCodesLeft: number | null }): ReactElement {
	const [step, setStep] = useState<Step>(null);
	const [code, setCode] = useState('');
	const queries = useQueryClient();
	const close = () => {
		setStep(null);
		setCode('');
	};
	const done = () => {
		close();
		void queries.invalidateQueries({ queryKey: factorsQuery().queryKey });
	};
	async function remove(password: string): Promise<void> {
		await showFactors(await call('removeAuthenticator', { password, code: typed(code) }));
		showNotice(words.removed, 'success');
	}
	return (
		<section className="surface-card factor-card" aria-label={words.title}>
			<h2 className="font-semibold">{words.title}</h2>
			<p className="text-muted">{words.hint}</p>
			{recoveryCodesLeft === null ? (
				<Button variant="primary" onClick={() => setStep('PASSWORD')}>
					{words.setUp}
				</Button>
			) : (
				<>
					<p>{words.isOn(recoveryCodesLeft)}</p>
					<Button variant="outline" onClick={() => setStep('REMOVAL')}>
						{words.remove}
					</Button>
				</>
			)}
			{step === 'PASSWORD' && (
				<PasswordStep
					title={words.setUp}
					hint={words.passwordHint}
					submit={SECURITY_TEXTS.passkeys.goOn}
					change={async (password) => setStep({ begun: await call('beginAuthenticator', { password }) })}
					onDone={() => {
						// The next step is its own dialog.
					}}
					onClose={close}
				/>
			)}
			{step === 'REMOVAL' && (
				<PasswordStep
					danger
					title={words.remove}
					hint={words.removeHint}
					submit={words.remove}
					change={remove}
					onClose={close}
				>
					<CodeField code={code} onCode={setCode} />
				</PasswordStep>
			)}
			{step !== null && typeof step === 'object' && 'begun' in step && (
				<SetUp begun={step.begun} onSet={(codes) => setStep({ codes })} onClose={close} />
			)}
			{step !== null && typeof step === 'object' && 'codes' in step && (
				<RecoveryCodes codes={step.codes} onClose={done} />
			)}
		</section>
	);
}
