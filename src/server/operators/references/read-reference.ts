/** References as players and banks write them: read into what they may name. */
import { SUBJECT_KINDS } from '#contract/operators/references.ts';
import { idOf } from '#server/money/funds/payments/order-reference.ts';

export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface SubjectRef {
	kind: SubjectKind;
	id: number;
}

interface Reading {
	/** Subjects that may have this reference. */
	refs: readonly SubjectRef[];
	/** The bank's reference of a payment; null for a text that is none. */
	utr: string | null;
	/** A player's name or mobile; null for a text that names something else. */
	player: string | null;
}

/** As screens and messages name a subject: `WITHDRAWAL-12`, `bet 7`, `Bet ID: 7`. */
const NAMED = /^(bet|round|casino|payment|deposit|withdrawal|player|market)\b(?:\s*id)?[\s:#-]*(\d{1,15})$/i;
const NUMBER = /^#?(\d{1,15})$/;
const UTR = /^(?:UTR|RRN)?:?([A-Z0-9]{8,22})$/;
/** Ours, with a check digit: of a withdrawal, of a payment, and a player's invitation. */
const OWN = { BLW: 'withdrawal', BLP: 'payment', REF: 'player' } as const;

const only = (kind: SubjectKind, id: number): Reading => ({ refs: [{ kind, id }], utr: null, player: null });

export function readReference(text: string): Reading {
	const [, named, namedId] = NAMED.exec(text) ?? [];
	if (named !== undefined) {
		const kind = named.toLowerCase();
		return only(kind === 'casino' ? 'round' : (kind as SubjectKind), Number(namedId));
	}
	const compact = text.toUpperCase().replaceAll(/\s/g, '');
	for (const [prefix, kind] of Object.entries(OWN) as [keyof typeof OWN, SubjectKind][]) {
		const id = idOf(prefix, compact);
		if (id !== null) return only(kind, id);
	}
	const [, number] = NUMBER.exec(compact) ?? [];
	return {
		refs: number === undefined ? [] : SUBJECT_KINDS.map((kind) => ({ kind, id: Number(number) })),
		utr: UTR.exec(compact)?.[1] ?? null,
		player: text,
	};
}
