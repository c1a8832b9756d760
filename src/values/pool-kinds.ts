/** The kinds of money: a demo player's, granted play money, and money that is paid in. */
export const POOL_KINDS = ['DEMO', 'PLAY', 'REAL'] as const;
export type PoolKind = (typeof POOL_KINDS)[number];
