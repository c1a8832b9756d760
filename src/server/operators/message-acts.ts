/** Messages to players, by mail and as texts. */
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import type { ListedText } from '#server/people/players/outbox.ts';
import type { ListedMail } from '#server/platform/mail/mail-outbox.ts';
import { Refused } from '#values/error-catalogue.ts';
import { maskedAddress } from '#values/mail-address.ts';

const timeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

const mailView = (
	{ messageId, atMs, to, playerId, kind, state, tries, nextAtMs, reason, mayRetry }: ListedMail,
	{ players }: Pick<OperatorOptions, 'players'>,
) => ({
	messageId,
	at: isoTime(atMs),
	to: maskedAddress(to),
	userName: players.nameOf(playerId),
	kind,
	state,
	deliveredAt: null,
	tries,
	nextAt: timeOrNull(nextAtMs),
	reason,
	mayRetry,
});

const textView = ({ messageId, atMs, mobile, state, deliveredAtMs, tries, reason, mayRetry }: ListedText) => ({
	messageId,
	at: isoTime(atMs),
	to: `••••${mobile.slice(-4)}`,
	userName: null,
	kind: '',
	state,
	deliveredAt: timeOrNull(deliveredAtMs),
	tries,
	nextAt: null,
	reason,
	mayRetry,
});

export const MESSAGE_ACTS: ActsOf<'message-list' | 'message-retry'> = {
	'message-list': async ({ host, channel, state = null, before = null }, parts) => {
		const { brands, mails, outbox } = parts;
		if (!brands.byHost(host)) throw new Refused('UNKNOWN_DOMAIN');
		const asked = { brand: host, state, before };
		return channel === 'MAIL'
			? (await mails.list(asked)).map((mail) => mailView(mail, parts))
			: (await outbox.list(asked)).map(textView);
	},
	'message-retry': async ({ host, channel, messageId }, { mails, outbox }) => {
		const isTaken = await (channel === 'MAIL' ? mails : outbox).retry(host, messageId);
		if (!isTaken) throw new Refused('WRONG_STATE');
		return { messageId };
	},
};
