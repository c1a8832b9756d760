/** The market stream's own traps, in messages small enough to follow by hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
	type MarketChange,
	type MarketMessage,
	type StreamMarket,
	StreamMarkets,
} from '#server/world/feeds/betfair/stream-market.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const definition = (status: 'OPEN' | 'SUSPENDED'): NonNullable<MarketChange['marketDefinition']> => ({
	status,
	inPlay: false,
	betDelay: 0,
	numberOfWinners: 1,
	marketTime: '2026-01-01T10:00:00.000Z',
	runners: [{ id: 1, status: 'ACTIVE', sortPriority: 1 }],
});

/** The market after each list of changes, one message a list. */
function after(...messages: MarketChange[][]): StreamMarket {
	const stream = new StreamMarkets();
	messages.forEach((mc, at) => stream.apply({ op: 'mcm', pt: at, mc }));
	const market = stream.markets.get('1.1');
	if (!market) throw new Error('The stream knows no market.');
	return market;
}

const begin: MarketChange = {
	id: '1.1',
	img: true,
	marketDefinition: definition('OPEN'),
	rc: [{ id: 1, atb: [[2, 10]], atl: [[2.1, 20]] }],
};

it('size 0 deletes the price', () => {
	const market = after([begin], [{ id: '1.1', rc: [{ id: 1, atb: [[2, 0]] }] }]);
	expect(market.book(1)).toEqual({ back: [], lay: [[2.1, 20]] });
});

it('one message may name a runner twice, and both count', () => {
	const market = after(
		[begin],
		[
			{
				id: '1.1',
				rc: [
					{ id: 1, atb: [[1.99, 5]] },
					{ id: 1, atl: [[2.12, 7]] },
				],
			},
		],
	);
	expect(market.book(1)).toEqual({
		back: [
			[2, 10],
			[1.99, 5],
		],
		lay: [
			[2.1, 20],
			[2.12, 7],
		],
	});
});

it('an image replaces the whole book', () => {
	const market = after([begin], [{ ...begin, rc: [{ id: 1, atb: [[3, 1]] }] }]);
	expect(market.book(1)).toEqual({ back: [[3, 1]], lay: [] });
});

it('a definition alone keeps the prices', () => {
	const market = after([begin], [{ id: '1.1', marketDefinition: definition('SUSPENDED') }]);
	expect(market.definition?.status).toBe('SUSPENDED');
	expect(market.book(1).back).toEqual([[2, 10]]);
});

it('changes of an undefined market create no market', () => {
	const stream = new StreamMarkets();
	stream.apply({ op: 'mcm', pt: 1 });
	expect(stream.markets.size).toBe(0);
});

it('a selection is a runner for each of its handicap lines', () => {
	const market = after(
		[{ ...begin, rc: [1.5, -1.5, 0].map((hc) => ({ id: 1, hc, atb: [[2 + hc / 10, 10]] })) }],
		[
			{
				id: '1.1',
				rc: [
					{ id: 1, hc: -1.5, atb: [[1.85, 0]], atl: [[1.9, 5]] },
					{ id: 1, atl: [[2.02, 7]] },
				],
			},
		],
	);
	expect([...market.runners.keys()]).toEqual(['1_1.5', '1_-1.5', 1]);
	expect(market.book('1_1.5')).toEqual({ back: [[2.15, 10]], lay: [] });
	expect(market.book('1_-1.5')).toEqual({ back: [], lay: [[1.9, 5]] });
	expect(market.book(1)).toEqual({ back: [[2, 10]], lay: [[2.02, 7]] });
});

it('a market that was dropped starts empty', () => {
	const stream = new StreamMarkets();
	stream.apply({ op: 'mcm', pt: 1, mc: [begin] });
	stream.forget(begin.id);
	expect(stream.markets.size).toBe(0);
	const [again] = stream.apply({ op: 'mcm', pt: 2, mc: [{ id: begin.id, rc: [{ id: 1, atl: [[4, 1]] }] }] });
	expect(again?.definition).toBeNull();
	expect(again?.book(1)).toEqual({ back: [], lay: [[4, 1]] });
});

const VECTORS = sharedFolder('vectors/betfair-api', 'the test that reads answers of the real API is skipped');

it.skipIf(!VECTORS.isPresent)('every real message is valid', () => {
	let changes = 0;
	for (const name of readdirSync(VECTORS.path).filter((file) => file.startsWith('streaming_mcm_'))) {
		const message = JSON.parse(readFileSync(join(VECTORS.path, name), 'utf8')) as MarketMessage;
		for (const market of new StreamMarkets().apply(message)) {
			expect([name, market.fault]).toEqual([name, null]);
			changes++;
		}
	}
	expect(changes).toBeGreaterThan(10);
});
