/** Brands and their settings, with every change and the way back. */
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import * as v from 'valibot';
import { Failure, type ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { isOfLook, LookPreview } from '#console/parts/look-preview.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { BrandProfile } from '#console/screens/brand-profile.tsx';
import { RealMoney } from '#console/screens/real-money.tsx';
import { DomainSetting } from '#contract/domain-setting.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Brand = ResultOf<'brand-list'>[number];
type Shown = ResultOf<'brand-show'>;

const COLUMNS: readonly Column<Brand>[] = [
	{ head: 'Host', value: ({ host }) => host, width: 2 },
	{ head: 'Title', value: ({ title }) => title, width: 2 },
	{ head: 'Theme', value: ({ theme }) => theme },
	{ head: 'Pool', value: ({ pool }) => pool },
	{ head: 'Sign-up', value: ({ allowSignUp }) => (allowSignUp ? 'open' : 'closed') },
	{ head: 'Site', value: ({ siteSuspended }) => (siteSuspended ? 'suspended' : 'live') },
	{ head: 'Version', value: ({ version }) => version, isFigure: true },
];

export function BrandsScreen(): ReactElement {
	const navigate = useNavigate();
	const query = useCall('brand-list', {});
	return (
		<>
			<h1>Brands</h1>
			<Loaded query={query}>
				{(brands) => (
					<RecordTable
						title="Brands"
						columns={COLUMNS}
						rows={brands}
						keyOf={({ host }) => host}
						onOpen={({ host }) => void navigate({ to: '/brands/$host', params: { host } })}
						empty="There is no brand."
					/>
				)}
			</Loaded>
		</>
	);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function BrandScreen(): ReactElement {
	const { host } = useParams({ from: '/brands/$host' });
	const query = useCall('brand-show', { host });
	return (
		<>
			<h1>{host}</h1>
			<Loaded query={query}>{(shown) => <BrandView host={host} shown={shown} />}</Loaded>
		</>
	);
}

interface Setting {
	field: string;
	value: unknown;
}

const SETTINGS: readonly Column<Setting>[] = [
	{ head: 'Field', value: ({ field }) => field, width: 1.6 },
	{ head: 'Value', value: ({ value }) => text(value), width: 4 },
];

/** A field of a setting, or a part of one such as `realMoney.licence`. */
function settingOf(setting: Record<string, unknown>, field: string): Setting {
	const [name = '', part] = field.split('.');
	const value = setting[name];
	const isPart = part !== undefined && typeof value === 'object' && value !== null;
	return { field, value: isPart ? (value as Record<string, unknown>)[part] : value };
}

/** The contract of the answer leaves the fields of a setting open. */
const profilesOf = ({ profiles }: Record<string, unknown>) => v.parse(DomainSetting.entries.profiles, profiles);

function BrandView({ host, shown: { setting, history } }: { host: string; shown: Shown }): ReactElement {
	const { data: me } = useMe();
	const [changing, setChanging] = useState<Setting | null>(null);
	const mayEdit = me?.permissions.includes('brands.edit') ?? false;
	const rollBack = useAct('brand-roll-back');
	const rows = Object.entries(setting).map(([field, value]) => ({ field, value }));
	return (
		<>
			<RecordTable
				title="Settings"
				columns={SETTINGS}
				rows={rows}
				keyOf={({ field }) => field}
				{...(mayEdit ? { onOpen: setChanging } : {})}
				empty="There is no setting."
			/>
			<BrandProfile host={host} profiles={profilesOf(setting)} />
			<RealMoney
				host={host}
				{...(mayEdit ? { onSet: (field: string) => setChanging(settingOf(setting, field)) } : {})}
			/>
			<h2>History</h2>
			<Problem error={rollBack.error} />
			{history.length === 0 && <p className="py-2 text-muted">Nothing was changed.</p>}
			<ul>
				{history.map(({ seq, at, actor, field, before, after }) => (
					<li key={seq}>
						{time(at)} {actor}: {field} <del>{text(before)}</del> <ins>{text(after)}</ins>{' '}
						{mayEdit && <Button onClick={() => rollBack.mutate({ host, seq, field })}>Set {field} back</Button>}
					</li>
				))}
			</ul>
			{changing && <ChangeDialog host={host} all={setting} setting={changing} onClose={() => setChanging(null)} />}
		</>
	);
}

interface ChangeDialogProps {
	host: string;
	/** The brand's setting as it is. */
	all: Record<string, unknown>;
	setting: Setting;
	onClose: () => void;
}

/** A field that concerns money is proposed; another member confirms it. */
function ChangeDialog({ host, all, setting: { field, value }, onClose }: ChangeDialogProps): ReactElement {
	const change = useAct('brand-set');
	const propose = useAct('propose');
	const [wanted, setWanted] = useState('');
	const [draft, setDraft] = useState('');
	const needsTwo = change.error instanceof Failure && change.error.code === 'SAME_PERSON';
	return (
		<Dialog title={`Change ${field}`} onClose={onClose}>
			<p className="text-muted">Now: {text(value)}</p>
			{needsTwo ? (
				<>
					<p>This concerns money, so another member confirms it: {wanted}</p>
					<RecordForm
						schema={OPERATOR_CALLS.propose.input}
						fields={{ reason: 'Reason' }}
						fixed={{ act: 'brand-set-guarded', input: { host, field, value: wanted } }}
						submit="Propose"
						error={propose.error}
						isBusy={propose.isPending}
						onSubmit={(input) => propose.mutate(input, { onSuccess: onClose })}
					/>
				</>
			) : (
				<div onInput={({ target }) => target instanceof HTMLInputElement && setDraft(target.value)}>
					<RecordForm
						schema={OPERATOR_CALLS['brand-set'].input}
						fields={{ value: 'New value, as text or JSON' }}
						fixed={{ host, field }}
						submit="Change at once"
						error={change.error}
						isBusy={change.isPending}
						onSubmit={(input) => {
							setWanted(String(input.value));
							change.mutate(input, { onSuccess: onClose });
						}}
					/>
				</div>
			)}
			{isOfLook(field) && <LookPreview setting={all} field={field} text={draft} />}
		</Dialog>
	);
}
