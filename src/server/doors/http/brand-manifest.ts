/** `GET /manifest.webmanifest`: makes the brand's site an app that can be installed. */
import type { FastifyInstance } from 'fastify';
import { pictureTypeOf } from '#contract/brand-picture.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { brandOf } from '#server/doors/http/request-brand.ts';

/** The page's own background in either theme, shown while the app starts. */
export const SURFACE = { dark: '#0a0d10', light: '#e9edf1' } as const;
const SHORT_NAME = 12;

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
		icons: [{ src: favicon, ...pictureTypeOf(favicon), purpose: 'any' }],
		shortcuts: [
			{ name: 'In-Play', url: '/inplay' },
			{ name: 'Favourites', url: '/favorites' },
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
