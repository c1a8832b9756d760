/**
 * Bus topics of the casino's tables. Thousands look at one table, and a message to all of them keeps the process busy for
 * as long as a player's press may take. So what a table repeats several times a second goes to one cohort of them after
 * the other; what happens once, such as the end of a round, goes to everybody at once.
 */
import type { Pool } from '#values/pools.ts';

/** Those who look at a table are divided into so many parts of one size. */
export const COHORTS = 10;

export const tableTopic = (game: string, pool: Pool): string => `table.${game}.${pool}`;

/** @param cohort from 0 */
export const cohortTopic = (game: string, pool: Pool, cohort: number): string => `table.${game}.${pool}.${cohort}`;
