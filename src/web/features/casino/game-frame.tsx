import { type KeyboardEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { useFocusOn } from '#ui/refused-focus.ts';
import { movesLess } from '#web/features/casino/moves-less.ts';
import { OwnRounds } from '#web/features/casino/own-rounds.tsx';
import { isWin, resultText } from '#web/features/casino/result-text.ts';
import { useCycleWait } from '#web/features/casino/round-cycle.ts';
import { SeedLine } from '#web/features/casino/seed-facts.tsx';
import { NOTE_ID } from '#web/features/casino/stake-field.tsx';
import { useSteadyPress } from '#web/features/casino/steady-press.ts';
import type { RoundPlay } from '#web/features/casino/use-round.ts';
import type { CasinoRecord } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

interface GameFrameProps {
	play: RoundPlay;
	/** The stage. */
	stage: ReactNode;
	/** The choices above the stake. */
	controls?: ReactNode;
	/** Its field, which a phone always shows together with the button. */
	stake: ReactNode;
	/** The label and the action of the button. */
	action: string;
	onAction: () => void;
	/** Why the button is disabled, shown on the button; empty if it is not. */
	blocked?: string;
	/** A second button beside the first. */
	second?: ReactNode;
	/** The state of an open round as text; it is read out. */
	progress?: string;
	/** The result as text, if the definition's own is not readable. */
	result?: string;
	/** The label of a round among the last ones; its multiple by default. */
	markOf?: ((round: CasinoRecord) => string) | undefined;
}

/** A key that is held down is one press. */
function onePressEach(event: KeyboardEvent<HTMLButtonElement>): void {
	if (event.repeat) event.preventDefault();
}

/** The frame of every game: the stage, and the panel with its choices and its one primary action. */
export function GameFrame(props: GameFrameProps): ReactElement {
	const { play, stage, controls, stake, action, onAction, blocked = '', second, progress = '', result, markOf } = props;
	const { game, round, isRevealed, ended, phase, refusal, refusedStake, retry } = play;
	const stageBox = useRef<HTMLDivElement>(null);
	const go = useFocusOn<HTMLDivElement>(refusedStake);
	const isOpen = round?.state === 'OPEN';
	const meaning = phase === 'unknown' ? 'again' : isOpen ? 'act' : 'play';
	const isSteady = useSteadyPress(phase === 'loading' || phase === 'pending' ? null : meaning);
	const hasResult = round !== null && !isOpen && phase === 'idle' && isRevealed;
	const waitS = useCycleWait(round);
	const reason = blocked === '' && !isOpen && waitS > 0 ? CASINO_TEXTS.stake.wait(waitS) : blocked;
	const tone = hasResult && isWin(round) ? 'won' : 'plain';
	/** The stage stays visible, even if the panel is longer than a phone. */
	function press(): void {
		if (!isSteady()) return;
		stageBox.current?.scrollIntoView({ block: 'nearest', behavior: movesLess() ? 'auto' : 'smooth' });
		onAction();
	}
	return (
		<>
			<OwnRounds game={game} ended={ended} markOf={markOf} />
			<div className="game-table">
				<div className="game-stage" ref={stageBox}>
					{stage}
					<output className="game-result" data-tone={tone}>
						{hasResult ? `${result ?? round.result} · ${resultText(round)}` : isOpen ? progress : ''}
					</output>
				</div>
				<div className="game-panel" data-go>
					{controls}
					<div className="game-go" ref={go}>
						{stake}
						{phase === 'unknown' ? (
							<Button variant="primary" onClick={retry}>
								{CASINO_TEXTS.stake.again}
							</Button>
						) : (
							<div className="game-actions">
								<Button
									variant="primary"
									busy={phase === 'pending' || phase === 'loading'}
									disabled={reason !== ''}
									onKeyDown={onePressEach}
									onClick={press}
								>
									{reason || action}
								</Button>
								{second}
							</div>
						)}
					</div>
					<p id={NOTE_ID} className="game-note" role={refusal ? 'alert' : undefined}>
						{phase === 'unknown' ? CASINO_TEXTS.stake.unknown : refusal}
					</p>
				</div>
			</div>
			<SeedLine />
		</>
	);
}
