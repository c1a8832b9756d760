import { Link, useParams } from '@tanstack/react-router';
import { type ComponentType, type ReactElement, Suspense, useEffect, useState } from 'react';
import { gameOf } from '#games/all-games.ts';
import { Button } from '#ui/button.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { GameHead } from '#web/features/casino/game-head.tsx';
import { markPlayed } from '#web/features/casino/game-marks.ts';
import { PayTable } from '#web/features/casino/pay-table.tsx';
import { useVisit } from '#web/features/casino/use-round.ts';
import { formatSigned } from '#web/format.ts';
import { useSession } from '#web/store/session.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import './games.css';
import './tables.css';

const words = CASINO_TEXTS.frame;

/** Each game's part is loaded when it is opened. */
const SCREENS: Readonly<Record<string, ComponentType>> = {
	crash: lazyPart(async () => ({ default: (await import('#web/features/casino/crash/crash-game.tsx')).CrashGame })),
	'teen-patti-20-20': lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/teen-patti-table.tsx')).TeenPattiTable,
	})),
	'andar-bahar': lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/andar-bahar-table.tsx')).AndarBaharTable,
	})),
	'dragon-tiger': lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/dragon-tiger-table.tsx')).DragonTigerTable,
	})),
	'lucky-7': lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/lucky-seven-table.tsx')).LuckySevenTable,
	})),
	'32-cards': lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/thirty-two-cards-table.tsx')).ThirtyTwoCardsTable,
	})),
	baccarat: lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/baccarat-table.tsx')).BaccaratTable,
	})),
	roulette: lazyPart(async () => ({
		default: (await import('#web/features/casino/tables/roulette-table.tsx')).RouletteTable,
	})),
	mines: lazyPart(async () => ({ default: (await import('#web/features/casino/games/mines-game.tsx')).MinesGame })),
	dice: lazyPart(async () => ({ default: (await import('#web/features/casino/games/dice-game.tsx')).DiceGame })),
	plinko: lazyPart(async () => ({ default: (await import('#web/features/casino/games/plinko-game.tsx')).PlinkoGame })),
	keno: lazyPart(async () => ({ default: (await import('#web/features/casino/games/keno-game.tsx')).KenoGame })),
	limbo: lazyPart(async () => ({ default: (await import('#web/features/casino/games/limbo-game.tsx')).LimboGame })),
	wheel: lazyPart(async () => ({ default: (await import('#web/features/casino/games/wheel-game.tsx')).WheelGame })),
	'hi-lo': lazyPart(async () => ({ default: (await import('#web/features/casino/games/hi-lo-game.tsx')).HiLoGame })),
	'coin-flip': lazyPart(async () => ({
		default: (await import('#web/features/casino/games/coin-flip-game.tsx')).CoinFlipGame,
	})),
	blackjack: lazyPart(async () => ({
		default: (await import('#web/features/casino/games/blackjack-game.tsx')).BlackjackGame,
	})),
};

const ProviderGame = lazyPart(async () => ({
	default: (await import('#web/features/casino/provider-game.tsx')).ProviderGame,
}));
const FairnessDialog = lazyPart(async () => ({
	default: (await import('#web/features/casino/fairness-dialog.tsx')).FairnessDialog,
}));

function Game(): ReactElement {
	const { game: code = '' } = useParams({ strict: false });
	const game = gameOf(code);
	const Screen = SCREENS[code];
	const [isFairnessOpen, setFairnessOpen] = useState(false);
	const { net, rounds } = useVisit();
	useEffect(() => {
		if (game) markPlayed(game.code);
	}, [game]);
	if (!game || !Screen)
		return (
			<Suspense fallback={<Skeleton className="game-waiting" />}>
				<ProviderGame key={code} code={code} />
			</Suspense>
		);
	return (
		<div className="casino" data-game={code}>
			<GameHead name={game.name} note={rounds > 0 && words.session(formatSigned(net), rounds)}>
				{game.kind === 'table' ? (
					<Link to="/fairness" search={{ table: code }} className="button" data-variant="outline" data-size="small">
						{words.fairness}
					</Link>
				) : (
					<Button size="small" variant="outline" onClick={() => setFairnessOpen(true)}>
						{words.fairness}
					</Button>
				)}
			</GameHead>
			<Suspense fallback={<Skeleton className="game-waiting" />}>
				<Screen key={code} />
			</Suspense>
			<PayTable game={game} />
			{isFairnessOpen && (
				<Suspense fallback={null}>
					<FairnessDialog onClose={() => setFairnessOpen(false)} />
				</Suspense>
			)}
		</div>
	);
}

export function GameScreen(): ReactElement {
	const loginCount = useSession((session) => session.loginCount);
	return (
		<CasinoShell>
			{/* The next player has neither the rounds of the one before, nor a request of theirs to repeat. */}
			<Game key={loginCount} />
		</CasinoShell>
	);
}
