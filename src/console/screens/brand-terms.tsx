/** The versions of terms and privacy policy that players of a brand accept, and the proposal of the next ones. */
import { type ReactElement, useState } from 'react';
import * as v from 'valibot';
import { useAct, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { RecordForm } from '#console/parts/record-form.tsx';
import type { LegalTexts } from '#contract/domain-setting.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';

const { host: _, ...texts } = OPERATOR_CALLS['brand-terms'].input.entries;
const { reason } = OPERATOR_CALLS.propose.input.entries;
const PROPOSED = v.strictObject({ ...texts, reason });

export function BrandTerms({ host, legalTexts }: { host: string; legalTexts: readonly LegalTexts[] }): ReactElement {
	const { data: me } = useMe();
	const [isProposing, setProposing] = useState(false);
	return (
		<section aria-labelledby="brand-terms">
			<h2 id="brand-terms">Terms and privacy policy</h2>
			{legalTexts.length === 0 && <p>No version is announced, and players accept none.</p>}
			<ul>
				{legalTexts.map(({ from, terms, privacy }) => (
					<li key={from}>
						Terms <b>{terms}</b>, privacy policy <b>{privacy}</b> from {time(from)}
					</li>
				))}
			</ul>
			{me?.permissions.includes('brands.edit') && <Button onClick={() => setProposing(true)}>Propose versions</Button>}
			{isProposing && <ProposeDialog host={host} onClose={() => setProposing(false)} />}
		</section>
	);
}

function ProposeDialog({ host, onClose }: { host: string; onClose: () => void }): ReactElement {
	const propose = useAct('propose');
	return (
		<Dialog title={`Terms of ${host}`} onClose={onClose}>
			<p>Another member confirms it. Versions that were to hold from a later instant on give way.</p>
			<RecordForm
				schema={PROPOSED}
				fields={{
					terms: 'Version of the terms',
					termsLink: 'Address of the terms',
					privacy: 'Version of the privacy policy',
					privacyLink: 'Address of the privacy policy',
					from: 'Hold from',
					reason: 'Reason',
				}}
				submit="Propose"
				error={propose.error}
				isBusy={propose.isPending}
				onSubmit={({ reason: why, ...chosen }) =>
					propose.mutate({ act: 'brand-terms', input: { host, ...chosen }, reason: why }, { onSuccess: onClose })
				}
			/>
		</Dialog>
	);
}
