/** The exchange markets of an event by hand, priced from the keyboard: by chances with a margin, or price by price. */
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { Failure, type ResultOf } from '#console/api/operate.ts';
import { useAct, useCall } from '#console/api/queries.ts';
import { isFreeKey } from '#console/parts/free-key.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { readMarketPrices } from '#console/parts/market-prices.ts';
import { StateBadge } from '#console/parts/market-state.tsx';
import { movedOn } from '#console/parts/moved-on.ts';
import { useSeenVersion } from '#console/parts/seen-version.ts';
import { Field } from '#ui/field.tsx';
import { ENDED_STATUSES } from '#values/market-statuses.ts';

type Market = ResultOf<'event-markets'>['markets'][number];
/** Beside the server's word on changes. */
const EVERY_MS = 10_000;
const DEFAULT_MARGIN = '2';

export function PriceDesk({ eventId }: { eventId: string }): ReactElement {
	const query = useCall('event-markets', { eventId }, EVERY_MS);
	return <Loaded query={query}>{({ markets }) => <Prices markets={markets} />}</Loaded>;
}

function Prices({ markets }: { markets: readonly Market[] }): ReactElement | null {
	const desk = useRef<HTMLElement>(null);
	const [margin, setMargin] = useState(DEFAULT_MARGIN);
	useEffect(() => {
		const press = (event: globalThis.KeyboardEvent) => {
			if (event.key !== 'p' || !isFreeKey(event)) return;
			event.preventDefault();
			desk.current?.querySelector<HTMLInputElement>('table input')?.focus();
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, []);
	const priced = markets.filter(
		({ bettingModel, status }) => bettingModel === 'EXCHANGE' && !ENDED_STATUSES.has(status),
	);
	if (priced.length === 0) return null;
	return (
		<section ref={desk} className="book-box" aria-label="Prices">
			<h2>Prices</h2>
			<p className="text-muted">
				p: first field. 50 25 25 are chances in per cent, quoted with the margin; 2/2.1 3.8/4.2 are what players back
				and lay at, - for none. Enter prices and opens, Escape suspends.
			</p>
			<Field
				label="Margin, per cent of the fair price"
				type="number"
				min="0.1"
				max="20"
				step="0.1"
				value={margin}
				onChange={({ target }) => setMargin(target.value)}
			/>
			<table className="book desk">
				<thead>
					<tr>
						<th scope="col">Market</th>
						<th scope="col">Runners</th>
						<th scope="col">New prices</th>
					</tr>
				</thead>
				<tbody>
					{priced.map((market) => (
						<MarketRow key={market.marketId} market={market} margin={Number(margin)} />
					))}
				</tbody>
			</table>
		</section>
	);
}

function MarketRow({ market, margin }: { market: Market; margin: number }): ReactElement {
	const { marketId, version, runners, status, inPlay } = market;
	const [text, setText] = useState('');
	const [wrong, setWrong] = useState<Error | null>(null);
	const seen = useSeenVersion(version);
	const price = useAct('price-market');
	const suspend = useAct('suspend', seen.showOwn);
	const send = () => {
		const asked = readMarketPrices(text, runners.length);
		const what = `Type ${runners.length} chances, or as many prices to back and lay: 2/2.1.`;
		setWrong(asked ? null : new Failure('VALIDATION_FAILED', what));
		if (asked) price.mutate({ marketId, seenVersion: seen.latest, margin, ...asked });
	};
	const press = (event: KeyboardEvent) => {
		if (event.key === 'Enter') send();
		else if (event.key === 'Escape') suspend.mutate({ marketId });
		else return;
		event.preventDefault();
	};
	return (
		<tr>
			<th scope="row">
				{market.market} <StateBadge state={status} inPlay={inPlay} />
			</th>
			<td>{runners.map(({ name }) => name).join(' · ')}</td>
			<td>
				<input
					value={text}
					autoComplete="off"
					aria-label={`Prices of ${market.market}`}
					onChange={({ target }) => setText(target.value)}
					onKeyDown={press}
				/>
				<Problem error={wrong ?? movedOn(price.error) ?? suspend.error} />
			</td>
		</tr>
	);
}
