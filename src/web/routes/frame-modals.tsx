/** The modals of the frame. The file comes after the first screen, which needs none of them. */
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { useSheetEntry } from '#web/features/frame/use-sheet-entry.ts';
import { HeldMoneyDialog, MenuModal, SearchDialog, WelcomeModal } from '#web/routes/lazy-parts.ts';
import { loadAhead } from '#web/routes/load-ahead.ts';
import { PlayerModals } from '#web/routes/player-modals.tsx';
import { useEndedElsewhere } from '#web/routes/use-ended-elsewhere.ts';
import { useBrand } from '#web/store/brand.ts';
import { closeDialog, useDialogs } from '#web/store/dialogs.ts';
import { isWelcomeDue } from '#web/store/welcome.ts';
import { withTexts } from '#web/texts/held.ts';

const MatchAhead = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/routes/match-ahead.tsx'))).MatchAhead,
}));

/** After the first screen, so that a press finds what it opens already loaded. */
const LOAD_AHEAD_MS = 2500;

const closeMenu = () => closeDialog('menu');
const closeSearch = () => closeDialog('search');
const closeHeldMoney = () => closeDialog('heldMoney');

/** The frame's own modals: menu, search, held money, what asks the player and, once a day, the brand's welcome. */
export function FrameModals(): ReactElement {
	const open = useDialogs((dialogs) => dialogs.open);
	const setting = useBrand((state) => state.setting);
	const [welcome] = useState(() => setting !== null && isWelcomeDue(setting));
	useEndedElsewhere();
	useSheetEntry('menu', open === 'menu', closeMenu);
	useSheetEntry('search', open === 'search', closeSearch);
	useSheetEntry('heldMoney', open === 'heldMoney', closeHeldMoney);
	const [isLoaded, setIsLoaded] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => void loadAhead().then(() => setIsLoaded(true)), LOAD_AHEAD_MS);
		return () => clearTimeout(timer);
	}, []);
	return (
		<>
			<Suspense fallback={null}>{isLoaded && <MatchAhead />}</Suspense>
			<PlayerModals />
			<Suspense fallback={null}>
				{open === 'menu' && <MenuModal />}
				{open === 'search' && <SearchDialog />}
				{open === 'heldMoney' && <HeldMoneyDialog onClose={closeHeldMoney} />}
				{welcome && setting && <WelcomeModal setting={setting} />}
			</Suspense>
		</>
	);
}
