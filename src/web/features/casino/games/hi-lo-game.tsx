import type { ReactElement } from 'react';
import { cardName } from '#games/cards.ts';
import { hundredths, multipleText } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import type { Guess, HiLoShown } from '#games/turns/hi-lo.ts';
import { Button } from '#ui/button.tsx';
import { minorOf } from '#values/money.ts';
import { GameFrame } from '#web/features/casino/game-frame.tsx';
import { Hand } from '#web/features/casino/playing-card.tsx';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { useRound } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.hiLo;
const GUESSES: readonly Guess[] = ['higher', 'same', 'lower'];

const SIGNS: Record<Guess, string> = { higher: '▲', same: '=', lower: '▼' };

export function HiLoGame(): ReactElement {
	const play = useRound('hi-lo');
	const stake = useStake();
	const { round } = play;
	const isOpen = round?.state === 'OPEN';
	const shown = (round?.shown ?? null) as HiLoShown | null;
	const worth = minorOf(payoutOf(round?.stake ?? 0, hundredths(shown?.pays ?? 0)));
	const last = shown?.cards.at(-1);
	const progress = last === undefined ? '' : words.progress(cardName(last), shown?.pays ? formatMoney(worth) : null);
	const blocked = isOpen ? (shown?.pays ? '' : words.guess) : stake.amount === null ? CASINO_TEXTS.stake.whole : '';
	return (
		<GameFrame
			play={play}
			progress={progress}
			action={
				isOpen
					? shown?.pays
						? CASINO_TEXTS.mines.cashOut(formatMoney(worth))
						: words.guess
					: CASINO_TEXTS.stake.bet(formatMoney(stake.amount ?? minorOf(0)))
			}
			blocked={blocked}
			onAction={() =>
				isOpen ? play.act('cash-out') : stake.amount !== null && play.play([{ bet: '', stake: stake.amount }])
			}
			stage={
				<>
					<div className="hi-lo-cards">
						<Hand label={round ? '' : words.start} cards={shown?.cards.slice(-6) ?? []} empty={1} isLarge />
					</div>
					<div className="hi-lo-guesses">
						{GUESSES.map((guess) => {
							const next = isOpen ? shown?.next[guess] : undefined;
							return (
								<Button
									key={guess}
									variant="outline"
									disabled={next === undefined || play.phase !== 'idle'}
									onClick={() => play.act(guess)}
								>
									<span>
										<span aria-hidden="true">{SIGNS[guess]}</span> {words[guess]}
									</span>{' '}
									{next !== undefined && <small>{multipleText(hundredths(next))}</small>}
								</Button>
							);
						})}
					</div>
				</>
			}
			stake={<StakeField stake={stake} refused={play.refusedStake} disabled={play.phase !== 'idle' || isOpen} />}
		/>
	);
}
