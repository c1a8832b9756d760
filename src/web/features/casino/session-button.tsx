import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { hoursMinutesSeconds } from '#ui/duration-text.ts';
import { toneOf } from '#ui/figures.tsx';
import { Icon } from '#ui/icon.tsx';
import { clock } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { lazyPart } from '#ui/lazy-part.ts';
import { minorOf } from '#values/money.ts';
import { useVisit } from '#web/features/casino/use-round.ts';
import { formatSigned } from '#web/format.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { keepStay } from '#web/store/play-time.ts';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { useSession } from '#web/store/session.ts';
import { useElapsed } from '#web/store/use-countdown.ts';
import { useStay } from '#web/store/use-stay.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

registerIcons([clock]);

const SessionDialog = lazyPart(async () => ({
	default: (await import('#web/features/casino/session-dialog.tsx')).SessionDialog,
}));

/** A session begins when the casino is opened: no round comes before it. */
function useBegunSession(): { userId: string; protection: Protection } | null {
	const userId = useSession(({ user }) => user?.userId);
	const { data: protection } = useQuery({
		...protectionQuery(),
		enabled: userId !== undefined,
		staleTime: Number.POSITIVE_INFINITY,
	});
	useEffect(() => {
		if (userId !== undefined && protection) keepStay(userId, protection);
	}, [userId, protection]);
	return userId !== undefined && protection ? { userId, protection } : null;
}

/** The time since the session's start, and its net position: asked again after each round that was shown. */
function SessionFigures({ userId, protection }: { userId: string; protection: Protection }): ReactElement {
	const { netPosition } = protection;
	const [stay] = useStay(userId, protection);
	const elapsed = useElapsed(stay.startedAtMs);
	const rounds = useVisit((visit) => visit.rounds);
	const queries = useQueryClient();
	useEffect(() => {
		if (rounds > 0) void queries.invalidateQueries({ queryKey: protectionQuery().queryKey });
	}, [rounds, queries]);
	const net = minorOf(netPosition - stay.netPosition);
	return (
		<span className="session-figures">
			{hoursMinutesSeconds(elapsed)} <span className={`text-${toneOf(net) ?? 'text'}`}>{formatSigned(net)}</span>
		</span>
	);
}

/** Time, result and limits are one press away, whatever is played; time and result are in sight where the law asks it. */
export function SessionButton(): ReactElement {
	const [isOpen, setOpen] = useState(false);
	const begun = useBegunSession();
	const { sessionFigures } = useBrandRules();
	return (
		<>
			<button
				type="button"
				className="button session-button"
				data-variant="outline"
				data-size="small"
				onClick={() => setOpen(true)}
			>
				<Icon solid>clock</Icon>
				{sessionFigures === 'in-sight' && begun ? (
					<SessionFigures key={begun.userId} {...begun} />
				) : (
					<span>{CASINO_TEXTS.session.title}</span>
				)}
			</button>
			{isOpen && (
				<Suspense fallback={null}>
					<SessionDialog onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</>
	);
}
