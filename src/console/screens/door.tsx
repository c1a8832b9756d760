/** The door: what a session still has to show, or what lies behind it. */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { type SessionResult, sessionCall } from '#console/api/operate.ts';
import { ME, useMe } from '#console/api/queries.ts';
import { showKey } from '#console/api/security-key.ts';
import { beginSignOn, finishSignOn, isSignOnReturn } from '#console/api/sign-on.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { PasswordField } from '#ui/password-field.tsx';

/** What the company's log-in sent back is used once, however often React mounts the door. */
const returned = isSignOnReturn() ? finishSignOn() : null;

export function Door({ children }: { children: ReactNode }): ReactElement {
	const { data, error, refetch } = useMe();
	const [returnError, setReturnError] = useState<Error | null>(null);
	useEffect(() => {
		// The screens read the address when they are loaded, so they are loaded again.
		returned?.then(() => location.replace('/'), setReturnError);
	}, []);
	if (returned && !returnError) return <main className="door" aria-busy="true" />;
	if (!data) return <main className="door">{error && <Problem error={error} again={() => void refetch()} />}</main>;
	if (data.stage === 'IN') return <>{children}</>;
	return (
		<main className="door">
			<h1>Backlay console</h1>
			<Problem error={returnError} />
			{data.stage === null && <SignOnButton name={data.signOn} />}
			{data.stage === null && <PasswordForm />}
			{data.stage === 'CODE' && <CodeForm hasKeys={data.hasKeys} />}
			{data.stage === 'ENROL' && <EnrolmentForm />}
		</main>
	);
}

/** Sends a form; afterwards the door looks again at what is left to show. */
function useSending() {
	const client = useQueryClient();
	const [error, setError] = useState<Error | null>(null);
	const [isBusy, setBusy] = useState(false);
	const look = () => client.invalidateQueries({ queryKey: ME });
	const send = (work: (form: FormData) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		setBusy(true);
		setError(null);
		work(form)
			.catch((problem: Error) => setError(problem))
			.finally(() => setBusy(false));
	};
	return { error, isBusy, send, look };
}

const field = (form: FormData, name: string): string => String(form.get(name) ?? '');

/** Leaves for the company's log-in, which sends the browser back to `SignOnReturn`. */
function SignOnButton({ name }: { name: string | null }): ReactElement | null {
	const { error, isBusy, send } = useSending();
	if (name === null) return null;
	return (
		<form className="record-form" onSubmit={send(beginSignOn)}>
			<Problem error={error} />
			<Button type="submit" variant="primary" disabled={isBusy}>
				Log in with {name}
			</Button>
			<p className="text-muted">Or with your name and password:</p>
		</form>
	);
}

function PasswordForm(): ReactElement {
	const { error, isBusy, send, look } = useSending();
	const submit = send(async (form) => {
		await sessionCall('log-in', { name: field(form, 'name'), password: field(form, 'password') });
		await look();
	});
	return (
		<form className="record-form" onSubmit={submit}>
			<Field label="Name" name="name" autoComplete="username" required />
			<PasswordField
				label="Password"
				name="password"
				autoComplete="current-password"
				required
				showLabel="Show what is typed"
				hideLabel="Hide what is typed"
			/>
			<Problem error={error} />
			<Button type="submit" variant="primary" disabled={isBusy}>
				Log in
			</Button>
		</form>
	);
}

const CodeField = (): ReactElement => (
	<Field label="Code of your app" name="code" inputMode="numeric" autoComplete="one-time-code" required />
);

/** A code, or a touch of a security key where the member has one. */
function CodeForm({ hasKeys }: { hasKeys: boolean }): ReactElement {
	const { error, isBusy, send, look } = useSending();
	const byKey = useSending();
	const [remember, setRemember] = useState(false);
	const submit = send(async (form) => {
		await sessionCall('show-code', { code: field(form, 'code'), remember });
		await look();
	});
	const touch = byKey.send(async () => {
		await showKey(remember);
		await look();
	});
	return (
		<>
			{hasKeys && (
				<form className="record-form" onSubmit={touch}>
					<Problem error={byKey.error} />
					<Button type="submit" variant="primary" disabled={byKey.isBusy}>
						Use a security key
					</Button>
					<p className="text-muted">Or show a code:</p>
				</form>
			)}
			<form className="record-form" onSubmit={submit}>
				<CodeField />
				<p className="text-muted">Without your phone, type one of your recovery codes.</p>
				<label className="check">
					<input type="checkbox" checked={remember} onChange={({ target }) => setRemember(target.checked)} /> Do not ask
					this browser for 30 days
				</label>
				<Problem error={error} />
				<Button type="submit" variant="primary" disabled={isBusy}>
					Continue
				</Button>
			</form>
		</>
	);
}

/** The second factor is set up once; its recovery codes are shown before the door opens. */
export function EnrolmentForm(): ReactElement {
	const { error, isBusy, send, look } = useSending();
	const [setUp, setSetUp] = useState<SessionResult<'begin-enrolment'> | null>(null);
	const [codes, setCodes] = useState<string[]>([]);
	const begun = useRef(false);
	useEffect(() => {
		if (begun.current) return;
		begun.current = true;
		void sessionCall('begin-enrolment', {}).then(setSetUp);
	}, []);
	if (codes.length > 0) {
		return (
			<section className="record-form">
				<h2>Recovery codes</h2>
				<p>Keep these where your phone is not. Each opens the console once, and they are not shown again.</p>
				<ul className="codes">
					{codes.map((code) => (
						<li key={code}>{code}</li>
					))}
				</ul>
				<Button variant="primary" onClick={() => void look()}>
					I have kept them
				</Button>
			</section>
		);
	}
	const submit = send(async (form) => {
		const { recoveryCodes } = await sessionCall('finish-enrolment', { code: field(form, 'code') });
		setCodes(recoveryCodes);
	});
	return (
		<form className="record-form" onSubmit={submit}>
			<h2>Second factor</h2>
			<p>Scan this with an authenticator app, or type the secret, then enter the code that the app shows.</p>
			{setUp && (
				<>
					<img
						className="qr"
						alt="QR code of the secret"
						src={`data:image/svg+xml;utf8,${encodeURIComponent(setUp.qr)}`}
					/>
					<p className="secret">{setUp.secret}</p>
				</>
			)}
			<CodeField />
			<Problem error={error} />
			<Button type="submit" variant="primary" disabled={isBusy}>
				Set up
			</Button>
		</form>
	);
}
