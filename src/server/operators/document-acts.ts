/** Acts on players' identity documents. */
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { IdentityDocument } from '#server/money/funds/identity/documents.ts';
import type { ActsOf } from '#server/operators/act.ts';
import { checkAge } from '#server/operators/least-age.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

/** Limit of queue entries; oldest first. */
const MOST_READ = 1000;

/** A document as operators see it in a list. */
export function documentView({ documentId, playerId, kind, masked, imageRefs, state, ...document }: IdentityDocument) {
	const { atMs, decidedAtMs, decidedBy, reason } = document;
	return {
		documentId,
		playerId: String(playerId),
		kind,
		masked,
		pictures: imageRefs.length,
		state,
		at: isoTime(atMs),
		decidedAt: decidedAtMs === null ? null : isoTime(decidedAtMs),
		decidedBy,
		reason,
	};
}

export const DOCUMENT_ACTS: ActsOf<'document-queue' | 'document-show' | 'document-accept' | 'document-reject'> = {
	'document-queue': async (_, { db, funds, players }, { member }) => {
		const waiting = await funds.documents.waiting(MOST_READ, member?.brands ?? null);
		const { rows } = await db.query<{ playerId: number; sum: AnyMinor }>(
			`select wallet_id as "playerId", sum((data ->> 'amount')::bigint)::bigint as sum from workflow
			 where is_open and kind = 'WITHDRAWAL' and state = 'WAITING_FOR_KYC' and wallet_id = any ($1) group by wallet_id`,
			[waiting.map(({ playerId }) => playerId)],
		);
		const sums = new Map(rows.map(({ playerId, sum }) => [playerId, sum]));
		return waiting.map((document) => ({
			...documentView(document),
			who: players.user(document.playerId).userName,
			brand: players.brandOf(document.playerId) ?? '',
			waiting: majorFromMinor(sums.get(document.playerId) ?? 0),
		}));
	},
	'document-show': async ({ playerId, documentId }, { funds }) => {
		const { imageRefs } = await funds.documents.find(Number(playerId), documentId);
		const images = await Promise.all(imageRefs.map((imageRef) => funds.images.find(imageRef, Number(playerId))));
		return {
			number: await funds.documents.numberOf(documentId),
			images: images.map(({ type, bytes }) => `data:${type};base64,${bytes.toString('base64')}`),
		};
	},
	'document-accept': async ({ playerId, documentId, age }, parts, { actor, address }) => {
		checkAge(parts, Number(playerId), age);
		await parts.funds.documents.accept({ playerId: Number(playerId), documentId, by: { actor, address } }, age);
		return { state: 'ACCEPTED' };
	},
	'document-reject': async ({ playerId, documentId, reason }, { funds }, { actor, address }) => {
		await funds.documents.reject({ playerId: Number(playerId), documentId, by: { actor, address } }, reason);
		return { state: 'REJECTED' };
	},
};
