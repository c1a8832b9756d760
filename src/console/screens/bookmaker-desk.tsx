/** The bookmaker markets of an event, priced runner by runner from the keyboard. */
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import * as v from 'valibot';
import { Failure, type ResultOf } from '#console/api/operate.ts';
import { useAct } from '#console/api/queries.ts';
import { type RunnerRates, readRates, writeRates } from '#console/parts/bookmaker-rates.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { movedOn } from '#console/parts/moved-on.ts';
import { RecordForm } from '#console/parts/record-form.tsx';
import { useSeenVersion } from '#console/parts/seen-version.ts';
import { useDesk } from '#console/parts/use-desk.ts';
import { Button } from '#ui/button.tsx';
import { ENDED_STATUSES } from '#values/market-statuses.ts';

type Market = ResultOf<'event-markets'>['markets'][number];
type Bookmaker = Market & { rates: NonNullable<Market['rates']> };

const isPriced = (market: Market): market is Bookmaker => market.rates !== null && !ENDED_STATUSES.has(market.status);

export function BookmakerDesk({ eventId, markets }: { eventId: string; markets: readonly Market[] }): ReactElement {
	const { desk, isOpening, setOpening } = useDesk({ field: 'b', open: 'o' });
	const priced = markets.filter(isPriced);
	return (
		<section ref={desk} className="book-box" aria-label="Bookmaker">
			<h2>Bookmaker</h2>
			<p className="acts">
				<Button onClick={() => setOpening(true)}>Open a bookmaker market (o)</Button>
				{priced.length > 0 && (
					<span className="text-muted">
						b: first field. 42 44 is back 42 and lay 44; - takes no bets. Enter prices the runner and opens, ↑ ↓ move
						the rates, Escape suspends.
					</span>
				)}
			</p>
			{priced.map((market) => (
				<MarketRates key={market.marketId} market={market} />
			))}
			{isOpening && <OpenBookmaker eventId={eventId} onClose={() => setOpening(false)} />}
		</section>
	);
}

function MarketRates({ market }: { market: Bookmaker }): ReactElement {
	const { marketId, version, rates, status } = market;
	const seen = useSeenVersion(version);
	const price = useAct('price-bookmaker');
	const suspend = useAct('suspend', seen.showOwn);
	return (
		<>
			<table className="book desk" aria-label={market.market}>
				<thead>
					<tr>
						<th scope="col">
							{market.market} <StateBadge state={status} />
						</th>
						<th scope="col" data-number>
							Back
						</th>
						<th scope="col" data-number>
							Lay
						</th>
						<th scope="col">New rates</th>
					</tr>
				</thead>
				<tbody>
					{market.runners.map(({ id, name, status: stands }, at) => (
						<RunnerRow
							key={id}
							name={`${name}, ${market.market}`}
							title={name}
							isSuspended={stands === 'SUSPENDED' && rates[at]?.back != null}
							rates={rates[at] as RunnerRates}
							onSend={(changed) => price.mutate({ marketId, seenVersion: seen.latest, runner: id, ...changed })}
							onSuspend={() => suspend.mutate({ marketId })}
						/>
					))}
				</tbody>
			</table>
			<Problem error={movedOn(price.error) ?? suspend.error} />
		</>
	);
}

interface RunnerRowProps {
	/** For screen readers. */
	name: string;
	title: string;
	/** It stands in the book, and takes no bets. */
	isSuspended: boolean;
	rates: RunnerRates;
	onSend: (rates: RunnerRates) => void;
	onSuspend: () => void;
}

const Rate = ({ of, kind }: { of: number | null; kind: 'back' | 'lay' }): ReactElement => (
	<td data-number className={of === null ? '' : kind}>
		{of === null ? '–' : <b>{of}</b>}
	</td>
);

function RunnerRow({ name, title, isSuspended, rates, onSend, onSuspend }: RunnerRowProps): ReactElement {
	const [text, setText] = useState('');
	const [wrong, setWrong] = useState<Error | null>(null);
	const send = () => {
		const typed = readRates(text);
		setWrong(typed ? null : new Failure('VALIDATION_FAILED', 'Type back and lay: 42 44. One rate leaves two between.'));
		if (typed) onSend(typed);
	};
	const press = (event: KeyboardEvent) => {
		const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
		if (up !== undefined) setText(writeRates(readRates(text) ?? rates, up));
		else if (event.key === 'Enter') send();
		else if (event.key === 'Escape') onSuspend();
		else return;
		event.preventDefault();
	};
	return (
		<tr>
			<th scope="row">
				{title} {isSuspended && <StateBadge state="SUSPENDED" />}
			</th>
			<Rate of={rates.back} kind="back" />
			<Rate of={rates.lay} kind="lay" />
			<td>
				<input
					value={text}
					autoComplete="off"
					aria-label={`Rates of ${name}`}
					placeholder={writeRates(rates)}
					onChange={({ target }) => setText(target.value)}
					onKeyDown={press}
				/>
				<Problem error={wrong} />
			</td>
		</tr>
	);
}

/** As the form asks: the runners in one field. */
const Asked = v.strictObject({
	name: v.pipe(v.string(), v.trim(), v.minLength(1, 'The market has a name.')),
	runners: v.pipe(v.string(), v.includes(',', 'There are two runners or more, with commas between.')),
});

function OpenBookmaker({ eventId, onClose }: { eventId: string; onClose: () => void }): ReactElement {
	const open = useAct('open-bookmaker');
	const send = (input: Record<string, unknown>) => {
		const { name, runners } = v.parse(Asked, input);
		open.mutate({ eventId, name, runners: runners.split(',') }, { onSuccess: onClose });
	};
	return (
		<Dialog title="Open a bookmaker market" onClose={onClose}>
			<RecordForm
				schema={Asked}
				fields={{ name: 'Name', runners: 'Runners, with commas between' }}
				submit="Open"
				error={open.error}
				isBusy={open.isPending}
				onSubmit={send}
			/>
		</Dialog>
	);
}
