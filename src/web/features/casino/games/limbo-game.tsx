import { type ReactElement, useId, useState } from 'react';
import { hundredths, multipleText, NONE, percentText } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import { limbo } from '#games/instant/limbo.ts';
import { minorOf } from '#values/money.ts';
import { latin } from '#values/read-amount.ts';
import { InstantGame, useInstantPlay } from '#web/features/casino/games/instant-game.tsx';
import { isWin } from '#web/features/casino/result-text.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.limbo;

/** "2.5" and "2.50" are 250 hundredths; null for what is no target. */
function centsOf(text: string): number | null {
	const [, units = '', cents = ''] = /^(\d{1,5})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
	return units === '' ? null : Number(units) * 100 + Number(cents.padEnd(2, '0'));
}

export function LimboGame(): ReactElement {
	const instant = useInstantPlay('limbo', 250);
	const { round } = instant.play;
	const id = useId();
	const [text, setText] = useState('2.00');
	const cents = centsOf(text);
	const bet = cents === null ? null : limbo.betOf(`target-${cents}`);
	const chance = bet?.prizes[0]?.chance;
	return (
		<InstantGame
			instant={instant}
			markOf={({ result }) => result}
			bet={bet?.code ?? null}
			missing={limbo.rules[2] ?? ''}
			stage={
				<>
					<p className="limbo-number" data-won={(round && isWin(round)) || undefined}>
						{multipleText(hundredths(round ? Number(round.outcome) : 100))}
					</p>
					<dl className="game-facts">
						<div>
							<dt>{words.target}</dt>
							<dd>{cents === null ? '–' : multipleText(hundredths(cents))}</dd>
						</div>
						<div>
							<dt>{words.chance}</dt>
							<dd>{chance ? percentText(chance) : '–'}</dd>
						</div>
						<div>
							<dt>{CASINO_TEXTS.dice.wins}</dt>
							<dd>{formatMoney(minorOf(payoutOf(instant.stake.amount ?? 0, bet?.prizes[0]?.pays ?? NONE)))}</dd>
						</div>
					</dl>
				</>
			}
			controls={
				<div className="stake-field">
					<label htmlFor={id}>{words.target}</label>
					<div className="field-box">
						<input
							id={id}
							inputMode="decimal"
							autoComplete="off"
							value={text}
							disabled={instant.isBusy}
							aria-invalid={bet === null || undefined}
							onChange={({ target }) => setText(latin(target.value).replace(/[^\d.]/g, ''))}
						/>
						<span aria-hidden="true">×</span>
					</div>
				</div>
			}
		/>
	);
}
