/** Dealt tables with a chain that the test knows, so that it can bet on results before they are revealed. */
import type { ResultOf } from '../../src/contract/call.ts';
import type { Calls } from '../../src/contract/registry.ts';
import { gameOf } from '../../src/games/all-games.ts';
import type { TableGame } from '../../src/games/game.ts';
import type { TestServer } from './server.ts';

export type TableView = ResultOf<Calls['getTable']>;
export type TableState = TableView['state'];

export function tableGame(code: string): TableGame {
	const game = gameOf(code);
	if (game?.kind !== 'table') throw new Error(`no table game ${code}`);
	return game;
}

/** One table of a server. */
export class Table {
	readonly game: TableGame;
	readonly #server: TestServer;

	constructor(server: TestServer, code: string) {
		this.#server = server;
		this.game = tableGame(code);
	}

	view(token?: string): Promise<TableView> {
		return this.#server.result('getTable', { game: this.game.code }, token);
	}

	/** Resolves when a round has come to that phase. @param after rounds up to this one are passed over */
	async reached(phase: TableState['phase'], after = 0): Promise<TableState> {
		for (;;) {
			const { state } = await this.view();
			if (state.phase === phase && Number(state.round) > after) return state;
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	}

	/** The beginning of a betting window. */
	async opening(): Promise<TableState> {
		return this.reached('BETTING', Number((await this.view()).state.round));
	}
}
