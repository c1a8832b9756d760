/** The seal of a token is checked each time as if it were the first, although the server remembers tokens it has checked. */
import { expect, it } from 'vitest';
import { LoginTokens } from '#server/people/players/login-tokens.ts';

const CLAIM = { loginId: 'abcdefghijklmnopqrstuv', generation: 3 };
const tokens = new LoginTokens('a key for this test');

it('no token that differs from a checked one in a single character is valid', () => {
	const token = tokens.make('access', CLAIM);
	expect(tokens.read('access', token)).toEqual(CLAIM);
	for (let at = 0; at < token.length; at++) {
		const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
		expect(tokens.read('access', changed)).toBe(null);
	}
	expect(tokens.read('access', token)).toEqual(CLAIM);
});

it('a checked access token is no refresh token, nor the reverse', () => {
	const [access, refresh] = [tokens.make('access', CLAIM), tokens.make('refresh', CLAIM)];
	for (let time = 0; time < 2; time++) {
		expect(tokens.read('access', access)).toEqual(CLAIM);
		expect(tokens.read('refresh', refresh)).toEqual(CLAIM);
		expect(tokens.read('refresh', access)).toBe(null);
		expect(tokens.read('access', refresh)).toBe(null);
	}
});

it('goes on reading tokens beyond the number that it remembers', () => {
	const claims = Array.from({ length: 20_010 }, (_, at) => ({ ...CLAIM, generation: at + 1 }));
	const made = claims.map((claim) => tokens.make('access', claim));
	expect(made.map((token) => tokens.read('access', token))).toEqual(claims);
	expect(tokens.read('access', made[0] as string)).toEqual(claims[0]);
});
