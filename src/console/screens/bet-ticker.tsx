/** The bets of players as they come. A person reads no thousand rows a second, so the newest are asked for each second. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { majorFromText } from '#console/parts/amount-words.ts';
import { amount, clock } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { FilterText } from '#ui/filter-text.tsx';

type Asked = InputOf<'bets-taken'>;
type Bet = ResultOf<'bets-taken'>[number];

const EVERY_MS = 1_000;
const FIELDS = { player: 'Player id', least: 'Smallest stake', brand: 'Brand' } as const;
type Texts = { [Field in keyof typeof FIELDS]?: string };

interface BetTickerProps {
	sport: Asked['sport'];
	/** The other filters, as texts of the address. */
	asked: Texts;
	onAsk: (changed: Texts) => void;
}

/** A text that the server would not take filters nothing yet. */
function inputOf(sport: Asked['sport'], { player = '', least = '', brand = '' }: Texts): Asked {
	const smallest = majorFromText(least) ?? 0;
	return {
		...(sport ? { sport } : {}),
		...(/^\d{1,15}$/.test(player) ? { playerId: player } : {}),
		...(smallest > 0 ? { least: smallest } : {}),
		...(brand === '' ? {} : { brand }),
	};
}

export function BetTicker({ sport, asked, onAsk }: BetTickerProps): ReactElement {
	const query = useCall('bets-taken', inputOf(sport, asked), EVERY_MS);
	return (
		<section className="book-box" aria-label="Bets as they come">
			<h2>Bets as they come</h2>
			<div className="asked">
				{(Object.keys(FIELDS) as (keyof typeof FIELDS)[]).map((name) => (
					<FilterText
						key={name}
						label={FIELDS[name]}
						placeholder={FIELDS[name]}
						value={asked[name] ?? ''}
						onText={(text) => onAsk({ [name]: text.trim() })}
					/>
				))}
			</div>
			<Loaded query={query}>
				{(bets) =>
					bets.length === 0 ? <p className="py-2 text-muted">No bet is like that.</p> : <BetRows bets={bets} />
				}
			</Loaded>
		</section>
	);
}

function BetRows({ bets }: { bets: readonly Bet[] }): ReactElement {
	return (
		<table className="book ticker">
			<thead>
				<tr>
					<th scope="col">At</th>
					<th scope="col">Player</th>
					<th scope="col">Match</th>
					<th scope="col">Market</th>
					<th scope="col">Runner</th>
					<th scope="col" data-number>
						Price
					</th>
					<th scope="col" data-number>
						Stake
					</th>
					<th scope="col" data-number>
						Matched
					</th>
				</tr>
			</thead>
			<tbody>
				{bets.map((bet) => (
					<tr key={bet.betId} data-large={bet.isLarge || undefined}>
						<td>{clock(bet.at)}</td>
						<td>
							<Link to="/players/$playerId" params={{ playerId: bet.playerId }}>
								{bet.player}
							</Link>{' '}
							<span className="text-muted">{bet.brand}</span>
						</td>
						<td>{bet.event}</td>
						<td>
							<Link to="/markets/$eventId/$marketId" params={{ eventId: bet.eventId, marketId: bet.marketId }}>
								{bet.market}
							</Link>
						</td>
						<td>{bet.runner}</td>
						<td data-number className={bet.side === 'BACK' ? 'back' : 'lay'}>
							{bet.price.toFixed(2)}
						</td>
						<td data-number>
							{bet.isLarge && <strong>large </strong>}
							{amount(bet.stake)}
						</td>
						<td data-number>{amount(bet.matched)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
