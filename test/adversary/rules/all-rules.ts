import { COINS } from './coins.ts';
import { CURRENCIES_APART } from './currencies-apart.ts';
import { DISPUTES } from './disputes.ts';
import { OPEN_DOORS } from './doors.ts';
import { HELD_MONEY } from './held-money.ts';
import { PROVIDERS } from './providers.ts';
import { REFERENCES } from './references.ts';
import { ROUNDS } from './rounds.ts';
import type { Rule } from './rule.ts';
import { STRANGERS } from './strangers.ts';
import { TURNOVER } from './turnover.ts';

export const RULES_OF_ALL: readonly Rule[] = [
	ROUNDS,
	OPEN_DOORS,
	STRANGERS,
	REFERENCES,
	DISPUTES,
	COINS,
	CURRENCIES_APART,
	HELD_MONEY,
	PROVIDERS,
	TURNOVER,
];
