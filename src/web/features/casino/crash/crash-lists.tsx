import { type ReactElement, useState } from 'react';
import { Tabs } from '#ui/tabs.tsx';
import { ZERO } from '#values/money.ts';
import { type CrashBet, useCrash } from '#web/features/casino/crash/crash-store.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { formatAmount } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.lists;
type List = 'all' | 'mine' | 'top';

interface Row {
	betId: string;
	name: string;
	stake: CrashBet['stake'];
	cents: number | null;
	payout: CrashBet['payout'];
	/** Said in place of a multiplier. */
	note: string;
}

function Rows({ rows, empty, heads }: { rows: readonly Row[]; empty: string; heads: string }): ReactElement {
	if (rows.length === 0) return <p className="crash-none">{empty}</p>;
	return (
		<table className="crash-rows">
			<thead>
				<tr>
					<th scope="col">{heads}</th>
					<th scope="col">{words.stake}</th>
					<th scope="col">{words.at}</th>
					<th scope="col">{words.paid}</th>
				</tr>
			</thead>
			<tbody>
				{rows.map(({ betId, name, stake, cents, payout, note }) => (
					<tr key={betId} data-won={payout > stake || undefined}>
						<td>{name}</td>
						<td>{formatAmount(stake)}</td>
						<td>{cents === null ? note : multiplierText(cents)}</td>
						<td>{payout > 0 ? formatAmount(payout) : ''}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const ownRow = (bet: CrashBet): Row => ({
	...bet,
	name: bet.round === '' ? words.next : words.round(bet.round),
	note: bet.isInterrupted ? words.interrupted : words.states[bet.state],
});

/** Everybody's bets of the round, one's own of this visit, and the largest wins of the last rounds. */
export function CrashLists(): ReactElement {
	const { snapshot, mine } = useCrash();
	const [list, setList] = useState<List>('all');
	const plain = (rows: readonly Omit<Row, 'note'>[]): Row[] => rows.map((row) => ({ ...row, note: '' }));
	return (
		<section className="crash-lists" aria-label={words.title}>
			<Tabs
				label={words.title}
				tabs={(['all', 'mine', 'top'] as const).map((key) => ({ key, label: words.tabs[key] }))}
				selected={list}
				onSelect={setList}
			>
				{list === 'all' && (
					<>
						<p className="crash-total">
							{words.total(
								snapshot?.players ?? 0,
								formatAmount(snapshot?.stake ?? ZERO),
								formatAmount(snapshot?.payout ?? ZERO),
							)}
						</p>
						<Rows rows={plain(snapshot?.rows ?? [])} empty={words.noBets} heads={words.player} />
					</>
				)}
				{list === 'mine' && <Rows rows={mine.map(ownRow)} empty={words.noneMine} heads={words.roundHead} />}
				{list === 'top' && <Rows rows={plain(snapshot?.top ?? [])} empty={words.noTop} heads={words.player} />}
			</Tabs>
		</section>
	);
}
