import { type ReactElement, Suspense } from 'react';
import { LoadingOverlay } from '#web/features/brand/loading-overlay.tsx';
import type { ErrorKind } from '#web/features/errors/error-screen.tsx';
import { ErrorScreen } from '#web/routes/lazy-parts.ts';

export function ErrorPage({ kind }: { kind: ErrorKind }): ReactElement {
	return (
		<Suspense fallback={<LoadingOverlay />}>
			<ErrorScreen kind={kind} />
		</Suspense>
	);
}
