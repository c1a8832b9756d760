/** The profiles of jurisdictions under which a brand is run, and the proposal of the next one. */
import { type ReactElement, useState } from 'react';
import * as v from 'valibot';
import { useAct, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { RecordForm } from '#console/parts/record-form.tsx';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';

const { profile, from } = OPERATOR_CALLS['brand-profile'].input.entries;
const { reason } = OPERATOR_CALLS.propose.input.entries;
const PROPOSED = v.strictObject({ profile, from, reason });

interface BrandProfileProps {
	host: string;
	profiles: DomainSetting['profiles'];
}

export function BrandProfile({ host, profiles }: BrandProfileProps): ReactElement {
	const { data: me } = useMe();
	const [isProposing, setProposing] = useState(false);
	return (
		<section aria-labelledby="brand-profile">
			<h2 id="brand-profile">Jurisdiction</h2>
			{profiles.length === 0 && <p>No profile is chosen: the defaults of play money hold.</p>}
			<ul>
				{profiles.map((chosen) => (
					<li key={chosen.from}>
						<b>{chosen.profile}</b> from {time(chosen.from)}
					</li>
				))}
			</ul>
			{me?.permissions.includes('brands.edit') && <Button onClick={() => setProposing(true)}>Propose a profile</Button>}
			{isProposing && <ProposeDialog host={host} onClose={() => setProposing(false)} />}
		</section>
	);
}

function ProposeDialog({ host, onClose }: { host: string; onClose: () => void }): ReactElement {
	const propose = useAct('propose');
	return (
		<Dialog title={`Profile of ${host}`} onClose={onClose}>
			<p>Another member confirms it. Profiles that were to hold from a later instant on give way.</p>
			<RecordForm
				schema={PROPOSED}
				fields={{ profile: 'Profile', from: 'Holds from', reason: 'Reason' }}
				submit="Propose"
				error={propose.error}
				isBusy={propose.isPending}
				onSubmit={({ reason: why, ...chosen }) =>
					propose.mutate({ act: 'brand-profile', input: { host, ...chosen }, reason: why }, { onSuccess: onClose })
				}
			/>
		</Dialog>
	);
}
