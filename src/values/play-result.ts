/** The result of play, as far as it is known. Each market type reads its own fields. */
export interface PlayResult {
	/** Runners that won; in a place market all placed runners. */
	winners?: readonly number[];
	/** Each way: runners placed behind the winner. */
	placed?: readonly number[];
	/** In a place market, the number of places paid if it is lower than announced. */
	places?: number;
	/** Runners that share the places left by the winners. */
	tied?: readonly number[];
	/** The number that a line market or a fancy is about: runs, goals, points, a level. */
	value?: number;
	/** The first side's goals less the second's. */
	margin?: number;
	/** Play stopped before this was decided; `value` is the number reached by then. */
	unfinished?: boolean;
	/** With `unfinished`: play never began. */
	unplayed?: boolean;
}
