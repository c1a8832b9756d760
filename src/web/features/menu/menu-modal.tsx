import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { dice, gift, moneyBillTransfer, moneyBillWave } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { Modal } from '#ui/modal.tsx';
import { pageVersion } from '#ui/page-version.ts';
import { SportIcon } from '#ui/sport-icon.tsx';
import { LANGUAGE_NAMES, NOT_PROOFREAD } from '#values/language-names.ts';
import type { Language } from '#values/languages.ts';
import { ODDS_FORMATS } from '#values/odds-formats.ts';
import { ODDS_EXAMPLES } from '#values/odds-text.ts';
import { THEMES } from '#values/themes.ts';
import { useActiveSports } from '#web/store/active-sports.ts';
import { useBrand } from '#web/store/brand.ts';
import { closeDialog, showLoginStep, useDialogs } from '#web/store/dialogs.ts';
import { chooseLanguage, pageLanguage } from '#web/store/language.ts';
import { useTheme } from '#web/store/look.ts';
import { setOddsFormat, setTheme, usePreferences } from '#web/store/preferences.ts';
import { useSession } from '#web/store/session.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';
import './menu.css';

registerIcons([dice, gift, moneyBillTransfer, moneyBillWave]);

const words = TEXTS.menu;

const SPORT_TILES = [
	{ to: '/inplay', icon: 'play', text: words.inPlay },
	{ to: '/index', icon: 'house', text: words.highlights },
	{ to: '/favorites', icon: 'star', text: words.favourites },
] as const;

const PLAYER_TILES = [
	{ to: '/deposit', icon: 'money-bill-wave', text: words.deposit },
	{ to: '/withdrawal', icon: 'money-bill-transfer', text: words.withdrawal },
	{ to: '/bonus', icon: 'gift', text: words.bonuses },
	{ to: '/open-bets', icon: 'ticket', text: words.myBets },
] as const;

/** Takes the place of the menu's own entry in the history, so that the way back from there is one step. */
function Tile({ children, ...link }: { children: ReactNode } & Pick<LinkProps, 'to' | 'params'>): ReactElement {
	return (
		<li>
			<Link {...link} replace className="tile" onClick={() => closeDialog('menu')}>
				{children}
			</Link>
		</li>
	);
}

function Named({ icon, text }: { icon: string; text: string }): ReactElement {
	return (
		<>
			<Icon solid size="lg" className="text-muted">
				{icon}
			</Icon>
			{text}
		</>
	);
}

function Group({ title, children }: { title: string; children: ReactNode }): ReactElement {
	return (
		<section aria-label={title}>
			<h3 className="pb-2 text-xs font-semibold text-muted">{title}</h3>
			<ul className="tiles">{children}</ul>
		</section>
	);
}

interface ChoiceProps<Value extends string> {
	title: string;
	values: readonly Value[];
	chosen: Value;
	onChoose: (value: Value) => void;
	nameOf: (value: Value) => string;
	/** Beside the name, with what parts them. */
	noteOf?: (value: Value) => string | false;
	/** The names are each in the language of its value. */
	ofLanguages?: boolean;
}

/** A row of low tiles, of which one is pressed. */
function Choice<Value extends string>(props: ChoiceProps<Value>): ReactElement {
	const { title, values, chosen, onChoose, nameOf, noteOf, ofLanguages = false } = props;
	const choices = values.map((value) => ({ value, name: nameOf(value), note: noteOf?.(value) }));
	return (
		<Group title={title}>
			{choices.map(({ value, name, note }) => (
				<li key={value}>
					<button
						type="button"
						className="tile tile-low"
						aria-pressed={value === chosen}
						onClick={() => onChoose(value)}
					>
						<span lang={ofLanguages ? value : undefined}>
							{name}
							{note && (
								<span lang={pageLanguage()} className="text-muted">
									{note}
								</span>
							)}
						</span>
					</button>
				</li>
			))}
		</Group>
	);
}

/** A player has these among the settings. */
function VisitorChoices(): ReactElement {
	const format = usePreferences(({ oddsFormat }) => oddsFormat);
	const theme = useTheme();
	const texts = ACCOUNT_TEXTS.settings;
	return (
		<>
			<Choice
				title={texts.odds.title}
				values={ODDS_FORMATS}
				chosen={format}
				onChoose={setOddsFormat}
				nameOf={(value) => texts.odds.formats[value]}
				noteOf={(value) => ` ${ODDS_EXAMPLES[value]}`}
			/>
			<Choice title={texts.theme} values={THEMES} chosen={theme} onChoose={setTheme} nameOf={(value) => texts[value]} />
		</>
	);
}

/** Reloads the page without the menu, whose history entry is removed first. */
function Languages(): ReactElement | null {
	const languages = useBrand((state) => state.setting?.languages) ?? [];
	const isPlayer = useSession((state) => state.user !== null);
	const navigate = useNavigate();
	if (languages.length < 2) return null;
	async function choose(language: Language): Promise<void> {
		await navigate({ to: '.', search: true, hash: true, state: {}, replace: true, resetScroll: false });
		await chooseLanguage(language, isPlayer);
	}
	return (
		<Choice
			title={words.language}
			values={languages}
			chosen={pageLanguage()}
			onChoose={(language) => void choose(language)}
			nameOf={(language) => LANGUAGE_NAMES[language]}
			noteOf={(language) => NOT_PROOFREAD.has(language) && ` · ${words.notProofread}`}
			ofLanguages
		/>
	);
}

function VisitorTiles(): ReactElement {
	const allowSignUp = useBrand((state) => state.setting?.allowSignUp ?? false);
	const navigate = useNavigate();
	/** The menu's history entry is removed first; the dialog then lies over the screen itself. */
	async function leaveFor(step: 'login' | 'register'): Promise<void> {
		await navigate({ to: '.', search: true, hash: true, state: {}, replace: true, resetScroll: false });
		showLoginStep(step);
	}
	return (
		<>
			<li>
				<button type="button" className="tile" onClick={() => void leaveFor('login')}>
					<Named icon="user" text={words.login} />
				</button>
			</li>
			{allowSignUp && (
				<li>
					<button type="button" className="tile" onClick={() => void leaveFor('register')}>
						<Named icon="circle-check" text={words.register} />
					</button>
				</li>
			)}
		</>
	);
}

/** The footer menu: every sport and the casino in one press, and the account's pages. */
export function MenuModal(): ReactElement {
	const sports = useActiveSports();
	const loggedIn = useSession((state) => state.user !== null);
	return (
		<Modal
			open
			opener={useDialogs((dialogs) => dialogs.opener)}
			sheet
			size="large"
			title={words.title}
			closeLabel={TEXTS.app.close}
			onClose={() => closeDialog('menu')}
			footer={
				<Link to="/" replace className="button w-full" data-variant="primary" onClick={() => closeDialog('menu')}>
					<Icon solid>house</Icon>
					{words.home}
				</Link>
			}
		>
			<div className="flex flex-col gap-4">
				<Group title={words.sports}>
					{SPORT_TILES.map(({ to, icon, text }) => (
						<Tile key={to} to={to}>
							<Named icon={icon} text={text} />
						</Tile>
					))}
					{sports.map(({ id }) => (
						<Tile key={id} to="/matchlist/$id" params={{ id: String(id) }}>
							<SportIcon sportId={id} size={24} className="text-muted" />
							{sportName(id)}
						</Tile>
					))}
					<Tile to="/lobby">
						<Named icon="dice" text={words.casino} />
					</Tile>
				</Group>
				<Group title={words.account}>
					{loggedIn ? (
						PLAYER_TILES.map(({ to, icon, text }) => (
							<Tile key={to} to={to}>
								<Named icon={icon} text={text} />
							</Tile>
						))
					) : (
						<VisitorTiles />
					)}
				</Group>
				{!loggedIn && <VisitorChoices />}
				<Languages />
				<p className="text-center text-xs text-muted">{words.version(pageVersion())}</p>
			</div>
		</Modal>
	);
}
