/** Proposes by which identity of the company's log-in a member is known; another member confirms it. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Problem } from '#console/parts/loaded.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField } from '#ui/field.tsx';

interface IdentityDialogProps {
	member: ResultOf<'staff-list'>['members'][number];
	onClose: () => void;
}

export function IdentityDialog({ member, onClose }: IdentityDialogProps): ReactElement {
	const { staffId, name, identity } = member;
	const { data: me } = useMe();
	const propose = useAct('propose');
	const [email, setEmail] = useState(identity?.email ?? '');
	const [subject, setSubject] = useState(identity?.subject ?? '');
	const [reason, setReason] = useState('');
	const submit = () => {
		const input = { staffId, email: email.trim() || null, subject: subject.trim() || null };
		propose.mutate({ act: 'staff-identity', input, reason }, { onSuccess: onClose });
	};
	return (
		<Dialog title={`The company’s identity of ${name}`} onClose={onClose}>
			<p>
				{OPERATOR_CALLS['staff-identity'].summary} The member’s sessions end. Another member confirms it.
				{me?.signOn === null && ' No log-in of a company is configured here.'}
			</p>
			<Field
				label="Mail address, verified there"
				type="email"
				autoComplete="off"
				value={email}
				onChange={({ target }) => setEmail(target.value)}
			/>
			<Field
				label="Subject"
				hint="The id of the person at the issuer. Without one, that of the first log-in with the address is kept."
				autoComplete="off"
				value={subject}
				onChange={({ target }) => setSubject(target.value)}
			/>
			<LongField label="Reason" rows={2} value={reason} onChange={({ target }) => setReason(target.value)} />
			<Problem error={propose.error} />
			<p className="acts">
				<Button variant="primary" disabled={propose.isPending} onClick={submit}>
					Propose
				</Button>
			</p>
		</Dialog>
	);
}
