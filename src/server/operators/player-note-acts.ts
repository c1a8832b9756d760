/** What the staff note about players, and where players are logged in. */
import type pg from 'pg';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** Of one player. */
const MOST_TAGS = 20;

/** In their order of letters. */
export async function tagsOf(db: Pick<pg.Pool, 'query'>, playerId: PlayerId): Promise<string[]> {
	const { rows } = await db.query<{ tag: string }>('select tag from player_tag where player_id = $1 order by tag', [
		playerId,
	]);
	return rows.map(({ tag }) => tag);
}

/** @throws Refused UNKNOWN_USER */
function knownPlayer({ players }: OperatorOptions, playerId: string): PlayerId {
	if (players.nameOf(Number(playerId)) === null) throw new Refused('UNKNOWN_USER');
	return Number(playerId);
}

/** @throws Refused WRONG_STATE beyond the most tags */
async function addTag({ db }: OperatorOptions, playerId: PlayerId, tag: string, author: string): Promise<void> {
	const tags = await tagsOf(db, playerId);
	if (tags.includes(tag)) return;
	if (tags.length >= MOST_TAGS) throw new Refused('WRONG_STATE', {}, `A player has at most ${MOST_TAGS} tags.`);
	await db.query('insert into player_tag (player_id, tag, at, author) values ($1, $2, $3, $4) on conflict do nothing', [
		playerId,
		tag,
		Date.now(),
		author,
	]);
}

export const PLAYER_NOTE_ACTS: ActsOf<
	'player-note' | 'player-tag' | 'player-logins' | 'player-logins-end' | 'player-unlock' | 'player-factors-reset'
> = {
	'player-note': async ({ playerId, note }, parts, { actor }) => {
		const values = [knownPlayer(parts, playerId), Date.now(), actor, note];
		await parts.db.query('insert into player_note (player_id, at, author, note) values ($1, $2, $3, $4)', values);
		return { noted: true };
	},
	'player-tag': async ({ playerId, tag, on }, parts, { actor }) => {
		const player = knownPlayer(parts, playerId);
		if (on) await addTag(parts, player, tag, actor);
		else await parts.db.query('delete from player_tag where player_id = $1 and tag = $2', [player, tag]);
		return { tags: await tagsOf(parts.db, player) };
	},
	'player-logins': ({ playerId }, parts) => {
		const time = (atMs: number | null) => (atMs === null ? null : isoTime(atMs));
		return parts.players
			.loginsOf(knownPlayer(parts, playerId))
			.map(({ loginId, kind, openedAtMs, address, usedAtMs, endsAtMs }) => ({
				loginId,
				kind,
				openedAt: time(openedAtMs),
				address,
				usedAt: time(usedAtMs),
				endsAt: isoTime(endsAtMs),
			}));
	},
	'player-logins-end': async ({ playerId, loginId }, parts) => ({
		ended: await parts.players.endLogins(knownPlayer(parts, playerId), loginId),
	}),
	'player-unlock': async ({ playerId }, parts, { actor, address }) => {
		await parts.players.unlockByOperator(knownPlayer(parts, playerId), { actor, address });
		return { unlocked: true };
	},
	'player-factors-reset': async ({ playerId }, parts, { actor, address }) => {
		await parts.players.resetFactors(knownPlayer(parts, playerId), { actor, address });
		return { playerId };
	},
};

/** How many passkeys and authenticators a player has. */
async function factorsOf({ players }: OperatorOptions, playerId: PlayerId) {
	const passkeys = await players.passkeys.of(playerId);
	const codesLeft = await players.authenticators.codesLeft(playerId);
	return { passkeys, hasAuthenticator: codesLeft !== null };
}

export const PLAYER_LOGIN_PREVIEWS: PreviewsOf<'player-factors-reset'> = {
	'player-factors-reset': {
		/** Another key that is added meanwhile is another preview: the members confirm what they read. */
		preview: async ({ playerId }, parts) => {
			const id = knownPlayer(parts, playerId);
			const { passkeys, hasAuthenticator } = await factorsOf(parts, id);
			if (passkeys.length === 0 && !hasAuthenticator)
				throw new Refused('WRONG_STATE', {}, 'The player has neither a passkey nor an authenticator.');
			const summary = [
				`Removed of ${parts.players.nameOf(id)}:`,
				...passkeys.map(({ name }) => `The passkey “${name}”.`),
				...(hasAuthenticator ? ['The authenticator app with its recovery codes.'] : []),
				'All log-ins of the player end. The password alone opens the next one.',
			];
			const basis = JSON.stringify([playerId, passkeys.map(({ keyId }) => keyId), hasAuthenticator]);
			return { summary, lines: [], total: 0, sums: [], basis };
		},
		isDone: async ({ playerId }, parts) => {
			const { passkeys, hasAuthenticator } = await factorsOf(parts, Number(playerId));
			return passkeys.length === 0 && !hasAuthenticator;
		},
	},
};
