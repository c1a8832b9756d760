/** Types that the compiler refuses; `npm run types` reads this file. */
import { describe, expectTypeOf, it } from 'vitest';
import type { PlaceBet } from '#engine/command.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyPaise, majorFromPaise, Paise } from '#values/money.ts';
import type { AnyPrice, Price } from '#values/price-ladder.ts';

describe('a number of a kind', () => {
	it('is not taken for a number of another kind', () => {
		expectTypeOf<AnyPrice>().not.toExtend<AnyPaise>();
		expectTypeOf<Price>().not.toExtend<AnyPaise>();
		expectTypeOf<Paise>().not.toExtend<AnyPrice>();
		expectTypeOf<WalletId>().not.toExtend<MarketId>();
		expectTypeOf<BetId>().not.toExtend<AnyPaise>();
		expectTypeOf<PlaceBet['price']>().not.toExtend<PlaceBet['stake']>();
		expectTypeOf<Price>().not.toExtend<Parameters<typeof majorFromPaise>[0]>();
	});

	it('is accepted unchecked where the engine computes it, and only checked where a player enters it', () => {
		expectTypeOf<number>().toExtend<AnyPaise>();
		expectTypeOf<Paise>().toExtend<AnyPaise>();
		expectTypeOf<number>().not.toExtend<Paise>();
	});
});
