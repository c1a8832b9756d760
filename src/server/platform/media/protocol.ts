/** The requests of the server to a media process, one at a time, and its answers. */
import * as v from 'valibot';

/**
 * `clean`: converts a file to a picture whose sides have `longestSide` pixels at most. `read`: reads the text on such a picture, within N milliseconds of CPU time.
 */
export type MediaRequest =
	| { kind: 'clean'; bytes: Uint8Array; longestSide: number }
	| { kind: 'read'; bytes: Uint8Array; withinMs: number };

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The process is as untrusted as the bytes that it decodes: an answer of any other shape is ignored. */
export const CleanPicture = v.object({
	/** WebP. */
	bytes: v.instance(Uint8Array),
	width: Count,
	height: Count,
	/** Of the decoded pixels, so it is independent of name and metadata. */
	hash: v.pipe(v.string(), v.maxLength(64)),
});
export type CleanPicture = v.InferOutput<typeof CleanPicture>;

export const PictureFault = v.picklist(['IMAGE_TOO_LARGE', 'IMAGE_NOT_READABLE']);
export type PictureFault = v.InferOutput<typeof PictureFault>;

export const CleanAnswer = v.union([CleanPicture, v.object({ fault: PictureFault })]);
/** Null: there was not enough time. */
export const ReadAnswer = v.nullable(v.array(v.object({ text: v.string(), height: v.number() })));
