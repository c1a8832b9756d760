/**
 * Bus topics of the casino's tables. Thousands view one table, and a message to all of them blocks the process for as
 * long as the answer to a player's press may take. So messages repeated several times a second go to one cohort of
 * viewers after another; single events, such as the end of a round, go to all viewers immediately.
 */
import type { Pool } from '#values/pools.ts';

/** The number of equally large cohorts of a table's viewers. */
export const COHORTS = 10;

export const tableTopic = (game: string, pool: Pool): string => `table.${game}.${pool}`;

/** @param cohort from 0 */
export const cohortTopic = (game: string, pool: Pool, cohort: number): string => `table.${game}.${pool}.${cohort}`;
