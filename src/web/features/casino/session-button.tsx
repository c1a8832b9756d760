import { type ReactElement, Suspense, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { clock } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { lazyPart } from '#ui/lazy-part.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

registerIcons([clock]);

const SessionDialog = lazyPart(async () => ({
	default: (await import('#web/features/casino/session-dialog.tsx')).SessionDialog,
}));

/** Time, result and limits are one press away, whatever is played. */
export function SessionButton(): ReactElement {
	const [isOpen, setOpen] = useState(false);
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
