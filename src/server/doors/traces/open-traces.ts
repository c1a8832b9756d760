/** The traces of a process, if its configuration names a collector. */
import { Traces, type TracesConfig, type TracesOptions } from '#server/doors/traces/traces.ts';

/** Null without a configured collector. */
export async function openTraces(
	config: TracesConfig | null,
	options: TracesOptions,
	started: AsyncDisposableStack,
): Promise<Traces | null> {
	const traces = config && (await Traces.open(config, options));
	started.defer(async () => await traces?.close());
	return traces;
}
