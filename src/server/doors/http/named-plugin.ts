/** Plugins of Fastify by name: for one without a name it compares every module that is loaded, at each start. */

const DISPLAY_NAME = Symbol.for('fastify.display-name');

export const named = <Plugin extends (...given: never[]) => unknown>(name: string, plugin: Plugin): Plugin =>
	Object.assign(plugin, { [DISPLAY_NAME]: name });
