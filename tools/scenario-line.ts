/** The line that the scenario tool prints for an entry of a file. */
import * as v from 'valibot';
import { NotSupported, runScenario } from './run-scenario.ts';
import { ScenarioForm } from './scenario-form.ts';

/** @returns the report, or an error with its code: NOT_SUPPORTED or VALIDATION_FAILED */
export function lineFor(entry: unknown): unknown {
	const parsed = v.safeParse(ScenarioForm, scenarioIn(entry));
	if (!parsed.success) return { error: { code: 'VALIDATION_FAILED', message: v.summarize(parsed.issues) } };
	try {
		return runScenario(parsed.output);
	} catch (error) {
		if (error instanceof NotSupported) return { error: { code: 'NOT_SUPPORTED', message: error.message } };
		throw error;
	}
}

/** A file of examples has the scenario beside its name and the expected result. */
function scenarioIn(entry: unknown): unknown {
	if (typeof entry !== 'object' || entry === null || !('scenario' in entry)) return entry;
	const name = 'name' in entry ? { name: entry.name } : {};
	return { ...name, ...(entry.scenario as object) };
}
