/**
 * `npm run scenario -- FILE.json…`: runs market scenarios on the shipped engine and prints one JSON line for each.
 * Without a file it reads standard input. A scenario that asks for something the exchange does not offer prints
 * `{"error":{"code":"NOT_SUPPORTED",…}}`; one with an invalid form prints `VALIDATION_FAILED`.
 */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { NotSupported, runScenario } from './run-scenario.ts';
import { ScenarioForm } from './scenario-form.ts';

const files = process.argv.slice(2);
for (const file of files.length > 0 ? files : [0]) {
	const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
	for (const entry of Array.isArray(content) ? content : [content]) {
		process.stdout.write(`${JSON.stringify(lineFor(entry))}\n`);
	}
}

function lineFor(entry: unknown): unknown {
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
