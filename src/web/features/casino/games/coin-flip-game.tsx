import { type ReactElement, useState } from 'react';
import { type CoinSide, coinFlip } from '#games/instant/coin-flip.ts';
import { SYMBOL } from '#web/currency.ts';
import { ChoiceRow } from '#web/features/casino/choice-row.tsx';
import { InstantGame, useInstantPlay } from '#web/features/casino/games/instant-game.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.coin;
const FLIP_MS = 700;

export function CoinFlipGame(): ReactElement {
	const instant = useInstantPlay('coin-flip', FLIP_MS);
	const { round } = instant.play;
	const [side, setSide] = useState<CoinSide>('heads');
	return (
		<InstantGame
			instant={instant}
			markOf={({ result }) => result}
			bet={side}
			stage={
				<div
					className="coin motion"
					key={round?.roundId ?? 'before'}
					data-side={String(round?.outcome ?? side)}
					data-flips={round ? true : undefined}
				>
					<span>{SYMBOL}</span>
					<small>{coinFlip.describe((round?.outcome as CoinSide | undefined) ?? side)}</small>
				</div>
			}
			controls={
				<ChoiceRow
					label={words.side}
					choices={coinFlip.bets.map(({ code, name }) => ({ key: code as CoinSide, text: name }))}
					selected={side}
					disabled={instant.isBusy}
					onSelect={setSide}
				/>
			}
		/>
	);
}
