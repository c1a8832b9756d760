/** The language of a page: the one chosen on the device, else the first that the browser asks for, else the brand's. */
import type { FastifyRequest } from 'fastify';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { readCookie } from '#server/doors/http/cookies.ts';
import { LANGUAGE_COOKIE, type Language } from '#values/languages.ts';

/** No browser sends a longer header. */
const READ_CHARACTERS = 500;

/** Languages without their regions, most preferred first (RFC 9110, 12.5.4). */
function languagesAsked(header: string): string[] {
	const asked = header
		.slice(0, READ_CHARACTERS)
		.split(',')
		.map((entry) => {
			const [tag = '', weight] = entry.toLowerCase().split(/;\s*q=/);
			return { language: tag.trim().split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
		});
	return asked
		.filter(({ weight }) => weight > 0)
		.sort((one, other) => other.weight - one.weight)
		.map(({ language }) => language);
}

/** Always one of those that the brand offers. */
export function pageLanguage(
	request: Pick<FastifyRequest, 'headers'>,
	{ languages, defaultLanguage }: Pick<DomainSetting, 'languages' | 'defaultLanguage'>,
): Language {
	const wanted = [
		readCookie(request, LANGUAGE_COOKIE),
		...languagesAsked(request.headers['accept-language'] ?? ''),
		defaultLanguage,
	];
	const offered = wanted.flatMap((wish) => languages.find((language) => language === wish) ?? []);
	return offered[0] ?? languages[0] ?? defaultLanguage;
}
