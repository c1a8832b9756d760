/**
 * The count of a tennis match: points, games with a tie-break at six all, and sets. A simulated match and one that a
 * trader scores count by it.
 */
import { tieBreakServer } from '#sports/tennis/tennis-chances.ts';

const RECENT = 20;
const POINTS = ['0', '15', '30', '40'] as const;

export type Player = 0 | 1;
export const other = (player: Player): Player => (player === 0 ? 1 : 0);

interface PointPlayed {
	gameOver: boolean;
	setOver: boolean;
}

export class TennisTally {
	readonly sets: [number, number] = [0, 0];
	/** Games of each set begun. */
	readonly games: [number, number][] = [[0, 0]];
	points: [number, number] = [0, 0];
	/** Winners of the sets played. */
	readonly setWinners: Player[] = [];
	readonly recentPoints: Player[] = [];
	/** The server of this game; in a tie-break the server of its first point. */
	gameServer: Player = 0;
	readonly #setsToWin: number;

	/** @param setsToWin 2 of best of three, 3 of best of five */
	constructor(setsToWin = 2) {
		this.#setsToWin = setsToWin;
	}

	get winner(): Player | null {
		return this.sets[0] === this.#setsToWin ? 0 : this.sets[1] === this.#setsToWin ? 1 : null;
	}
	get isTieBreak(): boolean {
		const [mine, theirs] = this.current;
		return mine === 6 && theirs === 6;
	}
	get server(): Player {
		return this.isTieBreak ? tieBreakServer(this.gameServer, this.points[0] + this.points[1]) : this.gameServer;
	}
	/** Games of this set. */
	get current(): [number, number] {
		return this.games.at(-1) as [number, number];
	}

	/** As players read it: "0", "15", "30", "40", "A"; the count in a tie-break. */
	pointsOf(player: Player): string {
		const [own, others] = [this.points[player], this.points[other(player)]];
		if (this.isTieBreak) return String(own);
		if (own > 3) return own > others ? 'A' : '40';
		return POINTS[own] as string;
	}

	winPoint(taker: Player): PointPlayed {
		this.points[taker]++;
		this.recentPoints.push(taker);
		if (this.recentPoints.length > RECENT) this.recentPoints.shift();
		const enough = this.isTieBreak ? 7 : 4;
		if (this.points[taker] < enough || this.points[taker] - this.points[other(taker)] < 2) {
			return { gameOver: false, setOver: false };
		}
		return { gameOver: true, setOver: this.#winGame(taker) };
	}

	#winGame(player: Player): boolean {
		const current = this.current;
		current[player]++;
		this.points = [0, 0];
		this.gameServer = other(this.gameServer);
		const setOver = current[player] === 7 || (current[player] === 6 && current[other(player)] <= 4);
		if (!setOver) return false;
		this.sets[player]++;
		this.setWinners.push(player);
		if (this.winner === null) this.games.push([0, 0]);
		return true;
	}
}
