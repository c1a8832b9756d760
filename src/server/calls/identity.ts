import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { openWorkflowsOf } from '#server/exchange/recovery/stored-workflows.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';

const time = (atMs: number | null | undefined): string | null => (atMs ? isoTime(atMs) : null);

async function view({ funds, db }: Parts, caller: Caller): Promise<ResultOf<Calls['getIdentity']>> {
	const { playerId } = playerOf(caller);
	const [open, documents] = await Promise.all([openWorkflowsOf(db, playerId), funds.documents.of(playerId)]);
	return {
		verifiedAt: time(funds.protection.of(playerId).identifiedAtMs),
		waiting: open.flatMap(({ kind, id, state, data }) =>
			kind === 'WITHDRAWAL' && state === 'WAITING_FOR_KYC'
				? [{ id: `WITHDRAWAL-${id}`, amount: majorFromMinor(data.amount), reason: data.identity ?? null }]
				: [],
		),
		rules: caller.visitor.brand.setting.funds.identity,
		documents: documents.map(({ documentId, kind, masked, imageRefs, state, atMs, decidedAtMs, reason }) => ({
			id: documentId,
			kind,
			number: masked,
			pictures: imageRefs.length,
			status: state,
			submittedAt: isoTime(atMs),
			decidedAt: time(decidedAtMs),
			reason: reason ?? '',
		})),
	};
}

export const identityHandlers = (parts: Parts): HandlersOf<'getIdentity' | 'submitDocument'> => ({
	getIdentity: (_, caller) => view(parts, caller),
	submitDocument: async ({ clientRequestId, ...document }, caller) => {
		const { playerId, isDemo } = playerOf(caller);
		if (isDemo) throw new Refused('FORBIDDEN');
		await parts.funds.documents.submit(playerId, document, clientRequestId);
		return await view(parts, caller);
	},
});
