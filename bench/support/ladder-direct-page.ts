/**
 * The script of `bench ladder-frames`' direct page: the least that shows the hub's prices on drawn ladders. It reads the
 * messages of a bare socket and writes the cells whose offers changed, as they come.
 */
import { type AnyPrice, LADDERS } from '#values/price-ladder.ts';

const SEPARATOR = '\u001e';
const PING_EVERY_MS = 10_000;

interface Level {
	price: number;
	size: number;
}
interface Book {
	marketId: string;
	runners: { runnerId: string; back?: Level[]; lay?: Level[] }[];
}

interface Cell {
	button: HTMLElement;
	quote: string;
	bar: HTMLElement;
	amount: Text;
}

declare const ladders: { marketId: string; runnerIds: string[] };

const SIDES = { back: 'BACK', lay: 'LAY' } as const;
type BookSide = keyof typeof SIDES;
const WORDS = { back: 'Back', lay: 'Lay' } as const;

/** A part of a drawn cell; made where the site has left it out. */
function part(button: HTMLElement, name: 'i' | 'b'): HTMLElement {
	return button.querySelector(name) ?? button.appendChild(document.createElement(name));
}

const textOf = (element: HTMLElement): Text => {
	if (element.firstChild === null) element.append('');
	return element.firstChild as Text;
};

function cellsOf(ladder: Element, side: BookSide): Map<number, Cell> {
	const cells = new Map<number, Cell>();
	for (const row of ladder.querySelectorAll<HTMLElement>('tr[data-tick]')) {
		const button = row.querySelector<HTMLElement>(`.ladder-cell[data-side="${SIDES[side]}"]`);
		if (!button) continue;
		cells.set(Number(row.dataset['tick']), {
			button,
			quote: row.querySelector('th b')?.textContent ?? '',
			bar: part(button, 'i'),
			amount: textOf(part(button, 'b')),
		});
	}
	return cells;
}

/** A drawn side of a runner's ladder, and the ticks that are offered on it. */
const sides = new Map<string, { cells: Map<number, Cell>; offered: Set<number> }>();
document.querySelectorAll('.ladders > section').forEach((section, at) => {
	for (const side of ['back', 'lay'] as const) {
		const cells = cellsOf(section, side);
		const offered = [...cells].filter(([, { button }]) => button.hasAttribute('data-offer')).map(([tick]) => tick);
		sides.set(`${ladders.runnerIds[at]} ${side}`, { cells, offered: new Set(offered) });
	}
});

function write(side: BookSide, cell: Cell, size: number | null, share: number): void {
	cell.button.toggleAttribute('data-offer', size !== null);
	const label = `${WORDS[side]} at ${cell.quote}`;
	cell.button.setAttribute('aria-label', size === null ? label : `${label}, ${size} available`);
	cell.bar.style.scale = `${share} 1`;
	cell.amount.data = size === null ? '' : String(size);
}

function show(runnerId: string, side: BookSide, levels: readonly Level[], most: number): void {
	const drawn = sides.get(`${runnerId} ${side}`);
	if (!drawn) return;
	const offered = new Set<number>();
	for (const { price, size } of levels) {
		const tick = LADDERS.CLASSIC.tickOf(Math.round(price * 100) as AnyPrice);
		const cell = drawn.cells.get(tick);
		if (!cell) continue;
		write(side, cell, size, size / most);
		offered.add(tick);
	}
	for (const tick of drawn.offered) {
		const cell = drawn.cells.get(tick);
		if (cell && !offered.has(tick)) write(side, cell, null, 0);
	}
	drawn.offered = offered;
}

function receive({ marketId, runners }: Book): void {
	if (marketId !== ladders.marketId) return;
	for (const { runnerId, back = [], lay = [] } of runners) {
		const most = Math.max(1, ...back.map(({ size }) => size), ...lay.map(({ size }) => size));
		show(runnerId, 'back', back, most);
		show(runnerId, 'lay', lay, most);
	}
}

const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/hub`);
const send = (record: object): void => socket.send(JSON.stringify(record) + SEPARATOR);
const ask = (target: string, argument: object): void =>
	send({ type: 1, invocationId: target, target, arguments: [argument] });
socket.addEventListener('open', () => {
	send({ protocol: 'json', version: 1 });
	const token = localStorage.getItem('accessToken') ?? '';
	ask('RegisterClient', { Browser: 'bench', Domain: location.origin, CurrentPage: location.href, Token: token });
	ask('Subscribe', { channels: [`market:${ladders.marketId}`] });
	setInterval(() => send({ type: 6 }), PING_EVERY_MS);
});
socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
	for (const record of data.split(SEPARATOR)) {
		if (record === '') continue;
		const { target, arguments: [envelope] = [] } = JSON.parse(record);
		if (target === 'Message' && envelope.Code === 'MarketBook') receive(JSON.parse(envelope.Data));
	}
});
