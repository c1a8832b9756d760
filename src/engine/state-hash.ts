/**
 * The digest of the engine's state: one hash for each wallet, house account, market, position and bet, added up. A sum
 * does not depend on the order and is updated from the dirty rows, so it is written with every batch and a recovery can
 * compare. Two 32-bit lanes guard against mistakes, not against attackers (the ledger's seals do).
 */
export class Hasher {
	#one = 0;
	#two = 0;

	start(kind: number): void {
		this.#one = 0x811c9dc5;
		this.#two = 0x12345678;
		this.add(kind);
	}

	/** Mixes in a whole number of up to 53 bits. */
	add(value: number): void {
		this.#word(value | 0);
		this.#word(Math.floor(value / 4_294_967_296) | 0);
	}

	addText(text: string): void {
		for (let at = 0; at < text.length; at++) this.#word(text.charCodeAt(at));
		this.#word(text.length);
	}

	#word(word: number): void {
		this.#one = Math.imul(this.#one ^ word, 0x9e3779b1);
		this.#one ^= this.#one >>> 15;
		this.#two = Math.imul(this.#two ^ word, 0x85ebca6b);
		this.#two ^= this.#two >>> 13;
	}

	get one(): number {
		return this.#one;
	}
	get two(): number {
		return this.#two;
	}
}

/**
 * The version of the digest's definition. It rises with every change of what the digest covers or how, so that the
 * digest of an earlier version is not taken for a wrong one.
 */
export const DIGEST_FORMAT = 6;

/** A part of the state with a share in the digest. */
export abstract class Hashed {
	laneOne = 0;
	laneTwo = 0;
	dirty = false;
	/** True once it is no longer part of the state. */
	gone = false;
	/** Mixes in all that decides its behaviour; returns false when it equals a part that never existed. */
	abstract describe(hasher: Hasher): boolean;
}

/** Tables of rows keep their own share. */
type RowLanes = () => readonly [number, number];

export class StateDigest {
	readonly #hasher = new Hasher();
	#touched: Hashed[] = [];
	#one = 0;
	#two = 0;
	readonly #enabled: boolean;
	readonly #rowLanes: RowLanes;

	constructor(enabled: boolean, rowLanes: RowLanes) {
		this.#enabled = enabled;
		this.#rowLanes = rowLanes;
	}

	touch(entity: Hashed): void {
		if (!this.#enabled || entity.dirty) return;
		entity.dirty = true;
		this.#touched.push(entity);
	}

	/** 16 hexadecimal digits over the present state. */
	value(): string {
		for (const entity of this.#touched) {
			this.#one = (this.#one - entity.laneOne) | 0;
			this.#two = (this.#two - entity.laneTwo) | 0;
			const counts = !entity.gone && entity.describe(this.#hasher);
			entity.laneOne = counts ? this.#hasher.one : 0;
			entity.laneTwo = counts ? this.#hasher.two : 0;
			entity.dirty = false;
			this.#one = (this.#one + entity.laneOne) | 0;
			this.#two = (this.#two + entity.laneTwo) | 0;
		}
		this.#touched = [];
		const [one, two] = this.#rowLanes();
		return hex((this.#one + one) | 0) + hex((this.#two + two) | 0);
	}
}

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
