/** Score cards, one file a sport. This file: the shapes of the contract by sport. */

import type { ScoreCard } from '#web/api/answers.ts';

export type Score = NonNullable<ScoreCard>;
export type ScoreOf<Sport extends Score['sport']> = Extract<Score, { sport: Sport }>;
