/** The sports that are simulated. */
import { cricket } from '#sports/cricket/cricket-play.ts';
import { football } from '#sports/football/football-play.ts';
import { kabaddi } from '#sports/kabaddi/kabaddi-play.ts';
import type { SimulatedSport } from '#sports/play.ts';
import { horseRacing } from '#sports/racing/racing-play.ts';
import { tennis } from '#sports/tennis/tennis-play.ts';
import { trade } from '#sports/trade/trade-play.ts';

export const SIMULATED_SPORTS: readonly SimulatedSport[] = [football, tennis, cricket, kabaddi, horseRacing, trade];
