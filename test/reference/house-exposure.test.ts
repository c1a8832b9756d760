/** The house's exposure, as traders see it, and the same figures of the reference exchange, on random books. */
import { expect } from 'vitest';
import { createEngine } from '#engine/create-engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { houseExposure } from '#server/operators/house-exposure.ts';
import { RecordedEffects } from '../engine/recorded-effects.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { RandomCommands } from './random-commands.ts';
import { MARKETS, RACING_MARKETS, type RandomMarket, WIDER_MARKETS } from './random-markets.ts';
import { ReferenceExchange } from './reference-exchange.ts';
import { LOST, type ReferenceMarket, unitOf, WON, worth } from './reference-rules.ts';
import { tellReference } from './reference-run.ts';

const BOOKS = 30;
const COMMANDS = 60;
/** Two wallets of one pool and one of the other stand for the house's. */
const HOUSE = new Set([11, 12, 21]);

function randomBook(seed: number, markets: readonly RandomMarket[]) {
	const random = new RandomCommands(seed, markets);
	const engine = createEngine();
	const effects = new RecordedEffects(engine);
	const reference = new ReferenceExchange();
	const commands = [...random.opening(), ...Array.from({ length: COMMANDS }, () => random.next())];
	for (const command of commands) {
		engine.apply(command, effects);
		tellReference(reference, command);
	}
	const bets = [...effects.bets.values()].filter(({ walletId }) => HOUSE.has(walletId));
	const own = bets.map((bet) => ({ ...bet, ...engine.betDetail(bet.betId) }) as unknown as BetRecord);
	return { engine, own, reference };
}

/** Hundredths of a minor unit as major units: to the nearest minor unit, an exact half towards the house's loss. */
const major = (exact: bigint, unit: bigint): number => Math.ceil(Number(exact) / Number(unit) - 0.5) / 100;

/** What the market pays the house if a runner wins; where lines rise, those before it win as well. */
const ifWins = (market: ReferenceMarket, runner: number) =>
	Array.from({ length: market.runners }, (_, other) =>
		other === runner || (market.winners === -1 && other < runner) ? WON : LOST,
	);

mainlyEach<[string, readonly RandomMarket[]]>(
	[
		['of one winner', MARKETS],
		['of several winners, each way and lines', WIDER_MARKETS],
		['with non-runners', RACING_MARKETS],
	],
	([kind]) => kind === 'with non-runners',
)('agrees by outcome and at its worst in markets %s', (_, markets) => {
	let compared = 0;
	for (let seed = 1; seed <= BOOKS; seed++) {
		const { engine, own, reference } = randomBook(seed, markets);
		for (const market of reference.markets) {
			const view = engine.market(market.id);
			if (!view || view.status === 'SETTLED' || view.status === 'VOIDED') continue;
			const shown = houseExposure(
				view,
				own.filter(({ marketId }) => marketId === market.id),
			);
			for (const { pool, outcomes, worst } of shown) {
				const about = `seed ${seed}, market ${market.id}, ${pool}`;
				const house = new ReferenceExchange();
				house.markets.push(market);
				house.bets = reference.bets
					.filter((bet) => HOUSE.has(bet.user) && bet.market === market.id && reference.poolOf(bet) === pool)
					.map((bet) => ({ ...bet, user: 0, remaining: 0 }));
				expect(worst, about).toBe(Number(-house.exposure(0, market.id)) / 100);
				compared++;
				if (market.isEachWay || market.lines || (market.winners !== 1 && market.winners !== -1)) continue;
				for (const [runner, amount] of outcomes.entries()) {
					if (market.removed.has(runner)) continue;
					const exact = worth(market, house.bets, ifWins(market, runner));
					expect(amount || 0, `${about}, runner ${runner}`).toBe(major(exact, unitOf(market)) || 0);
				}
			}
		}
	}
	expect(compared).toBeGreaterThan(BOOKS / 4);
});
