/** `GET /manifest.webmanifest`: makes the brand's site an app that can be installed. */
import type { FastifyInstance } from 'fastify';
import { pictureTypeOf } from '#contract/brand-picture.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { brandOf } from '#server/doors/http/request-brand.ts';

/** The page's own background in either theme, shown while the app starts. */
export const SURFACE = { dark: '#0a0d10', light: '#e9edf1' } as const;
const SHORT_NAME = 12;

/** A favicon that comes with the site has pictures of each size beside it, and one brand has screenshots. */
const OWN_FAVICON = /^(\/brands\/[\w-]+\/)favicon\.svg$/;
const SCREENSHOTS_OF = '/brands/backlay/';

const png = (folder: string, name: string, size: number, purpose: 'any' | 'maskable') => ({
	src: `${folder}${name}-${size}.png`,
	sizes: `${size}x${size}`,
	type: 'image/png',
	purpose,
});

/** Launchers take the size that they need, and cut the maskable one to their own shape. */
function iconsOf(favicon: string) {
	const vector = { src: favicon, ...pictureTypeOf(favicon), purpose: 'any' };
	const folder = OWN_FAVICON.exec(favicon)?.[1];
	if (folder === undefined) return [vector];
	return [
		vector,
		...[180, 192, 512].map((size) => png(folder, 'icon', size, 'any')),
		...[192, 512].map((size) => png(folder, 'maskable', size, 'maskable')),
	];
}

const screenshotsOf = (favicon: string) =>
	favicon.startsWith(SCREENSHOTS_OF)
		? [
				{ src: `${SCREENSHOTS_OF}screen-phone.webp`, sizes: '780x1688', type: 'image/webp', form_factor: 'narrow' },
				{ src: `${SCREENSHOTS_OF}screen-wide.webp`, sizes: '1440x900', type: 'image/webp', form_factor: 'wide' },
			]
		: [];

/** After the W3C's Web Application Manifest. */
function brandManifest({ domainTitle, description, favicon, theme, themeTokens, locale }: DomainSetting) {
	const background = themeTokens['surface-0'] ?? SURFACE[theme];
	return {
		id: '/',
		name: domainTitle,
		short_name: domainTitle.length > SHORT_NAME ? (domainTitle.split(' ')[0] ?? domainTitle) : domainTitle,
		description,
		lang: locale,
		start_url: '/matchlist/3',
		scope: '/',
		display: 'standalone',
		background_color: background,
		theme_color: background,
		icons: iconsOf(favicon),
		screenshots: screenshotsOf(favicon),
		shortcuts: [
			{ name: 'In-Play', url: '/inplay' },
			{ name: 'Favourites', url: '/favorites' },
			{ name: 'Open bets', url: '/open-bets' },
			{ name: 'Casino', url: '/casino' },
		],
	};
}

export function manifestRoute(server: FastifyInstance): void {
	server.get('/manifest.webmanifest', (request, reply) =>
		reply
			.type('application/manifest+json; charset=utf-8')
			.header('Cache-Control', 'no-cache')
			.send(JSON.stringify(brandManifest(brandOf(request).setting))),
	);
}
