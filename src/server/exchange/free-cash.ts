import type { AnyMinor } from '#values/money.ts';

/** What may be spent of a wallet's cash, minor units: without what its open bets lack. A shortfall stays one. */
export const freeCash = (cash: AnyMinor, lacked: AnyMinor): AnyMinor => cash - Math.min(lacked, Math.max(0, cash));
