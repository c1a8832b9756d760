/**
 * The text on a picture that may lie on its side or upside down. Readers make little of such text, and are unsure of it;
 * of upright text they are sure. Server and browsers read alike.
 */
import type { TextLine } from '#values/receipt-text.ts';

/** Degrees, clockwise. */
export type Turn = 0 | 90 | 180 | 270;

export interface ReadText {
	lines: TextLine[];
	/** The reader's own, of 100. */
	confidence: number;
}

/** What a reader is as sure of as this is upright: receipts are read with 65 to 95, those on their side with 0 to 40. */
const UPRIGHT_CONFIDENCE = 55;
/** Most pictures stand; of the others most were turned by a quarter. */
const TURNS: readonly Turn[] = [0, 270, 90, 180];

/**
 * The lines of the first turn that is read with confidence, or else of the best one.
 * @param readAt reads the picture, turned
 * @param hasTime whether there is time for one more reading
 */
export async function uprightLines(
	readAt: (turn: Turn) => Promise<ReadText>,
	hasTime: () => boolean,
): Promise<TextLine[]> {
	let best: ReadText = { lines: [], confidence: -1 };
	for (const turn of TURNS) {
		if (turn !== 0 && !hasTime()) break;
		const read = await readAt(turn);
		if (read.confidence > best.confidence) best = read;
		if (best.confidence >= UPRIGHT_CONFIDENCE) break;
	}
	return best.lines;
}

interface Box {
	bbox: { y0: number; y1: number };
}

/** What is needed of Tesseract's result. */
export interface TesseractPage {
	confidence: number;
	blocks:
		| readonly {
				paragraphs: readonly { lines: readonly { text: string; words: readonly (Box & { text: string })[] }[] }[];
		  }[]
		| null;
}

/** The lines of a page from the top down. */
export const linesOf = ({ confidence, blocks }: TesseractPage): ReadText => ({
	confidence,
	lines: (blocks ?? [])
		.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
		.map(({ text, words }) => ({
			text: text.trim(),
			height: Math.max(0, ...words.filter(({ text }) => /\d/.test(text)).map(({ bbox }) => bbox.y1 - bbox.y0)),
		})),
});
