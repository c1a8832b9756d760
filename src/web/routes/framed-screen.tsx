import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Fragment, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import { NewsLine } from '#web/features/brand/news-line.tsx';
import { Frame } from '#web/features/frame/frame.tsx';
import { useSheetEntry } from '#web/features/frame/use-sheet-entry.ts';
import {
	BetSlip,
	DockedLadder,
	HeldMoneyDialog,
	ImageSlider,
	LimitQuestion,
	LiveHero,
	loadAhead,
	MenuModal,
	OpenBets,
	PasswordDialog,
	PositionPart,
	SearchDialog,
	SiteFooter,
	TermsDialog,
	Watchers,
	WelcomeModal,
} from '#web/routes/lazy-parts.ts';
import { useBrand } from '#web/store/brand.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { showHeldMoney, showMenu, showSearch, useDialogs } from '#web/store/dialogs.ts';
import { useLayout } from '#web/store/layout.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { useQuestions } from '#web/store/questions.ts';
import { useSession } from '#web/store/session.ts';
import { isWelcomeDue } from '#web/store/welcome.ts';

/** After the first screen, so that a press finds what it opens already loaded. */
const LOAD_AHEAD_MS = 2500;

/** "/" opens the search, unless it is typed somewhere. */
function useSearchKey(): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const typing = event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog');
			if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
			if (!useLayout.getState().search) return;
			event.preventDefault();
			showSearch(true);
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, []);
}

const closeMenu = () => showMenu(false);
const closeSearch = () => showSearch(false);
const closeHeldMoney = () => showHeldMoney(false);

/** The frame's own modals: menu, search, held money, what watches the player's stay, the question for limits and, once a day, the brand's welcome. */
function FrameModals(): ReactElement {
	const menu = useDialogs((dialogs) => dialogs.menu);
	const search = useDialogs((dialogs) => dialogs.search);
	const heldMoney = useDialogs((dialogs) => dialogs.heldMoney);
	const loggedIn = useSession(({ user }) => user !== null);
	const setting = useBrand((state) => state.setting);
	const question = useQuestions(({ asked }) => asked[0]?.question);
	const asksForLimits = useBrandRules().limitPrompt !== 'never';
	const [welcome] = useState(() => setting !== null && isWelcomeDue(setting));
	useSheetEntry('menu', menu, closeMenu);
	useSheetEntry('search', search, closeSearch);
	useSheetEntry('heldMoney', heldMoney, closeHeldMoney);
	useSearchKey();
	useEffect(() => {
		const timer = setTimeout(() => void loadAhead(), LOAD_AHEAD_MS);
		return () => clearTimeout(timer);
	}, []);
	return (
		<>
			<Suspense fallback={null}>{loggedIn && <Watchers />}</Suspense>
			<Suspense fallback={null}>{question === 'TERMS_DUE' && <TermsDialog />}</Suspense>
			<Suspense fallback={null}>{loggedIn && asksForLimits && <LimitQuestion />}</Suspense>
			<Suspense fallback={null}>{question === 'PASSWORD_NEEDED' && <PasswordDialog />}</Suspense>
			<Suspense fallback={null}>
				{menu && <MenuModal />}
				{search && <SearchDialog />}
				{heldMoney && <HeldMoneyDialog onClose={closeHeldMoney} />}
				{welcome && setting && <WelcomeModal setting={setting} />}
			</Suspense>
		</>
	);
}

/** Whether a match was looked at: until then the parts that belong to one are not loaded. */
function useSeenMatch(): boolean {
	const isThere = useParams({ strict: false }).dreamEventId !== undefined;
	const [hasSeen, setHasSeen] = useState(isThere);
	if (isThere && !hasSeen) setHasSeen(true);
	return hasSeen;
}

/** Where the format of odds is chosen: it shows no odds, and the choice keeps its focus. */
const CHOOSES_ODDS = '/settings';

/**
 * Rebuilds what writes odds when their format changes.
 * @param isChosen the choice itself, which stays
 */
function InOddsFormat({ isChosen = false, children }: { isChosen?: boolean; children: ReactNode }): ReactElement {
	const odds = usePreferences(({ oddsFormat }) => oddsFormat);
	return <Fragment key={isChosen ? CHOOSES_ODDS : odds}>{children}</Fragment>;
}

/** A screen within the frame of bars and columns. */
export function FramedScreen(): ReactElement {
	const hasSeenMatch = useSeenMatch();
	const banner = useRouterState({ select: ({ matches }) => matches.some(({ staticData }) => staticData.banner) });
	const isChosen = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath === CHOOSES_ODDS });
	return (
		<>
			<Frame
				news={<NewsLine />}
				banner={
					banner && (
						<Suspense fallback={<div className="slider" />}>
							<InOddsFormat>
								<LiveHero instead={<ImageSlider />} />
							</InOddsFormat>
						</Suspense>
					)
				}
				slip={
					<Suspense fallback={<Skeleton className="m-3 h-40" />}>
						<InOddsFormat>
							<BetSlip />
						</InOddsFormat>
					</Suspense>
				}
				bets={
					<Suspense fallback={<Skeleton className="m-3 h-40" />}>
						<InOddsFormat>
							<OpenBets />
						</InOddsFormat>
					</Suspense>
				}
				position={
					hasSeenMatch && (
						<Suspense fallback={null}>
							<InOddsFormat>
								<PositionPart />
							</InOddsFormat>
						</Suspense>
					)
				}
				ladder={
					hasSeenMatch && (
						<Suspense fallback={null}>
							<InOddsFormat>
								<DockedLadder />
							</InOddsFormat>
						</Suspense>
					)
				}
				footer={
					<Suspense fallback={null}>
						<SiteFooter />
					</Suspense>
				}
			>
				<InOddsFormat isChosen={isChosen}>
					<Outlet />
				</InOddsFormat>
			</Frame>
			<FrameModals />
		</>
	);
}
