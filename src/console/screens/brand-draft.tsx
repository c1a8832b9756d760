/** The draft of a brand: what it changes, whether it can be taken, and how it is sent: now, at an instant, or by two. */
import { type ReactElement, useState } from 'react';
import { useAct } from '#console/api/queries.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { changesOf, checked, type Draft, isGuarded, without } from '#console/parts/setting-draft.ts';
import { labelOf } from '#console/parts/setting-fields.ts';
import { SitePreview } from '#console/screens/site-preview.tsx';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField } from '#ui/field.tsx';

interface BrandDraftProps {
	host: string;
	setting: DomainSetting;
	draft: Draft;
	onDraft: (draft: Draft) => void;
}

export function BrandDraft({ host, setting, draft, onDraft }: BrandDraftProps): ReactElement {
	const { problem, warnings } = checked(setting, draft);
	return (
		<section aria-labelledby="brand-draft">
			<h2 id="brand-draft">Draft</h2>
			{draft.size === 0 && <p className="text-muted">Open a setting to draft another value. Nothing is saved yet.</p>}
			<ul>
				{[...draft].map(([field, value]) => (
					<li key={field}>
						{labelOf(field)}: <ins>{value}</ins>{' '}
						<Button aria-label={`Drop ${labelOf(field)}`} onClick={() => onDraft(without(draft, field))}>
							Drop
						</Button>
					</li>
				))}
			</ul>
			{problem !== null && (
				<p role="alert" className="text-loss">
					{problem}
				</p>
			)}
			{warnings.map((warning) => (
				<p key={warning} className="text-soon">
					{warning}
				</p>
			))}
			{problem === null && draft.size > 0 && (
				<SendDraft host={host} version={setting.version} draft={draft} onSent={() => onDraft(new Map())} />
			)}
			{problem === null && <SitePreview host={host} draft={draft} />}
		</section>
	);
}

interface SendDraftProps {
	host: string;
	version: number;
	draft: Draft;
	onSent: () => void;
}

function SendDraft({ host, version: seen, draft, onSent }: SendDraftProps): ReactElement {
	const change = useAct('brand-change');
	const schedule = useAct('brand-schedule');
	const propose = useAct('propose');
	const [at, setAt] = useState('');
	const [reason, setReason] = useState('');
	const changes = changesOf(draft);
	const isForTwo = isGuarded(draft);
	const instant = at === '' ? null : new Date(at).toISOString();
	const done = { onSuccess: onSent };
	const send = () => {
		if (isForTwo) {
			const act = instant === null ? 'brand-change-guarded' : 'brand-schedule-guarded';
			const input = instant === null ? { host, seen, changes } : { host, at: instant, changes };
			propose.mutate({ act, input, reason }, done);
		} else if (instant === null) change.mutate({ host, seen, changes }, done);
		else schedule.mutate({ host, at: instant, changes }, done);
	};
	const word = isForTwo ? 'Propose' : instant === null ? 'Change at once' : 'Schedule';
	return (
		<form
			className="record-form"
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<Field
				label="Instant, by your clock; empty for at once"
				type="datetime-local"
				value={at}
				onChange={({ target }) => setAt(target.value)}
			/>
			{isForTwo && (
				<LongField
					label="Reason"
					rows={2}
					value={reason}
					hint="The draft concerns money, so another member confirms it."
					onChange={({ target }) => setReason(target.value)}
				/>
			)}
			<Problem error={change.error ?? schedule.error ?? propose.error} />
			<Button type="submit" variant="primary" busy={change.isPending || schedule.isPending || propose.isPending}>
				{word}
			</Button>
		</form>
	);
}
