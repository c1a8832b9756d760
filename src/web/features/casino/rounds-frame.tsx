/**
 * The frame of shared rounds: the last results with their proofs, a restart's notice, the hash of the previous round.
 */
import { type ComponentType, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Modal } from '#ui/modal.tsx';
import type { MarkOf, SharedRounds, Snapshot } from '#web/features/casino/shared-rounds.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.crash;

/** The look of a result among the last ones. */
interface StripButton {
	text: string;
	/** Its accessible name. */
	said: string;
	side?: string;
	height?: string;
}

/** The last results above a game. */
export interface Strip<Mark> {
	className: string;
	label: string;
	/** The number of displayed results. */
	most: number;
	buttonOf: (mark: Mark) => StripButton;
}

interface RoundsFrameProps<Of extends Snapshot> {
	/** The code of the game. */
	game: string;
	rounds: SharedRounds<Of>;
	strip: Strip<MarkOf<Of>>;
	/** The text about bets that a restart ended. */
	interrupted: string;
	/** Below the game. */
	lists: ReactNode;
	Proof: ComponentType<{ game: string; round: string }>;
	/** The steps of a proof, as text. */
	how?: readonly string[];
	children: ReactNode;
}

export function RoundsFrame<Of extends Snapshot>(props: RoundsFrameProps<Of>): ReactElement {
	const { game, rounds, strip, interrupted, lists, Proof, how = [], children } = props;
	const { use: store, follow } = rounds;
	const [proven, setProven] = useState<string | null>(null);
	const recent: readonly MarkOf<Of>[] | undefined = useStore(store, ({ snapshot }) => snapshot?.recent);
	const round = useStore(store, ({ snapshot }) => snapshot?.state.round ?? '');
	const commitment = useStore(store, ({ snapshot }) => snapshot?.state.commitment ?? '');
	const chain = useStore(store, ({ snapshot }) => snapshot?.chain);
	const beacon = useStore(store, ({ snapshot }) => snapshot?.state.beacon ?? null);
	// The next bet shows that the player has seen it.
	const isInterrupted = useStore(store, ({ mine }) => mine[0]?.isInterrupted ?? false);
	useEffect(() => follow(game), [follow, game]);
	return (
		<>
			<ol className={`game-strip ${strip.className}`} aria-label={strip.label}>
				{(recent ?? []).slice(0, strip.most).map((mark) => {
					const { text, said, side, height } = strip.buttonOf(mark);
					return (
						<li key={mark.round}>
							<button
								type="button"
								data-side={side}
								data-height={height}
								aria-label={said}
								onClick={() => setProven(mark.round)}
							>
								{text}
							</button>
						</li>
					);
				})}
				{recent?.length === 0 && <li className="round-strip-empty">{CASINO_TEXTS.tables.none}</li>}
			</ol>
			{children}
			{isInterrupted && <p className="proof-warning">{interrupted}</p>}
			{lists}
			<p className="round-commitment">
				{words.commitment(round)} <code>{commitment}</code>{' '}
				{beacon && CASINO_TEXTS.beacon.announced(CASINO_TEXTS.beacon.names[beacon.name], beacon.round)}{' '}
				{chain?.isDevelopment && (chain.beacon ? CASINO_TEXTS.beacon.local : words.development)}
			</p>
			{proven !== null && (
				<Modal
					open
					sheet
					title={words.proof.title(proven)}
					closeLabel={TEXTS.app.close}
					onClose={() => setProven(null)}
				>
					{how.length > 0 && (
						<ol className="fair-how">
							{how.map((step) => (
								<li key={step}>{step}</li>
							))}
						</ol>
					)}
					<Suspense fallback={null}>
						<Proof game={game} round={proven} />
					</Suspense>
				</Modal>
			)}
		</>
	);
}
