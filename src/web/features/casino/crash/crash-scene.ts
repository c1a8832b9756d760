/**
 * Crash on a canvas: a curve that rises with the multiplier, its head, and the cash-outs on it. Drawn by hand, once a
 * frame; what never changes is drawn once and copied.
 */
import { GROWTH } from '#games/crash/flight.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';

export interface SceneFrame {
	phase: 'idle' | 'flying' | 'crashed';
	/** Milliseconds of flight, up to the crash. */
	elapsedMs: number;
	/** Own cash-outs of this flight, hundredths. */
	cashOuts: readonly number[];
}

interface Particle {
	x: number;
	y: number;
	dx: number;
	dy: number;
	/** From 1 to 0. */
	life: number;
}

interface Look {
	grid: string;
	label: string;
	curve: string;
	lost: string;
	won: string;
}

const MOST_PARTICLES = 60;
const MOST_DENSITY = 2;
/** The curve is as long as this before the picture begins to move. */
const FIRST_MS = 8_000;
const POINTS = 56;
const MARGIN = { left: 44, right: 28, top: 26, bottom: 26 };
const GLOW_SIZE = 96;

export class CrashScene {
	readonly #canvas: HTMLCanvasElement;
	readonly #context: CanvasRenderingContext2D;
	readonly #movesLess: boolean;
	#look: Look;
	#background: HTMLCanvasElement | null = null;
	#backgroundKey = '';
	readonly #glow: HTMLCanvasElement;
	#particles: Particle[] = [];
	#lastMs = 0;
	#burst = false;
	#sparks = 0;
	#width = 0;
	#height = 0;

	constructor(canvas: HTMLCanvasElement, movesLess: boolean) {
		this.#canvas = canvas;
		this.#context = canvas.getContext('2d') as CanvasRenderingContext2D;
		this.#movesLess = movesLess;
		this.#look = lookOf(canvas);
		this.#glow = glowOf();
		this.resize();
	}

	/** The theme or the size of the canvas changed. */
	resize(): void {
		const density = Math.min(MOST_DENSITY, devicePixelRatio || 1);
		const { clientWidth, clientHeight } = this.#canvas;
		this.#width = clientWidth;
		this.#height = clientHeight;
		this.#canvas.width = Math.round(clientWidth * density);
		this.#canvas.height = Math.round(clientHeight * density);
		this.#context.setTransform(density, 0, 0, density, 0, 0);
		this.#look = lookOf(this.#canvas);
		this.#backgroundKey = '';
	}

	draw({ phase, elapsedMs, cashOuts }: SceneFrame, nowMs: number): void {
		const context = this.#context;
		const passed = Math.min(50, nowMs - this.#lastMs);
		this.#lastMs = nowMs;
		// Hidden, such as by the screen that replaces it: a browser copies no picture without a size.
		if (this.#canvas.width === 0 || this.#canvas.height === 0) return;
		context.clearRect(0, 0, this.#width, this.#height);
		const most = Math.exp(GROWTH * Math.max(elapsedMs, FIRST_MS)) * 1.12;
		const lastMs = Math.max(elapsedMs, FIRST_MS) * 1.06;
		const x = (ms: number) => MARGIN.left + (ms / lastMs) * (this.#width - MARGIN.left - MARGIN.right);
		const y = (times: number) =>
			this.#height - MARGIN.bottom - ((times - 1) / (most - 1)) * (this.#height - MARGIN.top - MARGIN.bottom);
		this.#drawBackground(most, y);
		if (phase === 'idle') {
			this.#particles = [];
			this.#burst = false;
			return;
		}
		const head = { x: x(elapsedMs), y: y(Math.exp(GROWTH * elapsedMs)) };
		this.#drawCurve(elapsedMs, x, y, phase === 'crashed');
		for (const cents of cashOuts) this.#drawCashOut(x(Math.log(cents / 100) / GROWTH), y(cents / 100), cents);
		if (phase === 'crashed' && !this.#burst) this.#crash(head);
		if (phase === 'flying') this.#trail(head);
		this.#drawParticles(passed, phase === 'crashed');
		if (phase === 'flying') this.#drawHead(head);
	}

	/** Lines of the multiplier, redrawn when their scale changes by a step. */
	#drawBackground(most: number, y: (times: number) => number): void {
		const step = stepOf(most);
		const key = `${this.#canvas.width} ${this.#canvas.height} ${most.toFixed(most < 10 ? 2 : 0)} ${this.#look.label}`;
		if (!this.#background || key !== this.#backgroundKey) {
			this.#background ??= document.createElement('canvas');
			this.#background.width = this.#canvas.width;
			this.#background.height = this.#canvas.height;
			const context = this.#background.getContext('2d') as CanvasRenderingContext2D;
			context.scale(this.#canvas.width / this.#width, this.#canvas.height / this.#height);
			context.font = '12px Inter, sans-serif';
			context.textBaseline = 'middle';
			for (let times = 1; times < most; times += step) {
				context.strokeStyle = this.#look.grid;
				context.beginPath();
				context.moveTo(MARGIN.left, y(times));
				context.lineTo(this.#width, y(times));
				context.stroke();
				context.fillStyle = this.#look.label;
				context.fillText(`${Number(times.toFixed(2))}x`, 8, y(times));
			}
			this.#backgroundKey = key;
		}
		this.#context.drawImage(this.#background, 0, 0, this.#width, this.#height);
	}

	#drawCurve(elapsedMs: number, x: (ms: number) => number, y: (times: number) => number, isLost: boolean): void {
		const context = this.#context;
		const bottom = y(1);
		context.beginPath();
		context.moveTo(x(0), bottom);
		for (let point = 1; point <= POINTS; point++) {
			const ms = (elapsedMs * point) / POINTS;
			context.lineTo(x(ms), y(Math.exp(GROWTH * ms)));
		}
		context.strokeStyle = isLost ? this.#look.lost : this.#look.curve;
		context.lineWidth = 4;
		context.lineCap = 'round';
		context.lineJoin = 'round';
		context.stroke();
		context.lineTo(x(elapsedMs), bottom);
		context.closePath();
		context.globalAlpha = isLost ? 0.08 : 0.16;
		context.fillStyle = context.strokeStyle;
		context.fill();
		context.globalAlpha = 1;
		context.lineWidth = 1;
	}

	#drawCashOut(x: number, y: number, cents: number): void {
		const context = this.#context;
		context.fillStyle = this.#look.won;
		context.beginPath();
		context.arc(x, y, 5, 0, 2 * Math.PI);
		context.fill();
		context.font = '600 12px Inter, sans-serif';
		context.textAlign = 'right';
		context.fillText(multiplierText(cents), x - 8, y - 8);
		context.textAlign = 'left';
	}

	#drawHead({ x, y }: { x: number; y: number }): void {
		const context = this.#context;
		context.globalCompositeOperation = 'lighter';
		context.drawImage(this.#glow, x - GLOW_SIZE / 2, y - GLOW_SIZE / 2);
		context.globalCompositeOperation = 'source-over';
		context.fillStyle = '#fff6e6';
		context.beginPath();
		context.arc(x, y, 6, 0, 2 * Math.PI);
		context.fill();
	}

	/** Sparks fall behind the head. */
	#trail({ x, y }: { x: number; y: number }): void {
		if (this.#movesLess || this.#particles.length >= MOST_PARTICLES) return;
		this.#particles.push({ x, y, dx: -0.05 - this.#spread() * 0.08, dy: 0.02 + this.#spread() * 0.06, life: 1 });
	}

	/** The head falls apart, quietly. */
	#crash({ x, y }: { x: number; y: number }): void {
		this.#burst = true;
		if (this.#movesLess) return;
		this.#particles = Array.from({ length: 24 }, (_, index) => {
			const angle = (index / 24) * 2 * Math.PI;
			const force = 0.04 + this.#spread() * 0.06;
			return { x, y, dx: Math.cos(angle) * force, dy: Math.sin(angle) * force + 0.02, life: 1 };
		});
	}

	/** From 0 to 1, evenly and in no visible order. */
	#spread(): number {
		this.#sparks = (this.#sparks + 0.618034) % 1;
		return this.#sparks;
	}

	#drawParticles(passedMs: number, isLost: boolean): void {
		const context = this.#context;
		context.fillStyle = isLost ? this.#look.lost : this.#look.curve;
		for (const particle of this.#particles) {
			particle.x += particle.dx * passedMs;
			particle.y += particle.dy * passedMs;
			particle.life -= passedMs / 700;
			if (particle.life <= 0) continue;
			context.globalAlpha = particle.life * 0.8;
			context.fillRect(particle.x - 1.5, particle.y - 1.5, 3, 3);
		}
		context.globalAlpha = 1;
		this.#particles = this.#particles.filter(({ life }) => life > 0);
	}
}

/** Between four and nine lines. */
function stepOf(most: number): number {
	const rough = (most - 1) / 5;
	const magnitude = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 5, 10].map((factor) => factor * magnitude).find((step) => step >= rough) ?? rough;
}

function lookOf(canvas: HTMLCanvasElement): Look {
	const style = getComputedStyle(canvas);
	const token = (name: string) => style.getPropertyValue(name).trim();
	return {
		grid: token('--line'),
		label: token('--muted'),
		curve: token('--crash-curve'),
		lost: token('--loss'),
		won: token('--profit'),
	};
}

function glowOf(): HTMLCanvasElement {
	const canvas = document.createElement('canvas');
	canvas.width = GLOW_SIZE;
	canvas.height = GLOW_SIZE;
	const context = canvas.getContext('2d') as CanvasRenderingContext2D;
	const half = GLOW_SIZE / 2;
	const glow = context.createRadialGradient(half, half, 0, half, half, half);
	glow.addColorStop(0, 'rgb(255 190 92 / 0.85)');
	glow.addColorStop(0.3, 'rgb(255 140 60 / 0.35)');
	glow.addColorStop(1, 'rgb(255 120 40 / 0)');
	context.fillStyle = glow;
	context.fillRect(0, 0, GLOW_SIZE, GLOW_SIZE);
	return canvas;
}
