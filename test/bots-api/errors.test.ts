/** The one table of errors, read both ways. */
import { expect, it } from 'vitest';
import {
	APING_NUMBERS,
	COUNTERPARTS,
	codesOf,
	EXECUTION_CODES,
	INSTRUCTION_CODES,
	isPassing,
} from '#server/doors/bots-api/errors.ts';
import { ERRORS, type ErrorCode } from '#values/error-catalogue.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];

it('has a counterpart of each kind for every code of the catalogue', () => {
	expect(Object.keys(COUNTERPARTS).sort()).toEqual([...codes].sort());
	for (const code of codes) {
		const { aping, execution, instruction } = COUNTERPARTS[code];
		expect(Object.keys(APING_NUMBERS), code).toContain(aping);
		expect(INSTRUCTION_CODES, code).toContain(instruction);
		if (execution) expect(EXECUTION_CODES, code).toContain(execution);
	}
});

it('leads back from an instruction’s code to the codes that it stands for', () => {
	for (const instruction of INSTRUCTION_CODES)
		for (const code of codesOf(instruction)) expect(COUNTERPARTS[code].instruction).toBe(instruction);
	expect(INSTRUCTION_CODES.flatMap(codesOf).sort()).toEqual([...codes].sort());
	expect(codesOf('INSUFFICIENT_FUNDS')).toEqual(['INSUFFICIENT_FUNDS']);
});

it('keeps no answer that may be different a moment later: exactly those of a busy or absent exchange', () => {
	// A suspended site is closed, and not busy.
	const isBusy = (code: ErrorCode) =>
		COUNTERPARTS[code].execution === 'SERVICE_UNAVAILABLE' && code !== 'SITE_SUSPENDED';
	expect(codes.filter(isPassing)).toEqual(codes.filter(isBusy));
});
