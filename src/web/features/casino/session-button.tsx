import { useQuery } from '@tanstack/react-query';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { clock } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { lazyPart } from '#ui/lazy-part.ts';
import { keepStay } from '#web/store/play-time.ts';
import { protectionQuery } from '#web/store/protection-queries.ts';
import { useSession } from '#web/store/session.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

registerIcons([clock]);

const SessionDialog = lazyPart(async () => ({
	default: (await import('#web/features/casino/session-dialog.tsx')).SessionDialog,
}));

/** A session begins when the casino is opened: no round comes before it. */
function useBegunSession(): void {
	const userId = useSession(({ user }) => user?.userId);
	const { data: protection } = useQuery({
		...protectionQuery(),
		enabled: userId !== undefined,
		staleTime: Number.POSITIVE_INFINITY,
	});
	useEffect(() => {
		if (userId !== undefined && protection) keepStay(userId, protection.netPosition);
	}, [userId, protection]);
}

/** Time, result and limits are one press away, whatever is played. */
export function SessionButton(): ReactElement {
	const [isOpen, setOpen] = useState(false);
	useBegunSession();
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
				<span>{CASINO_TEXTS.session.title}</span>
			</button>
			{isOpen && (
				<Suspense fallback={null}>
					<SessionDialog onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</>
	);
}
