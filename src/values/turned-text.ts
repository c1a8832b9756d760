/**
 * The text on a picture that may lie on its side or upside down. OCR recognizes little of such text, and is unsure of
 * all but its shortest words; it is sure of upright numbers, even beside an unknown script. Server and browsers use the
 * same rules.
 */
import type { TextLine } from '#values/receipt-text.ts';

/** Degrees, clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** Most pictures are upright; most of the others are turned by a quarter. */
const TURNS: readonly Turn[] = [0, 270, 90, 180];

interface ReadText {
	lines: TextLine[];
	/** Characters of long words that the reader is sure of. */
	sureOf: number;
}

const SHORTEST_WORD = 4;
/** The confidence reported by OCR, of 100. */
const SURE = 85;
/** The length of a reference. */
const UPRIGHT_FROM = 12;

/**
 * The lines of the first turn that reads as upright, or else of the best one; null if time ends before either is known.
 * @param readAt reads the picture, turned
 * @param hasTime whether there is time for one more reading
 */
export async function uprightLines(
	readAt: (turn: Turn) => Promise<ReadText>,
	hasTime: () => boolean,
): Promise<TextLine[] | null> {
	let best: ReadText = { lines: [], sureOf: -1 };
	for (const turn of TURNS) {
		if (turn !== 0 && !hasTime()) return null;
		const read = await readAt(turn);
		if (read.sureOf > best.sureOf) best = read;
		if (best.sureOf >= UPRIGHT_FROM) break;
	}
	return best.lines;
}

interface Word {
	text: string;
	confidence: number;
	bbox: { y0: number; y1: number };
}

/** The used part of Tesseract's result. */
interface TesseractPage {
	blocks: readonly { paragraphs: readonly { lines: readonly { text: string; words: readonly Word[] }[] }[] }[] | null;
}

/** The lines of a page from the top down. */
export function linesOf({ blocks }: TesseractPage): ReadText {
	const found = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines));
	const words = found.flatMap((line) => line.words);
	const sure = words.filter(({ text, confidence }) => text.length >= SHORTEST_WORD && confidence >= SURE);
	return {
		lines: found.map((line) => ({ text: line.text.trim(), height: heightOf(line.words) })),
		sureOf: sure.reduce((sum, { text }) => sum + text.length, 0),
	};
}

/** Of the tallest word with a digit; 0 without one. */
const heightOf = (words: readonly Word[]): number =>
	Math.max(0, ...words.filter(({ text }) => /\d/.test(text)).map(({ bbox }) => bbox.y1 - bbox.y0));
