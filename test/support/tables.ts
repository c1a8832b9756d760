/** Dealt tables with a chain that the test knows, so that it can bet on results before they are revealed. */
import { expect, vi } from 'vitest';
import type { ResultOf } from '../../src/contract/call.ts';
import type { Calls } from '../../src/contract/registry.ts';
import { gameOf } from '../../src/games/all-games.ts';
import type { TableGame } from '../../src/games/game.ts';
import { sharedOutcome } from '../../src/games/shared-result.ts';
import { POLL_MS, phaseLasts } from './crash.ts';
import type { TestServer } from './server.ts';

export type TableView = ResultOf<Calls['getTable']>;
export type TableProof = ResultOf<Calls['getTableRound']>;
export type TableState = TableView['state'];

export function tableGame(code: string): TableGame {
	const game = gameOf(code);
	if (game?.kind !== 'table') throw new Error(`no table game ${code}`);
	return game;
}

/** What the published parts of a round give. */
export function provenOutcome(proof: TableProof): unknown {
	const { game, hash, bettorSeeds, beacon, chain, round } = proof;
	const seeds = { hash: hash ?? '', signature: beacon?.signature ?? null, bettorSeeds, salt: chain.salt };
	return sharedOutcome(tableGame(game), { ...seeds, round: Number(round), returnPercent: chain.returnPercent });
}

/** Resolves when a first shared round has begun: the public log has its chain, whose salt the beacon gave. */
export const firstRound = (server: TestServer): Promise<unknown> =>
	vi.waitFor(async () => expect((await server.call('getCrash', {})).status).toBe(200), { timeout: 20_000 });

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

	/**
	 * Resolves with what the table shows when that is so: its lists are a tenth of a second old at most. Resolves with what
	 * it shows last when the round passes.
	 */
	async shows(isSo: (view: TableView) => boolean, token?: string): Promise<TableView> {
		const { round } = (await this.view()).state;
		for (;;) {
			const view = await this.view(token);
			if (isSo(view) || view.state.round !== round) return view;
			await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		}
	}

	/** Resolves when a round has come to that phase. @param after rounds up to this one are passed over */
	async reached(phase: TableState['phase'], after = 0): Promise<TableState> {
		for (;;) {
			const { state } = await this.view();
			if (state.phase === phase && Number(state.round) > after) return state;
			await phaseLasts(state);
		}
	}

	/** The beginning of a betting window. */
	async opening(): Promise<TableState> {
		return this.reached('BETTING', Number((await this.view()).state.round));
	}

	/** Does something while one round takes bets, and does it again in another round where the window ended too soon. */
	async whileBetting<Done>(act: (round: string) => Promise<Done>): Promise<Done> {
		for (;;) {
			const { round } = await this.opening();
			const done = await act(round);
			const { state } = await this.view();
			if (state.round === round && state.phase === 'BETTING') return done;
			// What came too late waits for the next round, so that one is passed over.
			await this.opening();
		}
	}
}
