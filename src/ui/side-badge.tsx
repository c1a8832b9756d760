import { type ReactElement, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import type { SideProps } from '#ui/side-drawing.tsx';

const SideDrawing = lazyPart(async () => ({ default: (await import('#ui/side-drawing.tsx')).SideDrawing }));

/** The picture of a side beside its name; it adds no information. Its place is kept until the drawings are loaded. */
export function SideBadge(props: SideProps): ReactElement {
	const { size } = props;
	const place = (
		<svg
			viewBox="0 0 32 32"
			aria-hidden="true"
			className="crest flex-none"
			style={size === undefined ? undefined : { width: size, height: size }}
		/>
	);
	return (
		<Suspense fallback={place}>
			<SideDrawing {...props} />
		</Suspense>
	);
}
