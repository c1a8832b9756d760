/** Pictures of a brand that operators upload: the fields that show them, their names, and their bounds. */
import type { DomainSetting } from '#contract/domain-setting.ts';

/** The fields of a setting that take an uploaded picture, with the longest side at which it is kept, in pixels. */
export const PICTURE_SIDES = {
	mainLogo: 800,
	mainLogoLight: 800,
	favicon: 512,
	authLogoImage: 800,
	authLogoImageLight: 800,
	authBackgroundImage: 2_000,
	heroImage: 2_000,
} as const satisfies { readonly [Field in keyof DomainSetting]?: number };

export type PictureField = keyof typeof PICTURE_SIDES;
export const PICTURE_FIELDS = Object.keys(PICTURE_SIDES) as PictureField[];

/** Limit of one picture after it is encoded again: an answer of the bus holds it as base64. */
export const LARGEST_BRAND_PICTURE_BYTES = 512 * 1024;
/** Limits of a brand's pictures together, those of its earlier versions included. */
export const MOST_BRAND_PICTURES = 100;
/** How long a picture is served after the last setting that showed it was replaced. */
export const PICTURE_KEPT_DAYS = 30;

const FOLDER = '/pictures/';
/** A digest, 32 bytes in base64url, and the size. */
const NAME = /^[\w-]{43}-([1-9]\d{0,3})x([1-9]\d{0,3})\.webp$/;

export const isPictureName = (name: string): boolean => NAME.test(name);

/** The path that a setting has for an uploaded picture. @param hash 32 bytes in base64url */
export const picturePath = ({ hash, width, height }: { hash: string; width: number; height: number }): string =>
	`${FOLDER}${hash}-${width}x${height}.webp`;

/** The name of an uploaded picture; null for any other path, such as a picture that comes with the site. */
export function pictureNameOf(path: string): string | null {
	const name = path.startsWith(FOLDER) ? path.slice(FOLDER.length) : '';
	return isPictureName(name) ? name : null;
}

/** The type and the size of a picture, as a manifest names them. */
export function pictureTypeOf(path: string): { type: string; sizes: string } {
	const [, width, height] = NAME.exec(pictureNameOf(path) ?? '') ?? [];
	if (width !== undefined) return { type: 'image/webp', sizes: `${width}x${height}` };
	return { type: 'image/svg+xml', sizes: 'any' };
}

/** The names of the uploaded pictures that a setting shows. */
export function picturesOf(setting: Pick<DomainSetting, PictureField | 'slides'>): string[] {
	const paths = [...PICTURE_FIELDS.map((field) => setting[field]), ...setting.slides.map(({ image }) => image)];
	return [...new Set(paths.flatMap((path) => pictureNameOf(path) ?? []))];
}
