/** Proposing what needs two persons on a market: its input, what it would move, and the reason. */
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { operate, type ResultOf } from '#console/api/operate.ts';
import { useAct } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Problem } from '#console/parts/loaded.tsx';
import { PreviewView } from '#console/parts/preview-view.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { OPERATOR_CALLS, type OperatorCallName } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { Field, SelectField } from '#ui/field.tsx';

type Risk = ResultOf<'market-risk'>;

export interface Proposable {
	act:
		| 'settle'
		| 'resettle'
		| 'void'
		| 'reopen'
		| 'void-bets'
		| 'remove-runner'
		| 'correct-reduction'
		| 'return-runner';
	label: string;
	allowed: readonly string[];
}

export const PROPOSABLE: readonly Proposable[] = [
	{ act: 'settle', label: 'Propose a result', allowed: ['SUSPENDED', 'CLOSED'] },
	{ act: 'void', label: 'Propose to void the market', allowed: ['SUSPENDED', 'CLOSED'] },
	{ act: 'void-bets', label: 'Propose to void bets', allowed: ['SUSPENDED', 'CLOSED', 'SETTLED'] },
	{ act: 'resettle', label: 'Propose another result', allowed: ['SETTLED', 'VOIDED'] },
	{ act: 'reopen', label: 'Propose to take the settlement back', allowed: ['SETTLED'] },
	{ act: 'remove-runner', label: 'Propose a non-runner', allowed: ['SUSPENDED'] },
	{
		act: 'correct-reduction',
		label: 'Propose another factor of a non-runner',
		allowed: ['SUSPENDED', 'CLOSED', 'SETTLED'],
	},
	{ act: 'return-runner', label: 'Propose that a runner returns', allowed: ['SUSPENDED'] },
];

interface PreviewedProps {
	act: OperatorCallName;
	input: Record<string, unknown>;
	/** What the button says that shows the effect. */
	show?: string;
	onClose: () => void;
}

/** Shows what an act would move, and proposes exactly that. Another input mounts another one. */
export function PreviewedProposal({ act, input, show = 'Show what moves', onClose }: PreviewedProps): ReactElement {
	const propose = useAct('propose');
	const preview = useMutation<ResultOf<'preview'>, Error>({ mutationFn: () => operate('preview', { act, input }) });
	return (
		<>
			<p className="acts">
				<Button disabled={preview.isPending} onClick={() => preview.mutate()}>
					{show}
				</Button>
			</p>
			<Problem error={preview.error} />
			{preview.data && (
				<>
					<PreviewView preview={preview.data} />
					<RecordForm
						schema={OPERATOR_CALLS.propose.input}
						fields={{ reason: 'Reason' }}
						fixed={{ act, input }}
						submit="Propose"
						error={propose.error}
						isBusy={propose.isPending}
						onSubmit={({ reason }) => propose.mutate({ act, input, reason }, { onSuccess: onClose })}
					/>
				</>
			)}
		</>
	);
}

/** Collects the input of an act, shows what it would move, and proposes it. */
export function ProposeDialog({
	risk,
	proposable: { act, label },
	onClose,
}: {
	risk: Risk;
	proposable: Proposable;
	onClose: () => void;
}): ReactElement {
	const [input, setInput] = useState<Record<string, unknown>>({ marketId: risk.marketId });
	const change = (part: Record<string, unknown>) => setInput({ ...input, ...part });
	return (
		<Dialog title={label} onClose={onClose}>
			{(act === 'settle' || act === 'resettle') && <ResultFields risk={risk} input={input} onChange={change} />}
			{act === 'void-bets' && <VoidFields risk={risk} onChange={change} />}
			{act === 'remove-runner' && <RunnerFields risk={risk} isRemoved={false} hasFactor onChange={change} />}
			{act === 'correct-reduction' && <RunnerFields risk={risk} isRemoved hasFactor onChange={change} />}
			{act === 'return-runner' && <RunnerFields risk={risk} isRemoved hasFactor={false} onChange={change} />}
			<PreviewedProposal key={JSON.stringify(input)} act={act} input={input} onClose={onClose} />
		</Dialog>
	);
}

interface FieldsProps {
	risk: Risk;
	onChange: (part: Record<string, unknown>) => void;
}

/** What becomes of a runner, by the field of the act that lists its runners. */
const RESULTS = [
	['', 'loses'],
	['winners', 'wins'],
	['placed', 'is placed'],
	['tied', 'ties'],
	['void', 'is void'],
] as const;

const RESULT_OPTIONS = RESULTS.map(([value, text]) => ({ value, text }));

/** Runners to choose from, after what stands for none. */
const runnerOptions = (none: string, runners: Risk['runners']) => [
	{ value: '', text: none },
	...runners.map(({ id, name }) => ({ value: id, text: name })),
];

function ResultFields({ risk, input, onChange }: FieldsProps & { input: Record<string, unknown> }): ReactElement {
	const listOf = (name: string) => (input[name] as string[] | undefined) ?? [];
	const put = (runner: string, into: string) =>
		onChange(
			Object.fromEntries(
				RESULTS.filter(([name]) => name !== '').map(([name]) => {
					const others = listOf(name).filter((id) => id !== runner);
					return [name, name === into ? [...others, runner] : others];
				}),
			),
		);
	const whole = (text: string) => (text === '' ? undefined : Number(text));
	return (
		<fieldset>
			<legend>Result</legend>
			{risk.runners.map(({ id, name }) => (
				<SelectField
					key={id}
					label={name}
					value={RESULTS.find(([list]) => list !== '' && listOf(list).includes(id))?.[0] ?? ''}
					options={RESULT_OPTIONS}
					onChange={({ target }) => put(id, target.value)}
				/>
			))}
			<Field
				label="Or the number that decides it (lines and fancies)"
				type="number"
				step="1"
				onChange={({ target }) => onChange({ value: whole(target.value) })}
			/>
			<Field
				label="Places paid, when fewer than announced"
				type="number"
				step="1"
				onChange={({ target }) => onChange({ places: whole(target.value) })}
			/>
		</fieldset>
	);
}

function VoidFields({ risk, onChange }: FieldsProps): ReactElement {
	const iso = (local: string) => (local === '' ? undefined : new Date(local).toISOString());
	return (
		<fieldset>
			<legend>Which matches</legend>
			<Field label="Bet id" onChange={({ target }) => onChange({ betId: target.value.trim() || undefined })} />
			<SelectField
				label="Runner"
				options={runnerOptions('any', risk.runners)}
				onChange={({ target }) => onChange({ runner: target.value || undefined })}
			/>
			<Field
				label="Matched from"
				type="datetime-local"
				step="1"
				onChange={({ target }) => onChange({ from: iso(target.value) })}
			/>
			<Field
				label="Matched until"
				type="datetime-local"
				step="1"
				onChange={({ target }) => onChange({ to: iso(target.value) })}
			/>
		</fieldset>
	);
}

/**
 * @param props.isRemoved whether it is one of the runners that have left
 * @param props.hasFactor whether the prices of the others follow
 */
function RunnerFields({
	risk,
	isRemoved,
	hasFactor,
	onChange,
}: FieldsProps & { isRemoved: boolean; hasFactor: boolean }): ReactElement {
	const runners = risk.runners.filter(({ status }) => (status === 'REMOVED') === isRemoved);
	return (
		<fieldset>
			<legend>Which runner</legend>
			<SelectField
				label="Runner"
				options={runnerOptions('choose', runners)}
				onChange={({ target }) => onChange({ runner: target.value || undefined })}
			/>
			{hasFactor && (
				<Field
					label="Reduction of the other prices, per cent"
					type="number"
					min="0"
					max="99.99"
					step="0.01"
					onChange={({ target }) => onChange({ reduction: target.value === '' ? undefined : Number(target.value) })}
				/>
			)}
		</fieldset>
	);
}
