import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.statement;
/** Of kinds whose reference is a number. */
const NUMBERED: Readonly<Record<string, (id: string) => string>> = words.numbered;

/** What a row of the statement is about: a market by its names, a round by its game, what has none by what its number is of. */
export function rowReference({
	kind,
	reference,
	game,
}: {
	kind: string;
	reference: string;
	/** Of a round. */
	game: string | null;
}): string {
	if (game !== null) return words.playedRound(game, reference);
	return reference === '' ? '' : (NUMBERED[kind]?.(reference) ?? reference);
}
