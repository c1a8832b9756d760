/** Persons over random facts: what the graph answers is what a slow search over all pairs finds. */
import { describe, expect, it } from 'vitest';
import { type Fact, type FactKind, type FactState, PersonGraph } from '#server/people/persons/person-graph.ts';
import { SeededNumbers } from '../reference/random-commands.ts';

const KINDS: readonly FactKind[] = ['mobile', 'document', 'payout'];
const STATES: readonly FactState[] = ['PROVEN', 'PROVEN', 'HINT', 'REFUTED'];
const ACCOUNTS = Array.from({ length: 12 }, (_, at) => at + 1);

function randomFacts(numbers: SeededNumbers): Fact[] {
	return ACCOUNTS.flatMap((playerId) =>
		KINDS.filter(() => numbers.chance(50)).map((kind) => ({
			playerId,
			kind,
			value: String(numbers.below(5)),
			state: numbers.from(STATES),
		})),
	);
}

/** Money may be paid to any account, so a payout makes no two accounts one person. */
const isProof = ({ kind, state }: Fact) => state === 'PROVEN' && kind !== 'payout';
const isSame = (one: Fact, other: Fact) => one.kind === other.kind && one.value === other.value;

/** The accounts of a person: as long as some account shares a proven fact with one of them, it is added. */
function personIn(facts: readonly Fact[], playerId: number): number[] {
	const person = new Set([playerId]);
	for (let before = 0; before < person.size; ) {
		before = person.size;
		for (const one of facts)
			for (const other of facts)
				if (isProof(one) && isProof(other) && isSame(one, other) && person.has(one.playerId))
					person.add(other.playerId);
	}
	return [...person].sort((one, other) => one - other);
}

/** The accounts whose bars an account bears because it says it has a mobile that they proved. */
function aboveIn(facts: readonly Fact[], playerId: number): number[] {
	const hints = facts.filter((fact) => fact.playerId === playerId && fact.kind === 'mobile' && fact.state === 'HINT');
	const owners = facts.filter((fact) => fact.state === 'PROVEN' && hints.some((hint) => isSame(hint, fact)));
	const above = new Set(owners.flatMap((owner) => personIn(facts, owner.playerId)));
	return [...above].filter((account) => !personIn(facts, playerId).includes(account)).sort((one, other) => one - other);
}

const answersOf = (graph: PersonGraph) =>
	ACCOUNTS.map((playerId) => ({ person: [...graph.personOf(playerId)], above: [...graph.above(playerId)] }));

const expectedOf = (facts: readonly Fact[]) =>
	ACCOUNTS.map((playerId) => ({ person: personIn(facts, playerId), above: aboveIn(facts, playerId) }));

const SEEDS = Array.from({ length: 60 }, (_, at) => at + 1);

describe('over random facts', () => {
	it('a person is the closure over proven facts, and what holds for others flows down alone', () => {
		for (const seed of SEEDS) {
			const facts = randomFacts(new SeededNumbers(seed));
			const graph = new PersonGraph();
			graph.replace(ACCOUNTS, facts);
			expect(answersOf(graph), `seed ${seed}`).toEqual(expectedOf(facts));
		}
	});

	it('facts that are proven, refuted or replaced later leave nothing of before', () => {
		for (const seed of SEEDS) {
			const numbers = new SeededNumbers(seed);
			const graph = new PersonGraph();
			graph.replace(ACCOUNTS, randomFacts(numbers));
			const facts = randomFacts(numbers);
			graph.replace(ACCOUNTS, facts);
			expect(answersOf(graph), `seed ${seed}`).toEqual(expectedOf(facts));
			for (const playerId of ACCOUNTS)
				expect(
					[...graph.below(playerId)].sort((one, other) => one - other),
					`seed ${seed}`,
				).toEqual(ACCOUNTS.filter((account) => aboveIn(facts, account).includes(playerId)));
		}
	});

	it('a hint never changes what another account is or bears', () => {
		for (const seed of SEEDS) {
			const numbers = new SeededNumbers(seed);
			const facts = randomFacts(numbers);
			const stranger = ACCOUNTS.length + 1;
			const hints = KINDS.map((kind) => ({
				playerId: stranger,
				kind,
				value: String(numbers.below(5)),
				state: 'HINT' as const,
			}));
			const graph = new PersonGraph();
			graph.replace([...ACCOUNTS, stranger], [...facts, ...hints]);
			expect(answersOf(graph), `seed ${seed}`).toEqual(expectedOf(facts));
			expect(graph.personOf(stranger)).toEqual([stranger]);
		}
	});
});
