import type { ReactElement } from 'react';
import type { BlackjackShown } from '#games/turns/blackjack.ts';
import { Button } from '#ui/button.tsx';
import { minorOf } from '#values/money.ts';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { BlackjackFelt } from '#web/features/casino/games/blackjack-felt.tsx';
import { Hand } from '#web/features/casino/playing-card.tsx';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.blackjack;
/** Beside the wanted action, which is to stand. */
const OTHERS = ['hit', 'double'] as const;

export function BlackjackGame(): ReactElement {
	const play = useRound('blackjack');
	const stake = useStake();
	const { round } = play;
	const isOpen = round?.state === 'OPEN';
	const shown = (round?.shown ?? null) as BlackjackShown | null;
	const won = !isOpen && round !== null && round.payout > round.stake;
	return (
		<GameFrame
			play={play}
			result={shown ? words.result(shown.total, shown.dealerTotal) : ''}
			progress={shown ? words.progress(shown.total, shown.dealerTotal) : ''}
			action={isOpen ? words.stand : CASINO_TEXTS.stake.bet(formatMoney(stake.amount ?? minorOf(0)))}
			blocked={!isOpen && stake.amount === null ? CASINO_TEXTS.stake.whole : ''}
			onAction={() =>
				isOpen ? play.act('stand') : stake.amount !== null && play.play([{ bet: '', stake: stake.amount }])
			}
			second={
				isOpen &&
				OTHERS.filter((action) => round.next.includes(action)).map((action) => (
					<Button key={action} disabled={play.phase !== 'idle'} onClick={() => play.act(action)}>
						{words[action]}
					</Button>
				))
			}
			stage={
				<BlackjackFelt>
					<div className="card-table" key={round?.roundId ?? 'before'}>
						<Hand
							label={words.dealer}
							cards={shown?.dealer ?? []}
							note={shown ? String(shown.dealerTotal) : ''}
							empty={2}
							isLarge
						/>
						<Hand
							label={words.you}
							cards={shown?.player ?? []}
							note={shown ? String(shown.total) : ''}
							isWinner={won}
							empty={2}
							isLarge
						/>
					</div>
				</BlackjackFelt>
			}
			stake={<StakeField stake={stake} refused={play.refusedStake} disabled={play.phase !== 'idle' || isOpen} />}
		/>
	);
}
