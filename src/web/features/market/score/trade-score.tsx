import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { formatNumber } from '#web/format.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

/** The level against its open, and its remaining time. */
export function TradeScore({ score }: { score: ScoreOf<'trade'> }): ReactElement {
	const change = score.level - score.openLevel;
	const percent = (change / score.openLevel) * 100;
	const sign = change >= 0 ? '+' : '−';
	return (
		<dl className="level-figures">
			<div>
				<dt>
					{score.instrument}, {score.unit}
				</dt>
				<dd className="text-lg">{formatNumber(score.level)}</dd>
			</div>
			<div>
				<dt>{words.change}</dt>
				<dd className={change >= 0 ? 'text-profit' : 'text-loss'}>
					{sign}
					{formatNumber(Math.abs(change))} ({sign}
					{Math.abs(percent).toFixed(2)} %)
				</dd>
			</div>
			<div>
				<dt>{words.open}</dt>
				<dd>{formatNumber(score.openLevel)}</dd>
			</div>
		</dl>
	);
}
