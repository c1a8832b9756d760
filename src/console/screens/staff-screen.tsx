/** Staff, their sessions and roles; and the member's own second factor. */
import { type ReactElement, useState } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { isMe, useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { ReasonDialog } from '#console/parts/reason-dialog.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { EnrolmentForm } from '#console/screens/door.tsx';
import { IdentityDialog } from '#console/screens/identity-dialog.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';

type Staff = ResultOf<'staff-list'>;
type Member = Staff['members'][number];

const COLUMNS: readonly Column<Member>[] = [
	{ head: 'Name', value: ({ name }) => name, width: 2 },
	{ head: 'Roles', value: ({ roles }) => roles.join(', '), width: 2 },
	{ head: 'Brands', value: ({ brands }) => brands?.join(', ') ?? 'all', width: 2 },
	{ head: 'Second factor', value: ({ hasFactor }) => (hasFactor ? 'set up' : 'not yet') },
	{ head: 'Sessions', value: ({ sessions }) => sessions, isFigure: true },
	{ head: 'Since', value: ({ createdAt }) => createdAt, show: ({ createdAt }) => time(createdAt), width: 2.2 },
];

export function StaffScreen(): ReactElement {
	const { data: me } = useMe();
	const [opened, setOpened] = useState<string | null>(null);
	const [dialog, setDialog] = useState<'add' | 'factor' | null>(null);
	const query = useCall('staff-list', {});
	const mayEdit = me?.permissions.includes('staff.edit') ?? false;
	return (
		<>
			<h1>Staff</h1>
			<p className="acts">
				{mayEdit && <Button onClick={() => setDialog('add')}>Propose a member …</Button>}
				{me && !me.hasFactor && <Button onClick={() => setDialog('factor')}>Set up your second factor …</Button>}
			</p>
			<Loaded query={query}>
				{(staff) => {
					const member = staff.members.find(({ staffId }) => staffId === opened);
					return (
						<>
							<RecordTable
								title="Members"
								columns={COLUMNS}
								rows={staff.members}
								keyOf={({ staffId }) => staffId}
								onOpen={({ staffId }) => setOpened(staffId)}
								empty="There is no member."
							/>
							<h2>Roles</h2>
							<ul>
								{staff.roles.map(({ name, permissions }) => (
									<li key={name}>
										<strong>{name}</strong>: {permissions.join(', ')}
									</li>
								))}
							</ul>
							{member && (
								<MemberDialog member={member} roles={staff.roles} mayEdit={mayEdit} onClose={() => setOpened(null)} />
							)}
							{dialog === 'add' && <RolesDialog roles={staff.roles} onClose={() => setDialog(null)} />}
						</>
					);
				}}
			</Loaded>
			{dialog === 'factor' && (
				<Dialog title="Second factor" onClose={() => setDialog(null)}>
					<EnrolmentForm />
				</Dialog>
			)}
		</>
	);
}

interface MemberDialogProps {
	member: Member;
	roles: Staff['roles'];
	mayEdit: boolean;
	onClose: () => void;
}

function MemberDialog({ member, roles, mayEdit, onClose }: MemberDialogProps): ReactElement {
	const { staffId, name } = member;
	const sessions = useCall('staff-sessions', { staffId });
	const end = useAct('staff-session-end');
	const [changing, setChanging] = useState<'roles' | 'factor' | 'identity' | 'remove' | null>(null);
	if (changing === 'factor')
		return (
			<ReasonDialog
				title={`Reset the second factor of ${name}`}
				act="staff-factor-reset"
				input={() => ({ staffId })}
				note="The member’s sessions end."
				onClose={onClose}
			/>
		);
	if (changing === 'identity') return <IdentityDialog member={member} onClose={onClose} />;
	if (changing === 'roles') return <RolesDialog member={member} roles={roles} onClose={onClose} />;
	if (changing === 'remove') return <RemoveDialog member={member} onClose={onClose} />;
	return (
		<Dialog title={name} onClose={onClose}>
			<Problem error={end.error} />
			<Loaded query={sessions}>
				{(found) => (
					<ul>
						{found.map(({ sessionId, address, browser, since, lastUsed }) => (
							<li key={sessionId}>
								{address}, since {time(since)}, used {time(lastUsed)} <span className="text-muted">{browser}</span>{' '}
								{mayEdit && <Button onClick={() => end.mutate({ sessionId })}>End</Button>}
							</li>
						))}
						{found.length === 0 && <li className="text-muted">No session is open.</li>}
					</ul>
				)}
			</Loaded>
			<OwnAccounts member={member} mayEdit={mayEdit} />
			{mayEdit && (
				<p className="acts">
					<Button onClick={() => setChanging('roles')}>Propose other roles …</Button>
					<Button onClick={() => setChanging('identity')}>Propose the company’s identity …</Button>
					{member.hasFactor && (
						<Button onClick={() => setChanging('factor')}>Propose to reset the second factor …</Button>
					)}
					<Button variant="danger" onClick={() => setChanging('remove')}>
						Remove {name} …
					</Button>
				</p>
			)}
		</Dialog>
	);
}

function RemoveDialog({
	member: { staffId, name },
	onClose,
}: Pick<MemberDialogProps, 'member' | 'onClose'>): ReactElement {
	const remove = useAct('staff-remove');
	return (
		<Dialog title={`Remove ${name}`} onClose={onClose}>
			<p>
				{OPERATOR_CALLS['staff-remove'].summary} What the member has claimed is free for others. A member who comes back
				is proposed anew, with another name, and confirmed by another member.
			</p>
			<Problem error={remove.error} />
			<p className="acts">
				<Button
					variant="danger"
					busy={remove.isPending}
					onClick={() => remove.mutate({ staffId }, { onSuccess: onClose })}
				>
					Remove {name}
				</Button>
			</p>
		</Dialog>
	);
}

/**
 * The member's own accounts as a player, about which the member decides nothing: that one is not the member's is proposed and
 * confirmed by others.
 */
function OwnAccounts({
	member: { staffId, name, players },
	mayEdit,
}: Pick<MemberDialogProps, 'member' | 'mayEdit'>): ReactElement {
	const link = useAct('staff-player-link');
	const { data: me } = useMe();
	const isSelf = isMe(name, me);
	const [unlinked, setUnlinked] = useState<Member['players'][number] | null>(null);
	return (
		<section aria-label="Own accounts as a player">
			<h3>Own accounts as a player</h3>
			<Problem error={link.error} />
			<ul>
				{players.map((own) => (
					<li key={own.playerId}>
						<bdi>{own.userName}</bdi> of {own.brand}{' '}
						{mayEdit && !isSelf && <Button onClick={() => setUnlinked(own)}>Propose to unlink …</Button>}
					</li>
				))}
				{players.length === 0 && <li className="text-muted">None is known.</li>}
			</ul>
			{mayEdit && isSelf && players.length > 0 && (
				<p className="text-muted">Another member proposes to unlink an account of yours.</p>
			)}
			{unlinked && (
				<ReasonDialog
					title={`${unlinked.userName} is not ${name}’s own`}
					act="staff-player-unlink"
					input={() => ({ staffId, playerId: unlinked.playerId })}
					onClose={() => setUnlinked(null)}
				/>
			)}
			{mayEdit && (
				<RecordForm
					schema={OPERATOR_CALLS['staff-player-link'].input}
					fields={{ playerId: 'Player’s id' }}
					fixed={{ staffId }}
					submit="Link this account"
					error={null}
					isBusy={link.isPending}
					onSubmit={(input) => link.mutate(input)}
				/>
			)}
		</section>
	);
}

interface RolesDialogProps {
	/** Left out for a new one. */
	member?: Member;
	roles: Staff['roles'];
	onClose: () => void;
}

/** Proposes a member, or other roles of one; another member confirms. */
function RolesDialog({ member, roles, onClose }: RolesDialogProps): ReactElement {
	const propose = useAct('propose');
	const [name, setName] = useState('');
	const [chosen, setChosen] = useState<readonly string[]>(member?.roles ?? []);
	const [isOfAll, setOfAll] = useState(member?.brands === null);
	const [brands, setBrands] = useState(member?.brands?.join(', ') ?? '');
	const [reason, setReason] = useState('');
	const turn = (role: string, isOn: boolean) =>
		setChosen(isOn ? [...chosen, role] : chosen.filter((one) => one !== role));
	const submit = () => {
		const hosts = brands
			.split(',')
			.map((host) => host.trim())
			.filter(Boolean);
		const about = { roles: [...chosen], brands: isOfAll ? null : hosts };
		const input = member ? { staffId: member.staffId, ...about } : { name, ...about };
		const asked: InputOf<'propose'> = { act: member ? 'staff-roles' : 'staff-add', input, reason };
		propose.mutate(asked);
	};
	return (
		<Dialog title={member ? `Roles of ${member.name}` : 'A new member'} onClose={onClose}>
			{!member && <Field label="Name" value={name} onChange={({ target }) => setName(target.value)} />}
			<fieldset>
				<legend>Roles</legend>
				{roles.map(({ name: role }) => (
					<label key={role} className="check">
						<input
							type="checkbox"
							checked={chosen.includes(role)}
							onChange={({ target }) => turn(role, target.checked)}
						/>
						{role}
					</label>
				))}
			</fieldset>
			<label className="check">
				<input type="checkbox" checked={isOfAll} onChange={({ target }) => setOfAll(target.checked)} />
				All brands
			</label>
			{!isOfAll && (
				<Field label="Brands, with commas between" value={brands} onChange={({ target }) => setBrands(target.value)} />
			)}
			<LongField label="Reason" rows={2} value={reason} onChange={({ target }) => setReason(target.value)} />
			<Problem error={propose.error} />
			{propose.data ? (
				<output>
					Proposed.
					{propose.data.half && (
						<>
							{' '}
							First half of the password, shown this once: <code>{propose.data.half}</code>
						</>
					)}
				</output>
			) : (
				<p className="acts">
					<Button variant="primary" disabled={propose.isPending} onClick={submit}>
						Propose
					</Button>
				</p>
			)}
			<p className="text-muted">
				{OPERATOR_CALLS[member ? 'staff-roles' : 'staff-add'].summary} Another member confirms it.
			</p>
		</Dialog>
	);
}
