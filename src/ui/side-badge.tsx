import { type ReactElement, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';

/**
 * The badge of a side: a team has a crest or its nation's flag, a person initials, a direction of the level an arrow.
 */
type SideKind = 'team' | 'person' | 'rise' | 'fall';

export interface SideBadgeProps {
	name: string;
	kind?: SideKind;
	/** In pixels; otherwise the style sheet's. */
	size?: number;
}

const SideDrawing = lazyPart(async () => ({ default: (await import('#ui/side-drawing.tsx')).SideDrawing }));

/** The picture of a side beside its name; it adds no information. Its place is kept until the drawings are loaded. */
export function SideBadge(props: SideBadgeProps): ReactElement {
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
