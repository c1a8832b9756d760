/** Campaigns by brand: what they have given, a draft with its dry run, and stopping one. */
import { type ReactElement, useState } from 'react';
import * as v from 'valibot';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Campaign } from '#contract/domain-setting.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import type { Column } from '#ui/table-columns.ts';

type Shown = ResultOf<'campaigns'>[number];
type Draft = v.InferInput<typeof Campaign>;

const spent = ({ given }: Shown): number => (given['ACTIVE'] ?? 0) + (given['RELEASED'] ?? 0);

const COLUMNS: readonly Column<Shown>[] = [
	{ head: 'Id', value: ({ id }) => id },
	{ head: 'Title', value: ({ title }) => title, width: 2 },
	{ head: 'Kind', value: ({ kind }) => words(kind) },
	{ head: 'Amount', value: ({ amount: most }) => most, show: (row) => amount(row.amount), isFigure: true },
	{ head: 'Wagering', value: ({ wagering }) => wagering ?? 1, isFigure: true },
	{ head: 'Given', value: spent, show: (row) => amount(spent(row)), isFigure: true },
	{ head: 'Budget', value: ({ budget }) => budget ?? 0, show: (row) => amount(row.budget ?? 0), isFigure: true },
	{ head: 'Until', value: ({ until }) => until ?? 'without end' },
];

export function BonusesScreen(): ReactElement {
	const brands = useCall('brand-list', {});
	const [chosen, setChosen] = useState<string | null>(null);
	return (
		<>
			<h1>Bonuses</h1>
			<Loaded query={brands}>
				{(list) => {
					const host = chosen ?? list[0]?.host;
					if (host === undefined) return <p className="py-2 text-muted">There is no brand.</p>;
					return (
						<>
							<FilterSelect
								label="Brand"
								value={host}
								options={list.map((brand) => ({ value: brand.host, text: brand.host }))}
								onChange={setChosen}
							/>
							<Campaigns key={host} host={host} />
						</>
					);
				}}
			</Loaded>
		</>
	);
}

function Campaigns({ host }: { host: string }): ReactElement {
	const { data: me } = useMe();
	const mayEdit = me?.permissions.includes('bonuses.edit') ?? false;
	const [drafting, setDrafting] = useState(false);
	const [opened, setOpened] = useState<Shown | null>(null);
	const query = useCall('campaigns', { host });
	const stop = useAct('campaign-stop');
	return (
		<>
			{mayEdit && (
				<p className="acts">
					<Button variant="primary" onClick={() => setDrafting(true)}>
						Draw up a campaign
					</Button>
				</p>
			)}
			<Loaded query={query}>
				{(campaigns) => (
					<RecordTable
						title="Campaigns"
						columns={COLUMNS}
						rows={campaigns}
						keyOf={({ id }) => id}
						onOpen={setOpened}
						empty="This brand has no campaign."
					/>
				)}
			</Loaded>
			{opened && (
				<Dialog title={opened.title} onClose={() => setOpened(null)}>
					<p>{opened.terms === '' ? 'It has no terms of its own.' : opened.terms}</p>
					<dl className="facts">
						{Object.entries(opened.given).map(([state, given]) => (
							<div key={state}>
								<dt>{words(state)}</dt>
								<dd>{amount(given)}</dd>
							</div>
						))}
					</dl>
					<Problem error={stop.error} />
					{mayEdit && (
						<Button
							variant="danger"
							disabled={stop.isPending}
							onClick={() => stop.mutate({ host, id: opened.id }, { onSuccess: () => setOpened(null) })}
						>
							Stop this campaign
						</Button>
					)}
				</Dialog>
			)}
			{drafting && <DraftDialog host={host} onClose={() => setDrafting(false)} />}
		</>
	);
}

const FIELDS = {
	id: 'Id, such as welcome-2026',
	title: 'Title',
	terms: 'Terms, as players read them',
	kind: 'Kind',
	amount: 'Amount, or the most',
	percent: 'Per cent of the deposit or loss',
	wagering: 'Wagering, times the amount',
	sportsWeight: 'Per cent of a market’s largest loss that counts',
	casinoWeight: 'Per cent of a lost round that counts',
	days: 'Days to wager',
	budget: 'Budget',
};

/** The draft, then its dry run, then the proposal with a reason. */
function DraftDialog({ host, onClose }: { host: string; onClose: () => void }): ReactElement {
	const [draft, setDraft] = useState<Draft | null>(null);
	return (
		<Dialog title={`Draw up a campaign of ${host}`} onClose={onClose}>
			{draft === null ? (
				<RecordForm
					schema={Campaign}
					fields={FIELDS}
					submit="Dry run"
					error={null}
					isBusy={false}
					onSubmit={(input) => setDraft(v.parse(Campaign, input))}
				/>
			) : (
				<DryRun host={host} draft={draft} onBack={() => setDraft(null)} onClose={onClose} />
			)}
		</Dialog>
	);
}

interface DryRunProps {
	host: string;
	draft: Draft;
	onBack: () => void;
	onClose: () => void;
}

function DryRun({ host, draft, onBack, onClose }: DryRunProps): ReactElement {
	const query = useCall('campaign-dry-run', { host, campaign: draft });
	const propose = useAct('propose');
	return (
		<>
			<Loaded query={query}>
				{({ surveyed, players, cost, budget }) => (
					<p>
						Today it would be offered to {players} of {surveyed} players and cost up to {amount(cost)} of a budget of{' '}
						{amount(budget)}.
					</p>
				)}
			</Loaded>
			<RecordForm
				schema={OPERATOR_CALLS.propose.input}
				fields={{ reason: 'Reason' }}
				fixed={{ act: 'campaign-draw-up', input: { host, campaign: draft } }}
				submit="Propose"
				error={propose.error}
				isBusy={propose.isPending}
				onSubmit={(input) => propose.mutate(input, { onSuccess: onClose })}
			/>
			<Button onClick={onBack}>Change the draft</Button>
		</>
	);
}
