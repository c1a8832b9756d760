import { type ReactElement, type ReactNode, useState } from 'react';
import { Tabs } from '#ui/tabs.tsx';
import { useSlipCount } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';

/** The right column of a wide screen: slip and open bets as two tabs; a picked price brings the slip to the front. */
export function SideColumn({ slip, bets }: { slip: ReactNode; bets: ReactNode }): ReactElement {
	const [tab, setTab] = useState<'slip' | 'bets'>('slip');
	const count = useSlipCount();
	const [seen, setSeen] = useState(count);
	if (count !== seen) {
		setSeen(count);
		if (count > seen) setTab('slip');
	}
	return (
		<Tabs
			label={TEXTS.frame.quick}
			tabs={[
				{ key: 'slip', label: count > 0 ? `${TEXTS.slip.title} (${count})` : TEXTS.slip.title },
				{ key: 'bets', label: TEXTS.bets.title },
			]}
			selected={tab}
			onSelect={setTab}
			className="h-full"
		>
			{tab === 'slip' ? slip : bets}
		</Tabs>
	);
}
