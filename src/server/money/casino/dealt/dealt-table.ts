/** A dealt table for the rest of the server. */
import type { TableGame } from '#games/game.ts';
import type { ChipTerms } from '#server/money/casino/dealt/chip-risk.ts';
import { DealtGame } from '#server/money/casino/dealt/dealt-game.ts';
import { type DealtWire, dealtViews } from '#server/money/casino/dealt/dealt-views.ts';
import { GameTable, type GameTableOptions } from '#server/money/casino/tables/game-table.ts';

const HISTORY = 90;
/** The number of times that a player can add chips in one round. */
export const PLACES = Array.from({ length: 12 }, (_, index) => index + 1);

export interface DealtTable {
	definition: TableGame;
	table: GameTable<ChipTerms, DealtWire>;
}

export async function openDealtTable(definition: TableGame, options: GameTableOptions): Promise<DealtTable> {
	const game = new DealtGame(definition, () => table.news.changed());
	const extension = { game, views: dealtViews(game), history: HISTORY };
	const table = await GameTable.open<ChipTerms, DealtWire>(extension, options);
	return { definition, table };
}
