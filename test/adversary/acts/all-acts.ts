/** All that a step can do, by name; one file for each of those who act. */
import type { Acts } from '../step.ts';
import { BETTING } from './betting.ts';
import { CASINO } from './casino.ts';
import { MONEY } from './money.ts';
import { PEOPLE } from './people.ts';
import { PROVIDER } from './provider.ts';
import { SERVER } from './server.ts';

export const ACTS: Acts = { ...BETTING, ...CASINO, ...MONEY, ...PEOPLE, ...PROVIDER, ...SERVER };
