import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactElement } from 'react';
import { teamColours } from '#ui/side-drawing.tsx';
import { pathOf, priceChart } from '#web/betting/price-lines.ts';
import { priceHistoryQuery } from '#web/store/market-queries.ts';
import { TEXTS } from '#web/texts.ts';

const WIDTH = 240;
const HEIGHT = 72;

/** Half of the height is a chance of one half, whatever was traded. */
const yOf = (chance: number): number => HEIGHT * (1 - chance / 100);

/** The history of both sides' chances, by trades; empty before the first one. */
export function ChanceLines({
	marketId,
	sides,
}: {
	marketId: string;
	sides: readonly { runnerId: string; name: string }[];
}): ReactElement {
	const { data: history } = useQuery(priceHistoryQuery(marketId));
	const nameOf = new Map(sides.map(({ runnerId, name }) => [runnerId, name]));
	const own = history?.runners.filter(({ runnerId }) => nameOf.has(runnerId)) ?? [];
	const until = Math.max(...own.flatMap(({ points }) => points.slice(-1).map(({ at }) => Date.parse(at))));
	const lines = Number.isFinite(until) ? priceChart({ runners: own }, [...nameOf.keys()], 'all', until).lines : [];
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			preserveAspectRatio="none"
			role="img"
			aria-label={TEXTS.hero.chart}
			className="hero-chart"
		>
			<path className="hero-half" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
			{lines.map((line) => (
				<path
					key={line.runnerId}
					className="hero-line"
					style={{ '--team': teamColours(nameOf.get(line.runnerId) ?? '')[0] } as CSSProperties}
					d={pathOf(line, WIDTH, yOf)}
				/>
			))}
		</svg>
	);
}
