/** Types that the compiler refuses; `npm run types` reads this file. */
import { describe, expectTypeOf, it } from 'vitest';
import type { PlaceBet } from '#engine/command.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor, Minor, majorFromMinor } from '#values/money.ts';
import type { AnyPrice, Price } from '#values/price-ladder.ts';

describe('a number of a kind', () => {
	it('is not taken for a number of another kind', () => {
		expectTypeOf<AnyPrice>().not.toExtend<AnyMinor>();
		expectTypeOf<Price>().not.toExtend<AnyMinor>();
		expectTypeOf<Minor>().not.toExtend<AnyPrice>();
		expectTypeOf<WalletId>().not.toExtend<MarketId>();
		expectTypeOf<BetId>().not.toExtend<AnyMinor>();
		expectTypeOf<PlaceBet['price']>().not.toExtend<PlaceBet['stake']>();
		expectTypeOf<Price>().not.toExtend<Parameters<typeof majorFromMinor>[0]>();
	});

	it('is accepted unchecked where the engine computes it, and only checked where a player enters it', () => {
		expectTypeOf<number>().toExtend<AnyMinor>();
		expectTypeOf<Minor>().toExtend<AnyMinor>();
		expectTypeOf<number>().not.toExtend<Minor>();
	});
});
