import { expect, it } from 'vitest';
import { pageLanguage } from '#server/doors/http/page-language.ts';

it.each([
	['the browser’s first', 'hi-IN,hi;q=0.9,en;q=0.8', undefined, 'hi'],
	['the browser’s best liked, wherever it stands', 'en;q=0.4, ta;q=0.9, hi;q=0.7', undefined, 'hi'],
	['none that the browser rejects', 'hi;q=0', undefined, 'en'],
	['the brand’s own, where the browser asks for others', 'ta-IN,fr', undefined, 'en'],
	['the brand’s own, where the browser asks for nothing', undefined, undefined, 'en'],
	['the one that was chosen, whatever the browser asks for', 'hi', 'a=1; language=en', 'en'],
	['no chosen one that is not offered', 'hi', 'language=fr', 'hi'],
	['what it can, of a header that is no list', ';;;q=,=q;hi', undefined, 'en'],
])('a page is in %s', (_, accepted, cookie, language) => {
	const headers = { ...(accepted && { 'accept-language': accepted }), ...(cookie && { cookie }) };
	expect(pageLanguage({ headers }, { languages: ['en', 'hi'], defaultLanguage: 'en' })).toBe(language);
});

it('a page is in a language of the brand, however its setting was written', () => {
	expect(pageLanguage({ headers: {} }, { languages: ['hi'], defaultLanguage: 'en' })).toBe('hi');
});
