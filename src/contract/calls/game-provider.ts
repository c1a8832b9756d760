import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { GameCode } from '#contract/calls/casino.ts';
import { Id } from '#contract/fields.ts';

/** A launch token opens the game at the address once, within a minute. */
const Launched = v.object({ token: v.string(), url: v.string(), expireInSeconds: v.number() });

const AtDoor = v.strictObject({ casinoToken: v.pipe(v.string(), v.maxLength(200)), gameCode: GameCode });

export const casinoLogin = defineCall({
	method: 'POST',
	path: 'login',
	host: 'casino',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	summary: 'Exchanges the casino token for a launch token of a provider with a log-in.',
	request: AtDoor,
	response: Launched,
});

export const casinoToken = defineCall({
	method: 'POST',
	path: 'api/token',
	host: 'casino',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	summary: 'Exchanges the casino token for a launch token of a provider with a token.',
	request: AtDoor,
	response: Launched,
});

export const getGameUrl = defineCall({
	method: 'POST',
	path: 'api/Casino/GetGameUrl',
	auth: 'player',
	quiet: true,
	summary: 'The address at which the player plays a game, by its code, its number and the country.',
	request: v.strictObject({
		userId: Id,
		gameCode: GameCode,
		gameId: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, 'The game is not valid.')),
		country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'The country has two letters.')),
	}),
	response: v.object({ url: v.string() }),
});
