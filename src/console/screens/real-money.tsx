/** What a brand of play money needs before it takes real money, and the proposal that makes it so. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { labelOf } from '#console/parts/setting-fields.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';

type Item = ResultOf<'real-money-readiness'>['items'][number];

interface RealMoneyProps {
	host: string;
	/** Opens the change of a field of the setting; missing for members who may not change it. */
	onSet?: (field: string) => void;
}

export function RealMoney({ host, onSet }: RealMoneyProps): ReactElement {
	const { data: me } = useMe();
	const query = useCall('real-money-readiness', { host });
	const [isProposing, setProposing] = useState(false);
	const mayPropose = me?.permissions.includes('brands.make-real') ?? false;
	return (
		<section aria-labelledby="real-money">
			<h2 id="real-money">Real money</h2>
			<Loaded query={query}>
				{({ items, isReady, isOpen }) => (
					<>
						{isOpen && <p>This brand takes real money.</p>}
						<ul>
							{items.map((item) => (
								<Need key={item.item} item={item} onSet={onSet} />
							))}
						</ul>
						{isReady && mayPropose && <Button onClick={() => setProposing(true)}>Propose real money</Button>}
					</>
				)}
			</Loaded>
			{isProposing && <ProposeDialog host={host} onClose={() => setProposing(false)} />}
		</section>
	);
}

function Need({ item: { isSet, needs, field, document }, onSet }: { item: Item; onSet: RealMoneyProps['onSet'] }) {
	return (
		<li>
			<b>{isSet ? 'Set:' : 'Missing:'}</b> {needs}{' '}
			{!isSet && field !== null && onSet && <Button onClick={() => onSet(field)}>Set {labelOf(field)}</Button>}
			{!isSet && document !== null && <code>{document}</code>}
		</li>
	);
}

function ProposeDialog({ host, onClose }: { host: string; onClose: () => void }): ReactElement {
	const propose = useAct('propose');
	return (
		<Dialog title={`Real money for ${host}`} onClose={onClose}>
			<p>Another owner confirms it. The brand does not change back.</p>
			<RecordForm
				schema={OPERATOR_CALLS.propose.input}
				fields={{ reason: 'Reason' }}
				fixed={{ act: 'brand-make-real', input: { host } }}
				submit="Propose"
				error={propose.error}
				isBusy={propose.isPending}
				onSubmit={(input) => propose.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}
