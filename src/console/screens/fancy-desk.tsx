/** The fancies of an event, priced ball by ball from the keyboard. */
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { Failure, type ResultOf } from '#console/api/operate.ts';
import { useAct } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { type FancyPrices, readPrices, writePrices } from '#console/parts/fancy-prices.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { movedOn } from '#console/parts/moved-on.ts';
import { RecordForm } from '#console/parts/record-form.tsx';
import { useSeenVersion } from '#console/parts/seen-version.ts';
import { useDesk } from '#console/parts/use-desk.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { ENDED_STATUSES } from '#values/market-statuses.ts';

type Market = ResultOf<'event-markets'>['markets'][number];
type Fancy = Market & { fancy: NonNullable<Market['fancy']> };

const isPriced = (market: Market): market is Fancy => market.fancy !== null && !ENDED_STATUSES.has(market.status);

export function FancyDesk({ eventId, markets }: { eventId: string; markets: readonly Market[] }): ReactElement {
	const { desk, isOpening, setOpening } = useDesk({ field: 'f', open: 'n' });
	const fancies = markets.filter(isPriced);
	return (
		<section ref={desk} className="book-box" aria-label="Fancies">
			<h2>Fancies</h2>
			<p className="acts">
				<Button onClick={() => setOpening(true)}>Open a fancy (n)</Button>
				{fancies.length > 0 && (
					<span className="text-muted">
						f: first field. 42 is NO 42 and YES 43; 42/90 44/110 sets rates. Enter prices and opens, ↑ ↓ move the lines,
						Escape suspends.
					</span>
				)}
			</p>
			{fancies.length > 0 && (
				<table className="book desk">
					<thead>
						<tr>
							<th scope="col">Fancy</th>
							<th scope="col">State</th>
							<th scope="col" data-number>
								No
							</th>
							<th scope="col" data-number>
								Yes
							</th>
							<th scope="col">New prices</th>
						</tr>
					</thead>
					<tbody>
						{fancies.map((market) => (
							<FancyRow key={market.marketId} market={market} />
						))}
					</tbody>
				</table>
			)}
			{isOpening && <OpenFancy eventId={eventId} onClose={() => setOpening(false)} />}
		</section>
	);
}

const Side = ({ of, kind }: { of: FancyPrices['no']; kind: 'back' | 'lay' }): ReactElement => (
	<td data-number className={of ? kind : ''}>
		{of ? (
			<>
				<b>{of.line}</b> {of.rate}
			</>
		) : (
			'–'
		)}
	</td>
);

function FancyRow({ market }: { market: Fancy }): ReactElement {
	const { marketId, version, fancy, status } = market;
	const [text, setText] = useState('');
	const [wrong, setWrong] = useState<Error | null>(null);
	const seen = useSeenVersion(version);
	const price = useAct('price-fancy');
	const suspend = useAct('suspend', seen.showOwn);
	const send = () => {
		const prices = readPrices(text);
		setWrong(prices ? null : new Failure('VALIDATION_FAILED', 'Type one number, or NO and YES: 42/90 44/110.'));
		if (prices) price.mutate({ marketId, seenVersion: seen.latest, ...prices });
	};
	const press = (event: KeyboardEvent) => {
		const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
		if (up !== undefined) setText(writePrices(readPrices(text) ?? fancy, up));
		else if (event.key === 'Enter') send();
		else if (event.key === 'Escape') suspend.mutate({ marketId });
		else return;
		event.preventDefault();
	};
	return (
		<tr>
			<th scope="row">{market.market}</th>
			<td>
				<StateBadge state={status} />
			</td>
			<Side of={fancy.no} kind="lay" />
			<Side of={fancy.yes} kind="back" />
			<td>
				<input
					value={text}
					inputMode="text"
					autoComplete="off"
					aria-label={`Prices of ${market.market}`}
					placeholder={writePrices(fancy)}
					onChange={({ target }) => setText(target.value)}
					onKeyDown={press}
				/>
				<Problem error={wrong ?? movedOn(price.error) ?? suspend.error} />
			</td>
		</tr>
	);
}

function OpenFancy({ eventId, onClose }: { eventId: string; onClose: () => void }): ReactElement {
	const open = useAct('open-fancy');
	return (
		<Dialog title="Open a fancy" onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['open-fancy'].input}
				fields={{ name: 'Name', type: 'On', from: 'Lowest number', to: 'Highest number' }}
				fixed={{ eventId }}
				submit="Open"
				error={open.error}
				isBusy={open.isPending}
				onSubmit={(input) => open.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}
