/** Where src casts what the compiler takes for something else (`as unknown as`, `as never`), and why nothing else will do. */
export const FORCED_CASTS: readonly { path: string; count: number; why: string }[] = [
	{
		path: 'src/console/api/security-key.ts',
		count: 2,
		why: 'The options are WebAuthn’s JSON, which the contract carries as an open record and the library defines.',
	},
	{
		path: 'src/contract/operators/fields.ts',
		count: 2,
		why: 'TypeScript cannot say that the entries of a generic schema include `kind` and `id`, nor that they stay.',
	},
	{
		path: 'src/server/doors/bots-api/operation.ts',
		count: 1,
		why: 'An operation forgets its own schema in a table of all; the dispatcher parses by that schema before it runs it.',
	},
	{
		path: 'src/server/doors/console/key-handlers.ts',
		count: 2,
		why: 'The answer of a security key is WebAuthn’s JSON; the library that verifies it reads it as untrusted.',
	},
	{
		path: 'src/server/calls/account.ts',
		count: 1,
		why: 'The answer of a passkey is WebAuthn’s JSON; the library that verifies it reads it as untrusted.',
	},
	{
		path: 'src/server/calls/factors.ts',
		count: 1,
		why: 'The answer of a passkey is WebAuthn’s JSON; the library that verifies it reads it as untrusted.',
	},
	{
		path: 'src/server/exchange/ledger/command-rows.ts',
		count: 1,
		why: 'Each command is written as a row before it is applied, so its fields are read by name without a copy.',
	},
	{
		path: 'src/web/live/hub-connection.ts',
		count: 1,
		why: 'Listeners are kept by code; TypeScript does not follow from a code to the message of that code in a map.',
	},
	{
		path: 'src/web/store/factors.ts',
		count: 2,
		why: 'The options are WebAuthn’s JSON, which the contract carries as an open record and the library defines.',
	},
	{
		path: 'src/web/routes/router.tsx',
		count: 3,
		why: 'Array.map loses the tuple of the rows, whose paths make links typed.',
	},
	{
		path: 'src/web/shell.worker.ts',
		count: 1,
		why: 'A service worker’s global object is typed as a window in a project that has the DOM.',
	},
];
