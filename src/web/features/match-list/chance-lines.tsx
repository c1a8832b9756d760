import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactElement } from 'react';
import { teamColours } from '#ui/side-badge.tsx';
import type { Price } from '#values/price-ladder.ts';
import { priceHistoryQuery } from '#web/store/market-queries.ts';
import { TEXTS } from '#web/texts.ts';

const WIDTH = 240;
const HEIGHT = 72;

interface Point {
	at: string;
	price: Price;
}

/** A step line of the chance that a price stands for: 2.00 is half of the height. */
function lineOf(points: readonly Point[], from: number, to: number): string {
	const span = Math.max(1, to - from);
	let path = '';
	for (const { at, price } of points) {
		const x = Math.round(((Date.parse(at) - from) / span) * WIDTH);
		const y = Math.round(HEIGHT * (1 - 100 / price));
		path += path === '' ? `M${x} ${y}` : `H${x}V${y}`;
	}
	return `${path}H${WIDTH}`;
}

/** How the chances of both sides went, by what was traded; empty until something was. */
export function ChanceLines({
	marketId,
	sides,
}: {
	marketId: string;
	sides: readonly { runnerId: string; name: string }[];
}): ReactElement {
	const { data } = useQuery(priceHistoryQuery(marketId));
	const traded = sides.flatMap(({ runnerId, name }) => {
		const points = data?.runners.find((runner) => runner.runnerId === runnerId)?.points ?? [];
		return points.length > 1 ? [{ name, points }] : [];
	});
	const times = traded.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
	const [from, to] = [Math.min(...times), Math.max(...times)];
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			preserveAspectRatio="none"
			role="img"
			aria-label={TEXTS.hero.chart}
			className="hero-chart"
		>
			<path className="hero-half" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
			{traded.map(({ name, points }) => (
				<path
					key={name}
					className="hero-line"
					style={{ '--team': teamColours(name)[0] } as CSSProperties}
					d={lineOf(points, from, to)}
				/>
			))}
		</svg>
	);
}
