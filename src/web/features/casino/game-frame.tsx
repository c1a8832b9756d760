import { type ReactElement, type ReactNode, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { resultText } from '#web/features/casino/result-text.ts';
import { movesLess } from '#web/features/casino/reveal.ts';
import type { RoundPlay } from '#web/features/casino/use-round.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

export interface GameFrameProps {
	play: RoundPlay;
	/** What is looked at. */
	stage: ReactNode;
	/** What is chosen, above the stake. */
	controls?: ReactNode;
	/** Its field, which a phone shows with the button whatever else is in sight. */
	stake: ReactNode;
	/** What the button says, and does. */
	action: string;
	onAction: () => void;
	/** Why the button does nothing now; empty when it does. */
	blocked?: string;
	/** A second button beside the first. */
	second?: ReactNode;
	/** The result is read out when the stage has shown it. */
	isRevealed?: boolean;
	/** The result in words, where the definition's own is not for reading. */
	result?: string;
}

/** Every game stands in this frame: the stage, and the panel with its choices and its one wanted action. */
export function GameFrame(props: GameFrameProps): ReactElement {
	const { play, stage, controls, stake, action, onAction, blocked = '', second, isRevealed = true, result } = props;
	const { round, phase, refusal, retry } = play;
	const stageBox = useRef<HTMLDivElement>(null);
	const hasResult = round !== null && round.state !== 'OPEN' && phase === 'idle' && isRevealed;
	const tone = hasResult && round.payout > round.stake ? 'won' : 'plain';
	/** What happens on the stage is seen, also where the panel is longer than a phone. */
	function press(): void {
		stageBox.current?.scrollIntoView({ block: 'nearest', behavior: movesLess() ? 'auto' : 'smooth' });
		onAction();
	}
	return (
		<div className="game-table">
			<div className="game-stage" ref={stageBox}>
				{stage}
				<output className="game-result" data-tone={tone}>
					{hasResult ? `${result ?? round.result} · ${resultText(round)}` : ''}
				</output>
			</div>
			<div className="game-panel">
				{controls}
				<div className="game-go">
					{stake}
					{phase === 'unknown' ? (
						<Button variant="primary" onClick={retry}>
							{CASINO_TEXTS.stake.again}
						</Button>
					) : (
						<div className="game-actions">
							<Button variant="primary" busy={phase === 'pending'} disabled={blocked !== ''} onClick={press}>
								{action}
							</Button>
							{second}
						</div>
					)}
				</div>
				<p className="game-note" role={refusal ? 'alert' : undefined}>
					{phase === 'unknown' ? CASINO_TEXTS.stake.unknown : refusal || (blocked === action ? '' : blocked)}
				</p>
			</div>
		</div>
	);
}
