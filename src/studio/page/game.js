/**
 * The page of a game, in a sandboxed frame. It calls only the studio, and reports to the site in messages: {type:
 * 'backlay-game', event: 'ready' | 'round' | 'ended' | 'refused', status?}.
 */
const base = location.pathname.replace(/\/play$/, '/api');
const query = new URLSearchParams(location.search);
const game = document.documentElement.dataset.game;
const [stage, said, actions, panel, balance] = ['stage', 'said', 'actions', 'bet', 'balance'].map((id) =>
	document.getElementById(id),
);
const play = panel.querySelector('button');
const stake = document.getElementById('stake');
let seat = '';

const REFUSALS = {
	INSUFFICIENT_FUNDS: 'Your balance is too small for this stake.',
	LIMIT_REACHED: 'This stake passes a limit of yours or of the house.',
	USER_DISABLED: 'Betting is not open to you now.',
	TOKEN_EXPIRED: 'Your visit has ended. Open the game again from the lobby.',
	INVALID_TOKEN: 'This link was used or is too old. Open the game again from the lobby.',
	INVALID_GAME: 'The game is under maintenance.',
	UNKNOWN: 'The answer was lost. A stake that was taken comes back.',
	WRONG_SYNTAX: 'Enter a stake without a point.',
};

const tell = (event, more = {}) => parent.postMessage({ type: 'backlay-game', event, ...more }, '*');
/** Of the seat, as the wallet names its currency. */
let money = new Intl.NumberFormat('en-IN');
const inMoney = (minor) => money.format(minor / 100);
function useCurrency(currency) {
	const locale = currency === 'INR' ? 'en-IN' : 'en';
	money = new Intl.NumberFormat(locale, {
		style: 'currency',
		currency,
		currencyDisplay: 'narrowSymbol',
		trailingZeroDisplay: 'stripIfInteger',
	});
	const sign = money.formatToParts(0).find(({ type }) => type === 'currency');
	document.getElementById('sign').textContent = sign.value;
}

async function ask(call, fields) {
	const response = await fetch(`${base}/${call}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(fields),
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.status ?? 'UNKNOWN');
	return answer;
}

function drawStage(round) {
	const pieces = [];
	if (game === 'lantern-cups') {
		const ball = Number(/cup (\d)/.exec(round?.text ?? '')?.[1] ?? 0);
		for (const cup of [1, 2, 3]) {
			const piece = document.createElement('span');
			piece.className = 'cup';
			if (cup === ball) piece.dataset.ball = '';
			pieces.push(piece);
		}
	} else if (game === 'copper-ladder') {
		for (let step = 1; step <= 6; step++) {
			const piece = document.createElement('span');
			piece.className = 'step';
			piece.style.height = `${20 + step * 14}px`;
			if (step <= (round?.steps ?? 0) && !/broke/.test(round?.text ?? '')) piece.dataset.held = '';
			pieces.push(piece);
		}
	} else {
		for (const symbol of (round?.text ?? '🍋 🔔 🍒').split(' ')) {
			const piece = document.createElement('span');
			piece.textContent = symbol;
			pieces.push(piece);
		}
	}
	stage.replaceChildren(...pieces);
}

function show(round) {
	drawStage(round);
	const isOver = round.actions.length === 0;
	const won = isOver && round.payout > round.stake;
	said.toggleAttribute('data-won', won);
	const result = round.payout > 0 ? `You get ${inMoney(round.payout)}.` : 'No win this time.';
	said.textContent = isOver ? `${round.text} ${result}` : round.text;
	actions.replaceChildren(
		...round.actions.map(({ action, label }) => {
			const button = document.createElement('button');
			button.type = 'button';
			button.textContent = label;
			button.addEventListener('click', () => run(() => ask('act', { seat, round: round.id, action })));
			return button;
		}),
	);
	play.disabled = !isOver;
	stake.disabled = !isOver;
	tell(isOver ? 'ended' : 'round');
}

async function run(request) {
	for (const button of document.querySelectorAll('button')) button.disabled = true;
	try {
		const answer = await request();
		balance.textContent = inMoney(answer.balance);
		show(answer.round);
	} catch (error) {
		const status = error instanceof Error && error.message in REFUSALS ? error.message : 'UNKNOWN';
		said.textContent = REFUSALS[status];
		for (const button of document.querySelectorAll('button')) button.disabled = false;
		tell('refused', { status });
	}
}

/** A sandbox submits no forms. */
function bet() {
	if (play.disabled) return;
	const amount = /^\d{1,7}$/.test(stake.value.trim()) ? Number(stake.value) * 100 : 0;
	void run(() => ask('bet', { seat, stake: amount }));
}
play.addEventListener('click', bet);
stake.addEventListener('keydown', ({ key }) => {
	if (key === 'Enter') bet();
});

try {
	const opened = await ask('sit', { game, token: query.get('token') ?? '' });
	seat = opened.seat;
	useCurrency(opened.currency || 'INR');
	balance.textContent = inMoney(opened.balance);
	said.textContent = 'Place your stake.';
	drawStage(null);
	play.disabled = false;
	if (opened.round) show(opened.round);
	tell('ready');
} catch (error) {
	const status = error instanceof Error && error.message in REFUSALS ? error.message : 'UNKNOWN';
	said.textContent = REFUSALS[status];
	tell('refused', { status });
}
