import type { ReactElement } from 'react';
import { multipleText, percentText } from '#games/fraction.ts';
import { type Game, returnOf, returnsOf } from '#games/game.ts';
import { houseRulesOf } from '#games/house-rules.ts';
import { CURRENCY } from '#web/currency.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.frame;

/** The rules, and every bet with its prizes, chances and return: what the server pays by. */
export function PayTable({ game }: { game: Game }): ReactElement {
	const { worst } = returnsOf(game);
	return (
		<details className="pay-table">
			<summary>{words.rules}</summary>
			<ul>
				{[...game.rules, ...houseRulesOf(game, CURRENCY)].map((rule) => (
					<li key={rule}>{rule}</li>
				))}
				<li>
					{words.atWorst}: {percentText(worst.returns)} ({worst.name}).
				</li>
			</ul>
			<table>
				<thead>
					<tr>
						<th scope="col">{words.bet}</th>
						<th scope="col">{words.pays}</th>
						<th scope="col">{words.chance}</th>
						<th scope="col">{words.returns}</th>
					</tr>
				</thead>
				<tbody>
					{game.bets.map((bet) => (
						<tr key={bet.code}>
							<th scope="row">{bet.name}</th>
							<td>
								{bet.prizes.map(({ name, pays }) => (
									<span key={name}>
										{bet.prizes.length > 1 && `${name} `}
										{multipleText(pays)}
									</span>
								))}
							</td>
							<td>
								{bet.prizes.map(({ name, chance }) => (
									<span key={name}>{percentText(chance)}</span>
								))}
							</td>
							<td>{percentText(returnOf(bet))}</td>
						</tr>
					))}
				</tbody>
			</table>
		</details>
	);
}
