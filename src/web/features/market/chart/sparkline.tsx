/** The last hour of one runner's price, 40 by 16 pixels beside its name. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { HOUR_MS } from '#values/time.ts';
import { pathOf, priceChart } from '#web/betting/price-lines.ts';
import { priceHistoryQuery } from '#web/store/market-queries.ts';

const WIDTH = 40;
const HEIGHT = 16;

export function Sparkline({ marketId, runnerId }: { marketId: string; runnerId: string }): ReactElement {
	const { data: history } = useQuery(priceHistoryQuery(marketId));
	const own = history?.runners.filter((runner) => runner.runnerId === runnerId) ?? [];
	const until = Date.parse(own[0]?.points.at(-1)?.at ?? '');
	const isLong = until - Date.parse(own[0]?.points[0]?.at ?? '') > HOUR_MS;
	const chart = Number.isNaN(until) ? null : priceChart({ runners: own }, [runnerId], isLong ? '1h' : 'all', until);
	const [line] = chart?.lines ?? [];
	const y = (chance: number) =>
		chart ? 1 + (1 - (chance - chart.low) / Math.max(1, chart.high - chart.low)) * (HEIGHT - 2) : 0;
	return (
		<svg
			className="sparkline"
			width={WIDTH}
			height={HEIGHT}
			aria-hidden="true"
			data-rise={(line && line.now > line.before + 0.5) || undefined}
			data-fall={(line && line.now < line.before - 0.5) || undefined}
		>
			{line && <path d={pathOf(line, WIDTH, y)} />}
		</svg>
	);
}
