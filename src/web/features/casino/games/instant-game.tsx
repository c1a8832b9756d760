/** The common part of games with one bet and one result: a stake, a bet by its code, and a stage. */
import type { ReactElement, ReactNode } from 'react';
import { minorOf } from '#values/money.ts';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { type Stake, StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { type RoundPlay, useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import type { CasinoRecord } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

interface InstantPlay {
	play: RoundPlay;
	stake: Stake;
	isBusy: boolean;
}

/** @param revealMs how long the stage takes to show a result */
export function useInstantPlay(game: string, revealMs: number): InstantPlay {
	const play = useRound(game, () => revealMs);
	const stake = useStake();
	return { play, stake, isBusy: play.phase !== 'idle' };
}

export function InstantGame({
	instant: { play, stake, isBusy },
	bet,
	missing = '',
	markOf,
	result,
	stage,
	controls,
}: {
	instant: InstantPlay;
	/** Its code; null if none is chosen, with the reason in `missing`. */
	bet: string | null;
	missing?: string;
	markOf?: ((round: CasinoRecord) => string) | undefined;
	/** The result as text, if the definition's own is not readable. */
	result?: string;
	stage: ReactNode;
	controls: ReactNode;
}): ReactElement {
	const blocked = bet === null ? missing : stake.amount === null ? CASINO_TEXTS.stake.whole : '';
	return (
		<GameFrame
			play={play}
			markOf={markOf}
			{...(result === undefined ? {} : { result })}
			action={CASINO_TEXTS.stake.bet(formatMoney(stake.amount ?? minorOf(0)))}
			blocked={blocked}
			onAction={() => bet !== null && stake.amount !== null && play.play([{ bet, stake: stake.amount }])}
			stage={stage}
			controls={controls}
			stake={<StakeField stake={stake} refused={play.refusedStake} disabled={isBusy} />}
		/>
	);
}
