/**
 * `/docs`: every call of the players' site, from its OpenAPI document, and every operation of the bots' interface, each
 * with an example that the page sends. `/asyncapi.json` has the messages of the hub and of the bots' stream, `/client.ts`
 * a client of the site's calls and the hub.
 */
import type { FastifyInstance } from 'fastify';
import { asyncApiDocument } from '#server/doors/bots-api/async-api.ts';
import { clientSource } from '#server/doors/bots-api/client-source.ts';
import { EXAMPLES, STREAM_EXAMPLES } from '#server/doors/bots-api/examples.ts';
import { SERVICES } from '#server/doors/bots-api/rpc-routes.ts';
import { escaped } from '#server/doors/http/brand-page.ts';
import { openApiDocument } from '#server/doors/http/open-api.ts';

interface Shown {
	name: string;
	summary: string;
	method: string;
	path: string;
	/** The body's example; null when the request has no body. */
	body: object | null;
}

type JsonSchema = Record<string, unknown>;

/** An example value of that shape, for the reader to edit. */
function exampleOf(schema: JsonSchema): unknown {
	const { type, properties, items, enum: values, const: only, anyOf, minimum } = schema;
	if (only !== undefined) return only;
	if (Array.isArray(values)) return values[0];
	if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema);
	if (type === 'object') {
		const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
		return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]));
	}
	if (type === 'array') return items ? [exampleOf(items as JsonSchema)] : [];
	if (type === 'boolean') return false;
	return type === 'number' || type === 'integer' ? (minimum ?? 1) : '';
}

interface Documented {
	operationId: string;
	summary: string;
	requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

function siteCalls(): Shown[] {
	const { paths } = openApiDocument() as { paths: Record<string, Record<string, Documented>> };
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId, summary, requestBody }]) => {
			const schema = requestBody?.content['application/json'].schema;
			const body = schema ? (exampleOf(schema) as object) : null;
			return { name: operationId, summary, method: method.toUpperCase(), path, body };
		}),
	);
}

const operations = (): Shown[] =>
	SERVICES.flatMap(({ name, path, operations: offered }) =>
		Object.keys(offered).map((operation) => ({
			name: operation,
			summary: `${name}/v1.0/${operation}, over REST; the same parameters over JSON-RPC at ${path}/json-rpc/v1.`,
			method: 'POST',
			path: `${path}/rest/v1.0/${operation}/`,
			body: EXAMPLES[name][operation] ?? {},
		})),
	);

const section = ({ name, summary, method, path, body }: Shown): string => `<details id="${escaped(name)}">
<summary><b>${escaped(name)}</b> <code>${method} ${escaped(path)}</code></summary>
<p>${escaped(summary)}</p>
<form data-method="${method}">
<label>Address <input name="path" value="${escaped(path)}" spellcheck="false"></label>
${body === null ? '' : `<label>Body <textarea name="body" rows="${JSON.stringify(body, null, 2).split('\n').length}" spellcheck="false">${escaped(JSON.stringify(body, null, 2))}</textarea></label>`}
<button>Send</button>
<pre role="status" tabindex="0" aria-label="Answer of ${escaped(name)}"></pre>
</form>
</details>`;

const STYLE = `body{font:16px/1.5 system-ui;margin:1rem auto;max-width:60rem;padding:0 1rem}
summary{cursor:pointer;padding:.6rem 0;overflow-wrap:anywhere}details{border-bottom:1px solid #8886}
label{display:block;margin:.5rem 0}input,textarea{display:block;width:100%;box-sizing:border-box;font:14px/1.4 monospace;padding:.5rem}
button{font:inherit;min-height:44px;padding:0 1.5rem}pre{overflow:auto;max-height:24rem;background:#8882;padding:.5rem}pre:empty{display:none}`;

const page = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API</title>
<style>${STYLE}</style>
<main>
<h1>API</h1>
<p>Documents for tools: <a href="/openapi.json">OpenAPI</a> of the calls, <a href="/asyncapi.json">AsyncAPI</a> of the hub and the stream. A typed client in TypeScript, one file that needs fetch and WebSocket alone: <a href="/client.ts">client.ts</a>. What is entered here stays in this page.</p>
<form id="access">
<label>Access token of the site <input name="token" autocomplete="off" spellcheck="false"></label>
<label>App key, X-Application <input name="appKey" autocomplete="off" spellcheck="false"></label>
<label>Session, X-Authentication <input name="session" autocomplete="off" spellcheck="false"></label>
</form>
<h2>Operations of bots</h2>
${operations().map(section).join('\n')}
<h2>The bots’ stream</h2>
<p>JSON lines that end with CRLF, on a port of its own.</p>
<pre tabindex="0" aria-label="Messages of a bot">${STREAM_EXAMPLES.map((message) => escaped(JSON.stringify(message))).join('\n')}</pre>
<h2>Calls of the site</h2>
${siteCalls().map(section).join('\n')}
</main>
<script src="/docs/send.js"></script>
`;

/** Sends the example of a form and shows the answer. */
const SCRIPT = `const access = document.querySelector('#access');
access.addEventListener('submit', (event) => event.preventDefault());
for (const form of document.querySelectorAll('form[data-method]')) {
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		const { token, appKey, session } = Object.fromEntries(new FormData(access));
		const { path, body } = Object.fromEntries(new FormData(form));
		const headers = { 'Content-Type': 'application/json' };
		if (token) headers.Authorization = 'Bearer ' + token;
		if (appKey) headers['X-Application'] = appKey;
		if (session) headers['X-Authentication'] = session;
		const output = form.querySelector('pre');
		output.textContent = '…';
		try {
			const answer = await fetch(path, { method: form.dataset.method, headers, body });
			const text = await answer.text();
			output.textContent = answer.status + '\\n' + (text && JSON.stringify(JSON.parse(text), null, 2));
		} catch (error) {
			output.textContent = String(error);
		}
	});
}
`;

/** Each is written when it is asked for first: they are a good part of a server's start. */
export function docsRoutes(scope: FastifyInstance): void {
	let html: string | undefined;
	let asyncApi: string | undefined;
	let client: string | undefined;
	scope.get('/docs', (_, reply) => {
		html ??= page();
		return reply.type('text/html; charset=utf-8').send(html);
	});
	scope.get('/docs/send.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT));
	scope.get('/client.ts', (_, reply) => {
		client ??= clientSource();
		return reply.type('text/plain; charset=utf-8').send(client);
	});
	scope.get('/asyncapi.json', (_, reply) => {
		asyncApi ??= JSON.stringify(asyncApiDocument());
		return reply.type('application/json').send(asyncApi);
	});
}
