/** The OpenAPI document, generated from the contract. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { type Call, takesRequestId } from '#contract/call.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import { CALLS } from '#contract/registry.ts';
import { ERRORS } from '#values/error-catalogue.ts';

const schemaOf = (schema: v.GenericSchema, typeMode: 'input' | 'output' = 'input'): Record<string, unknown> => {
	const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' });
	return rest;
};

const envelope = (result: object) => ({
	type: 'object',
	required: ['success', 'result', 'error', 'unAuthorizedRequest'],
	properties: {
		success: { type: 'boolean' },
		result,
		error: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Error' }] },
		unAuthorizedRequest: { type: 'boolean' },
	},
});

const ERROR = {
	type: 'object',
	required: ['code', 'message', 'details', 'validationErrors'],
	properties: {
		code: { type: 'string', enum: Object.keys(ERRORS) },
		message: { type: 'string' },
		details: { type: 'object' },
		validationErrors: {
			type: 'array',
			items: { type: 'object', properties: { member: { type: 'string' }, message: { type: 'string' } } },
		},
	},
};

const IDEMPOTENCY_KEY = {
	name: 'Idempotency-Key',
	in: 'header',
	required: false,
	description: 'The clientRequestId of the body once more; another key is refused. Other calls refuse the header.',
	schema: { type: 'string' },
};

/** The answer of a rate-limited call; its header says how long to wait. */
const THROTTLED = {
	description: 'Too many requests',
	headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
	content: { 'application/json': { schema: envelope({ type: 'null' }) } },
};

const bodiesOf = ({ takesForm }: Call, schema: object): object => ({
	'application/json': { schema },
	...(takesForm ? { 'application/x-www-form-urlencoded': { schema } } : {}),
});

function operation(name: string, call: Call): object {
	const request = schemaOf(call.request);
	const properties = (request['properties'] ?? {}) as Record<string, object>;
	const required = (request['required'] ?? []) as string[];
	const inQuery = call.from === 'query' ? Object.entries(properties) : [];
	const parameters = [
		...inQuery.map(([field, schema]) => ({ name: field, in: 'query', required: required.includes(field), schema })),
		...(takesRequestId(call) ? [IDEMPOTENCY_KEY] : []),
	];
	const input = {
		...(parameters.length > 0 ? { parameters } : {}),
		...(call.from === 'body' ? { requestBody: { required: true, content: bodiesOf(call, request) } } : {}),
	};
	return {
		operationId: name,
		summary: call.summary,
		...input,
		...(call.auth === 'none' ? {} : { security: call.auth === 'player' ? [{ bearer: [] }] : [{}, { bearer: [] }] }),
		responses: {
			200: {
				description: 'Success',
				content: { 'application/json': { schema: envelope(schemaOf(call.response)) } },
			},
			429: THROTTLED,
			default: {
				description: 'A refusal',
				content: { 'application/json': { schema: envelope({ type: 'null' }) } },
			},
		},
	};
}

/** Not a call, but a file that clients poll. */
const DOMAIN_SETTING = {
	operationId: 'domainSetting',
	summary: 'What a domain looks like and may do; "default" is the host of domains without a setting of their own.',
	parameters: [
		{ name: 'host', in: 'path', required: true, schema: { type: 'string' } },
		{ name: 'v', in: 'query', required: false, schema: { type: 'integer', minimum: 100, maximum: 1000 } },
		{ name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } },
	],
	responses: {
		200: {
			description: 'Success, with an ETag',
			content: { 'application/json': { schema: envelope(schemaOf(DomainSetting, 'output')) } },
		},
		304: { description: 'Unchanged' },
		default: {
			description: 'A refusal',
			content: { 'application/json': { schema: envelope({ type: 'null' }) } },
		},
	},
};

let made: object | null = null;

/** Built once: a takeover has no time for it. */
export function openApiDocument(): object {
	made ??= makeDocument();
	return made;
}

let written: string | null = null;

/** The document as text, written once. */
export function openApiText(): string {
	written ??= JSON.stringify(openApiDocument());
	return written;
}

function makeDocument(): object {
	const paths: Record<string, object> = { '/domain-settings/{host}.json': { get: DOMAIN_SETTING } };
	for (const [name, call] of Object.entries<Call>(CALLS)) {
		paths[`/${call.path}`] = { [call.method.toLowerCase()]: operation(name, call) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Backlay', version: '1', description: 'The calls of the players’ site.' },
		paths,
		components: { schemas: { Error: ERROR }, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
	};
}
