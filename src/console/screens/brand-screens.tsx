/** Brands: the list, a new one, and the studio of one, where settings are drafted, looked at and sent together. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import * as v from 'valibot';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { time } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { type Draft, withValue } from '#console/parts/setting-draft.ts';
import {
	ALL_FIELDS,
	isPicture,
	labelOf,
	type SettingField,
	settingFieldAt,
	shownValue,
	valueAt,
} from '#console/parts/setting-fields.ts';
import { BrandComparison } from '#console/screens/brand-comparison.tsx';
import { BrandDraft } from '#console/screens/brand-draft.tsx';
import { BrandProfile } from '#console/screens/brand-profile.tsx';
import { BrandSchedule } from '#console/screens/brand-schedule.tsx';
import { BrandTerms } from '#console/screens/brand-terms.tsx';
import { NewBrandDialog } from '#console/screens/new-brand-dialog.tsx';
import { PictureDialog } from '#console/screens/picture-dialog.tsx';
import { RealMoney } from '#console/screens/real-money.tsx';
import { SettingDialog } from '#console/screens/setting-dialog.tsx';
import { DomainSetting } from '#contract/domain-setting.ts';
import { textOf } from '#contract/setting-change.ts';
import { SETTING_GROUPS } from '#contract/setting-words.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Brand = ResultOf<'brand-list'>[number];
type History = ResultOf<'brand-show'>['history'];

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
	const { data: me } = useMe();
	const query = useCall('brand-list', {});
	const [isAdding, setAdding] = useState(false);
	// Only staff of all brands add one.
	const mayAdd = me?.brands === null && me.permissions.includes('brands.edit');
	const open = (host: string) => void navigate({ to: '/brands/$host', params: { host } });
	return (
		<>
			<h1>Brands</h1>
			{mayAdd && <Button onClick={() => setAdding(true)}>New brand</Button>}
			<Loaded query={query}>
				{(brands) => (
					<>
						<RecordTable
							title="Brands"
							columns={COLUMNS}
							rows={brands}
							keyOf={({ host }) => host}
							onOpen={({ host }) => open(host)}
							empty="There is no brand."
						/>
						{isAdding && <NewBrandDialog brands={brands} onAdded={open} onClose={() => setAdding(false)} />}
					</>
				)}
			</Loaded>
		</>
	);
}

export function BrandScreen(): ReactElement {
	const { host } = useParams({ from: '/brands/$host' });
	const query = useCall('brand-show', { host });
	return (
		<>
			<h1>{host}</h1>
			<p className="acts">
				<Link to="/brands/$host/webhooks" params={{ host }}>
					Webhooks
				</Link>{' '}
				<Link to="/brands/$host/messages" params={{ host }}>
					Messages
				</Link>
			</p>
			<Loaded query={query}>
				{({ setting, history }) => (
					<BrandStudio key={host} host={host} setting={v.parse(DomainSetting, setting)} history={history} />
				)}
			</Loaded>
		</>
	);
}

interface StudioProps {
	host: string;
	setting: DomainSetting;
	history: History;
}

const columnsOf = (setting: DomainSetting, draft: Draft): readonly Column<SettingField>[] => [
	{ head: 'Setting', value: ({ label }) => label, width: 1.6 },
	{ head: 'Part', value: ({ group }) => SETTING_GROUPS[group], width: 1.2 },
	{ head: 'Value', value: (field) => shownValue(field, valueAt(setting, field.path)), width: 2 },
	{ head: 'Draft', value: ({ path }) => draft.get(path) ?? '', width: 1.2 },
	{ head: 'Meaning', value: ({ help }) => help, width: 3 },
];

function BrandStudio({ host, setting, history }: StudioProps): ReactElement {
	const { data: me } = useMe();
	const [open, setOpen] = useState<SettingField | null>(null);
	const [draft, setDraft] = useState<Draft>(new Map());
	const mayEdit = me?.permissions.includes('brands.edit') ?? false;
	const put = (field: string, value: string) => setDraft((drafted) => withValue(drafted, field, value));
	const onOpen = mayEdit ? setOpen : undefined;
	const close = () => setOpen(null);
	return (
		<>
			{mayEdit && <BrandDraft host={host} setting={setting} draft={draft} onDraft={setDraft} />}
			<RecordTable
				title="Settings"
				columns={columnsOf(setting, draft)}
				rows={ALL_FIELDS}
				keyOf={({ path }) => path}
				{...(onOpen ? { onOpen } : {})}
				empty="There is no setting."
			/>
			<BrandSchedule host={host} mayEdit={mayEdit} />
			<BrandComparison host={host} version={setting.version} {...(mayEdit ? { onTake: put } : {})} />
			<BrandProfile host={host} profiles={setting.profiles} />
			<BrandTerms host={host} legalTexts={setting.legalTexts} />
			<RealMoney host={host} {...(mayEdit ? { onSet: (field: string) => setOpen(settingFieldAt(field)) } : {})} />
			<BrandHistory host={host} history={history} mayEdit={mayEdit} />
			{open && isPicture(open.path) && (
				<PictureDialog host={host} field={open} picture={open.path} path={setting[open.path]} onClose={close} />
			)}
			{open && !isPicture(open.path) && (
				<SettingDialog
					field={open}
					setting={setting}
					draft={draft}
					onDraft={(value) => put(open.path, value)}
					onClose={close}
				/>
			)}
		</>
	);
}

function BrandHistory({ host, history, mayEdit }: { host: string; history: History; mayEdit: boolean }): ReactElement {
	const rollBack = useAct('brand-roll-back');
	return (
		<>
			<h2>History</h2>
			<Problem error={rollBack.error} />
			{history.length === 0 && <p className="py-2 text-muted">Nothing was changed.</p>}
			<ul>
				{history.map(({ seq, at, actor, field, before, after, isInterrupted }) => (
					<li key={`${seq} ${field}`}>
						{time(at)} {actor}: {labelOf(field)} <del>{textOf(before)}</del> <ins>{textOf(after)}</ins>{' '}
						{isInterrupted && <span className="text-muted">(the server stopped amid it) </span>}
						{mayEdit && (
							<Button onClick={() => rollBack.mutate({ host, seq, field })}>Set {labelOf(field)} back</Button>
						)}
					</li>
				))}
			</ul>
		</>
	);
}
