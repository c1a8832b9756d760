/**
 * `/client.ts`: a client of our own API in TypeScript, one file that needs only fetch and WebSocket. It is generated
 * from the OpenAPI document of the calls and the AsyncAPI document of the hub, so it matches this server's contract.
 */
import { asyncApiDocument } from '#server/doors/bots-api/async-api.ts';
import { openApiDocument } from '#server/doors/http/open-api.ts';

/** The parts of JSON Schema that the documents use. */
interface JsonSchema {
	type?: string;
	const?: unknown;
	enum?: unknown[];
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	items?: JsonSchema | JsonSchema[];
	prefixItems?: JsonSchema[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: JsonSchema | boolean;
}

interface Parameter {
	name: string;
	in: 'query' | 'header' | 'path';
	required: boolean;
	schema: JsonSchema;
}

interface Documented {
	operationId: string;
	summary: string;
	parameters?: Parameter[];
	requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
	responses: { 200: { content: { 'application/json': { schema: { properties: { result: JsonSchema } } } } } };
}

interface ClientCall {
	name: string;
	summary: string;
	method: string;
	path: string;
	from: 'query' | 'body';
	input: JsonSchema;
	result: JsonSchema;
}

/** The TypeScript type of a schema. */
function typeOf(schema: JsonSchema): string {
	const { type, items, prefixItems } = schema;
	if ('const' in schema) return JSON.stringify(schema.const);
	if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) return [...new Set(choices.map(typeOf))].join(' | ');
	if (type === 'array') {
		const places = prefixItems ?? (Array.isArray(items) ? items : null);
		if (places) return `[${places.map(typeOf).join(', ')}]`;
		return `(${items && !Array.isArray(items) ? typeOf(items) : 'unknown'})[]`;
	}
	if (type === 'object') return objectOf(schema);
	if (type === 'integer') return 'number';
	return type === 'string' || type === 'number' || type === 'boolean' || type === 'null' ? type : 'unknown';
}

function objectOf({ properties = {}, required = [], additionalProperties: others }: JsonSchema): string {
	const fields = Object.entries(properties).map(
		([name, field]) => `${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
	);
	if (typeof others === 'object' && fields.length === 0) return `Record<string, ${typeOf(others)}>`;
	if (typeof others === 'object') fields.push('[other: string]: unknown');
	return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
}

const nameOf = (field: string): string => (/^[A-Za-z_]\w*$/.test(field) ? field : JSON.stringify(field));

/** Every call that has an envelope; files with a path of their own are fetched as files. */
function calls(): ClientCall[] {
	const { paths } = openApiDocument() as { paths: Record<string, Record<string, Documented>> };
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).flatMap(([method, { operationId, summary, parameters = [], requestBody, responses }]) => {
			if (parameters.some((parameter) => parameter.in === 'path')) return [];
			const query = parameters.filter((parameter) => parameter.in === 'query');
			const inQuery: JsonSchema = {
				type: 'object',
				properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
				required: query.filter(({ required }) => required).map(({ name }) => name),
			};
			return {
				name: operationId,
				summary,
				method: method.toUpperCase(),
				path,
				from: requestBody ? ('body' as const) : ('query' as const),
				input: requestBody?.content['application/json'].schema ?? inQuery,
				result: responses[200].content['application/json'].schema.properties.result,
			};
		}),
	);
}

function hubMessages(): [code: string, payload: JsonSchema][] {
	const { channels } = asyncApiDocument() as {
		channels: { hub: { messages: Record<string, { payload: JsonSchema }> } };
	};
	return Object.entries(channels.hub.messages).map(([code, { payload }]) => [code, payload]);
}

function errorCodes(): string {
	const { components } = openApiDocument() as {
		components: { schemas: { Error: { properties: { code: JsonSchema } } } };
	};
	return typeOf(components.schemas.Error.properties.code);
}

/** Implements the types above. */
const CLIENT = `export type CallName = keyof Calls;
/** A message of the hub; its code says what its data is. */
export type HubMessage = { [Code in keyof HubMessages]: { code: Code; data: HubMessages[Code] } }[keyof HubMessages];

/** A refusal, or an answer that is none of this API: then \`code\` is null. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: ErrorCode | null;
	readonly details: Record<string, unknown>;
	constructor(status: number, error: { code: ErrorCode; message: string; details: Record<string, unknown> } | null) {
		super(error?.message ?? \`HTTP \${status}\`);
		this.status = status;
		this.code = error?.code ?? null;
		this.details = error?.details ?? {};
	}
}

export class Client {
	readonly #url: string;
	/** The access token; null before a log-in. */
	token: string | null;

	/** @param url such as http://localhost:3000 */
	constructor(url: string, token: string | null = null) {
		this.#url = url.replace(/\\/$/, '');
		this.token = token;
	}

	/** Makes a call. @throws Refusal */
	async call<Name extends CallName>(
		name: Name,
		input: Calls[Name]['input'],
		signal: AbortSignal | null = null,
	): Promise<Calls[Name]['result']> {
		const [method, path, from] = ROUTES[name];
		const headers: Record<string, string> = this.token === null ? {} : { Authorization: \`Bearer \${this.token}\` };
		const init: RequestInit = { method, headers, signal };
		let query = '';
		if (from === 'body') {
			headers['Content-Type'] = 'application/json';
			init.body = JSON.stringify(input);
		} else {
			const fields = Object.entries(input).filter(([, value]) => value !== undefined);
			query = fields.length === 0 ? '' : \`?\${new URLSearchParams(fields.map(([field, value]) => [field, String(value)]))}\`;
		}
		const answer = await fetch(this.#url + path + query, init);
		const body = await answer.json().catch(() => null);
		if (body?.success !== true) throw new Refusal(answer.status, body?.error ?? null);
		return body.result;
	}

	/**
	 * Opens the hub and subscribes to channels, such as market:1001. Messages are hints: the calls are the record.
	 * @returns once subscribed, what closes the connection
	 * @throws Refusal when the hub refuses the client or a channel
	 */
	async follow(
		channels: readonly string[],
		onMessage: (message: HubMessage) => void,
		onClose: () => void = () => {},
	): Promise<() => void> {
		const socket = new WebSocket(\`\${this.#url.replace(/^http/, 'ws')}/hub\`);
		await new Promise<void>((resolve, reject) => {
			socket.onopen = () => resolve();
			socket.onerror = () => reject(new Refusal(0, null));
		});
		const say = (record: object) => socket.send(JSON.stringify(record) + RECORD_END);
		const waiting = new Map<string, (record: { result?: unknown; error?: string }) => void>();
		let rest = '';
		socket.onmessage = ({ data }) => {
			const records = (rest + String(data)).split(RECORD_END);
			rest = records.pop() ?? '';
			for (const text of records) {
				const record = JSON.parse(text);
				if (record.type === 1) {
					const [{ Code, Data }] = record.arguments;
					onMessage({ code: Code, data: JSON.parse(Data) });
				} else if (record.type === 3) waiting.get(record.invocationId)?.(record);
			}
		};
		const pings = setInterval(() => say({ type: 6 }), PING_EVERY_MS);
		socket.onclose = () => {
			clearInterval(pings);
			for (const answer of waiting.values()) answer({ error: 'The hub closed the connection.' });
			onClose();
		};
		const invoke = async (target: string, argument: object) => {
			const invocationId = String(waiting.size + 1);
			const answered = new Promise<{ result?: unknown; error?: string }>((resolve) => waiting.set(invocationId, resolve));
			say({ type: 1, invocationId, target, arguments: [argument] });
			const { result, error } = await answered;
			if (error !== undefined || (result as { success?: boolean } | undefined)?.success === false) {
				socket.close();
				throw new Refusal(0, (result as { error: never } | undefined)?.error ?? null);
			}
		};
		say({ protocol: 'json', version: 1 });
		const { hostname } = new URL(this.#url);
		await invoke('RegisterClient', { Browser: 'client', Domain: hostname, CurrentPage: '/', Token: this.token ?? '' });
		await invoke('Subscribe', { channels });
		return () => socket.close();
	}
}

const RECORD_END = '\\u001e';
/** The hub ends a connection that is silent for half a minute. */
const PING_EVERY_MS = 10_000;
`;

/** The whole file. */
export function clientSource(): string {
	const all = calls();
	const declared = all.map(
		({ name, summary, input, result }) =>
			`\t/** ${summary.replaceAll('*/', '* /')} */\n\t${name}: { input: ${typeOf(input)}; result: ${typeOf(result)} };`,
	);
	const routes = all.map(
		({ name, method, path, from }) => `\t${name}: [${[method, path, from].map((word) => `'${word}'`).join(', ')}],`,
	);
	const messages = hubMessages().map(([code, payload]) => `\t${code}: ${typeOf(payload)};`);
	return [
		'/** A client of the API, generated from its contract. Amounts are in the account’s currency, prices decimal odds. */\n',
		`export type ErrorCode = ${errorCodes()};\n`,
		`export interface Calls {\n${declared.join('\n')}\n}\n`,
		`/** The hub's messages by code. */\nexport interface HubMessages {\n${messages.join('\n')}\n}\n`,
		`const ROUTES: { readonly [Name in keyof Calls]: readonly [method: string, path: string, from: 'query' | 'body'] } = {\n${routes.join('\n')}\n};\n`,
		CLIENT,
	].join('\n');
}
