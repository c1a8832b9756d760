import type { ReactElement, ReactNode } from 'react';

/** Scenes of our own on a field of 240 by 120, drawn from the right edge; the colours come from the theme. */
const SCENES: Record<number, ReactNode> = {
	1: (
		<>
			<path className="scene-ground" d="M70 120 122 22h118v98z" />
			<path className="scene-line" d="M122 22h118M96 71h144M172 22l-18 98M240 40h-40l-8 34h48" />
			<circle className="scene-line" cx="166" cy="71" r="21" />
			<circle className="scene-mark" cx="118" cy="96" r="11" />
			<path className="scene-ink" d="m118 90 5.4 4-2 6.4h-6.8l-2-6.4z" />
		</>
	),
	2: (
		<>
			<path className="scene-ground" d="m60 120 46-86h134v86z" />
			<path className="scene-line" d="m106 34-46 86M128 34l-34 86M100 56h140M82 92h158M172 56v36" />
			<path className="scene-net" d="M84 74h156v12H84z" />
			<circle className="scene-mark" cx="196" cy="34" r="8" />
			<path className="scene-line" d="M150 12c18 2 32 8 40 16" />
		</>
	),
	3: (
		<>
			<ellipse className="scene-ground" cx="180" cy="96" rx="122" ry="46" />
			<ellipse className="scene-line" cx="180" cy="96" rx="88" ry="30" />
			<path className="scene-net" d="m146 120 10-44h46l10 44z" />
			<path className="scene-bar" d="M168 40v40M179 40v40M190 40v40" />
			<path className="scene-bar" d="M166 39h11M181 39h11" />
			<circle className="scene-mark" cx="136" cy="58" r="8" />
			<path className="scene-line" d="M96 34c14 4 24 10 32 18" />
		</>
	),
	25: (
		<>
			<path className="scene-ground" d="m56 120 40-76h144v76z" />
			<path className="scene-line" d="m96 44-40 76M156 44l-20 76M120 44 88 120M200 44l-6 76M96 44h144" />
			<circle className="scene-mark" cx="128" cy="50" r="8" />
			<path className="scene-bar" d="m126 60 8 22 14 10M134 82l-12 18M128 66l20 4" />
			<circle className="scene-net" cx="190" cy="46" r="7" />
			<path className="scene-net-line" d="m189 54-3 24 10 18M186 78l-12 16M188 62l-18 6" />
		</>
	),
	26: (
		<>
			<path className="scene-ground" d="M40 120c30-44 90-62 200-64v64z" />
			<path className="scene-line" d="M70 120c32-34 88-46 170-48M110 120c30-20 72-28 130-29" />
			<path className="scene-bar" d="M206 22v50M206 24h26v18h-26" />
			<path
				className="scene-mark"
				d="M112 78c6-12 18-16 32-15l16-17 5 1 2 8 8 8-4 6-10-3-7 12-2 22h-5l-3-18-18-3-12 22h-6l6-23-7 3-7 17h-5z"
			/>
		</>
	),
	40: (
		<>
			<path className="scene-ground" d="m40 120 44-34 30 14 40-46 28 20 58-58v104z" />
			<path className="scene-line" d="M40 96h200M40 66h200M40 36h200" />
			<path className="scene-bar" d="m40 112 44-34 30 14 40-46 28 20 54-54" />
			<circle className="scene-mark" cx="236" cy="12" r="7" />
		</>
	),
};

export function SportScene({ sportId }: { sportId: number }): ReactElement {
	return (
		<svg viewBox="0 0 240 120" preserveAspectRatio="xMaxYMax slice" aria-hidden="true" className="scene">
			{SCENES[sportId] ?? SCENES[3]}
		</svg>
	);
}
