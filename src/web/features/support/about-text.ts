import type { TicketSubjectKind } from '#values/tickets.ts';
import type { InboxRow } from '#web/store/inbox-queries.ts';
import { SUPPORT_TEXTS } from '#web/texts/more.ts';

/** What of the player's own a message is about. */
export const aboutText = ({ kind, id }: { kind: TicketSubjectKind; id: string }): string =>
	SUPPORT_TEXTS.about[kind](id);

/** Whose turn it is, or by when ours. */
export function dueText({ kind, dueAt }: Pick<InboxRow, 'kind' | 'dueAt'>, format: (iso: string) => string): string {
	if (dueAt === null) return '';
	return kind === 'COMPLAINT' ? SUPPORT_TEXTS.dueComplaint(format(dueAt)) : SUPPORT_TEXTS.due(format(dueAt));
}
