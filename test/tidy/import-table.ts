/**
 * Who may import whom. A folder not named in a row's list is out of bounds for it; the reason is in
 * docs/ARCHITECTURE.md. Types follow the same table unless the row says otherwise.
 */
export interface ImportRule {
	/** Files this row speaks of: those whose path starts so. The longest match decides. */
	from: string;
	/** Allowed imports, besides files below their own `from`. */
	to: readonly string[];
	/** Allowed imports of types. */
	typesFrom?: readonly string[];
}

const SERVER_BASE = [
	'src/values/',
	'src/contract/',
	'src/server/process/config.ts',
	'src/server/platform/pacing/back-off.ts',
	'src/server/platform/keys/data-keys.ts',
	'src/server/platform/keys/ledger-key.ts',
	'src/server/platform/keys/same-secret.ts',
	'src/server/platform/keys/secret-hash.ts',
	'src/server/platform/keys/signature.ts',
	'src/server/platform/pacing/most-at-once.ts',
	'src/server/platform/pacing/turns.ts',
];

const WIRE = ['src/values/', 'src/contract/'];
/** Shared by the site's state, its live connection and its orders. */
const STATE_BASE = ['src/web/api/', 'src/web/betting/', 'src/web/texts', 'src/web/pause.ts'];

export const IMPORT_TABLE: readonly ImportRule[] = [
	{ from: 'src/values/', to: [] },
	{ from: 'src/contract/', to: ['src/values/'] },
	{ from: 'src/engine/', to: ['src/values/'] },
	{ from: 'src/kernel/', to: [] },
	{ from: 'src/sports/', to: ['src/values/'] },
	{ from: 'src/studio/', to: [] },
	{ from: 'src/games/', to: ['src/values/'] },
	{ from: 'src/ui/', to: ['src/values/'] },

	{ from: 'src/server/', to: ['src/values/', 'src/contract/', 'src/engine/', 'src/sports/', 'src/games/'] },
	{ from: 'src/server/platform/bus/bus.ts', to: ['src/contract/'] },
	{ from: 'src/server/platform/bus/table-topics.ts', to: ['src/values/'] },
	{
		from: 'src/server/platform/bus/nats-bus.ts',
		to: ['src/values/', 'src/server/platform/bus/bus.ts', 'src/server/platform/bus/nats-interests.ts'],
	},
	{ from: 'src/server/platform/bus/nats-interests.ts', to: ['src/values/'] },
	{ from: 'src/server/platform/postgres/', to: SERVER_BASE },
	{
		from: 'src/server/exchange/',
		to: [...SERVER_BASE, 'src/engine/', 'src/server/platform/postgres/', 'src/server/platform/bus/bus.ts'],
		typesFrom: ['src/server/world/fixtures/'],
	},
	{
		from: 'src/server/process/metrics/',
		to: [...SERVER_BASE, 'src/server/exchange/standby/standby-status.ts'],
		typesFrom: ['src/server/exchange/', 'src/server/exchange/standby/'],
	},
	{
		from: 'src/server/doors/traces/',
		to: SERVER_BASE,
		typesFrom: ['src/server/calls/', 'src/server/exchange/'],
	},
	{ from: 'src/server/process/readiness.ts', to: ['src/server/platform/postgres/'] },
	{
		from: 'src/server/world/fixtures/',
		to: [...SERVER_BASE, 'src/server/platform/postgres/', 'src/server/platform/bus/bus.ts'],
	},
	{
		from: 'src/server/world/brands/',
		to: [...SERVER_BASE, 'src/server/platform/postgres/', 'src/server/platform/bus/bus.ts'],
	},
	{
		from: 'src/server/people/players/',
		to: [...SERVER_BASE, 'src/server/platform/postgres/', 'src/server/platform/bus/bus.ts'],
		typesFrom: ['src/server/exchange/', 'src/server/world/brands/'],
	},
	{
		from: 'src/server/world/markets/',
		to: [...SERVER_BASE, 'src/engine/market-types/', 'src/sports/random.ts', 'src/server/world/fixtures/'],
		typesFrom: ['src/server/exchange/', 'src/engine/'],
	},
	{
		from: 'src/server/world/feeds/',
		to: [
			...SERVER_BASE,
			'src/sports/',
			'src/server/platform/postgres/',
			'src/server/world/fixtures/',
			'src/server/world/markets/',
			'src/engine/market-types/',
		],
		typesFrom: ['src/server/exchange/'],
	},
	{
		from: 'src/server/doors/hub/',
		to: [
			...SERVER_BASE,
			'src/server/platform/bus/bus.ts',
			'src/server/platform/bus/table-topics.ts',
			'src/server/doors/http/host-name.ts',
		],
		typesFrom: [
			'src/server/exchange/',
			'src/server/world/fixtures/',
			'src/server/people/players/',
			'src/server/world/brands/',
			'src/server/platform/bus/nats-bus.ts',
		],
	},
	{
		from: 'src/server/money/cash-out/',
		to: [...SERVER_BASE, 'src/server/exchange/'],
	},
	{
		from: 'src/server/money/casino/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/server/platform/postgres/database-fault.ts',
			'src/server/exchange/',
			'src/server/platform/bus/bus.ts',
			'src/server/platform/bus/table-topics.ts',
			'src/server/money/funds/machines/finding.ts',
			'src/server/money/funds/operators/compare-books.ts',
		],
		typesFrom: ['src/server/money/funds/'],
	},
	{ from: 'src/server/people/persons/', to: [...SERVER_BASE, 'src/server/platform/postgres/'] },
	{ from: 'src/server/platform/media/', to: SERVER_BASE },
	{
		from: 'src/server/money/funds/',
		to: [
			...SERVER_BASE,
			'src/server/platform/postgres/',
			'src/server/exchange/',
			'src/server/people/persons/',
			'src/server/platform/media/',
		],
		typesFrom: ['src/server/world/brands/', 'src/server/people/players/', 'src/engine/'],
	},
	{
		from: 'src/server/calls/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/server/money/casino/',
			'src/server/money/cash-out/',
			'src/server/money/funds/',
			'src/server/people/players/',
			'src/server/world/brands/',
			'src/server/world/fixtures/',
			'src/server/exchange/',
			'src/server/platform/postgres/',
		],
		typesFrom: ['src/server/doors/http/', 'src/server/people/persons/', 'src/engine/'],
	},
	{
		from: 'src/server/doors/http/',
		to: [
			...SERVER_BASE,
			'src/server/calls/',
			'src/server/people/players/',
			'src/server/world/brands/',
			'src/server/operators/',
		],
		typesFrom: [
			'src/server/exchange/',
			'src/server/world/fixtures/',
			'src/server/world/markets/',
			'src/server/money/cash-out/',
			'src/server/money/casino/',
			'src/server/doors/traces/',
		],
	},
	{
		from: 'src/server/doors/bots-api/',
		to: [
			...SERVER_BASE,
			'src/engine/market-types/',
			'src/server/doors/http/',
			'src/server/calls/',
			'src/server/people/players/',
			'src/server/world/brands/',
			'src/server/world/fixtures/',
			'src/server/exchange/',
			'src/server/platform/postgres/',
		],
		typesFrom: ['src/engine/'],
	},
	{
		from: 'src/server/operators/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/server/money/casino/',
			'src/engine/effect.ts',
			'src/engine/market-types/',
			'src/server/people/players/',
			'src/server/world/brands/',
			'src/server/world/fixtures/',
			'src/server/money/funds/',
			'src/server/exchange/',
			'src/server/calls/statement-rows.ts',
			'src/server/people/persons/',
			'src/server/world/markets/',
			'src/server/platform/postgres/',
		],
		typesFrom: ['src/server/doors/http/', 'src/server/people/staff/', 'src/server/process/hand-over/', 'src/engine/'],
	},
	{
		from: 'src/server/people/staff/',
		to: [...SERVER_BASE, 'src/server/platform/postgres/', 'src/server/people/players/'],
	},
	{
		from: 'src/server/doors/console/',
		to: [...SERVER_BASE, 'src/server/operators/', 'src/server/people/staff/', 'src/server/doors/http/'],
	},
	{
		from: 'src/server/process/start.ts',
		to: ['src/values/', 'src/contract/', 'src/server/'],
	},
	{
		from: 'src/server/process/start-gateway.ts',
		to: [
			'src/values/',
			'src/server/process/config.ts',
			'src/server/process/log.ts',
			'src/server/platform/bus/nats-bus.ts',
			'src/server/doors/http/',
			'src/server/doors/hub/',
			'src/server/process/metrics/',
			'src/server/doors/traces/',
			'src/server/doors/gateway/',
			'src/server/people/players/login-tokens.ts',
		],
	},
	{
		from: 'src/server/doors/gateway/',
		to: [
			...SERVER_BASE,
			'src/server/calls/answer-calls.ts',
			'src/server/calls/checked-call.ts',
			'src/server/calls/shown-handlers.ts',
			'src/server/world/brands/brand-with.ts',
			'src/server/doors/hub/questions.ts',
		],
		typesFrom: [
			'src/server/platform/bus/nats-bus.ts',
			'src/server/people/players/',
			'src/server/world/brands/',
			'src/server/calls/',
			'src/server/exchange/',
			'src/server/world/fixtures/',
			'src/server/doors/hub/',
			'src/engine/',
		],
	},
	{
		from: 'src/server/exchange/standby/',
		to: [
			...SERVER_BASE,
			'src/server/platform/postgres/',
			'src/server/exchange/',
			'src/server/platform/pacing/stages.ts',
		],
		typesFrom: ['src/engine/'],
	},
	{
		from: 'src/server/process/start-standby.ts',
		to: [
			'src/server/doors/gateway/call-messages.ts',
			'src/server/process/config.ts',
			'src/server/process/log.ts',
			'src/server/process/open-database.ts',
			'src/server/process/rehearse.ts',
			'src/server/platform/pacing/stages.ts',
			'src/server/calls/checked-call.ts',
			'src/server/money/casino/providers/provider-games.ts',
			'src/server/process/hand-over/',
			'src/server/operators/operator-key.ts',
			'src/server/exchange/',
			'src/server/doors/http/',
			'src/server/process/metrics/',
			'src/server/exchange/standby/',
			'src/server/process/start.ts',
		],
	},
	{ from: 'src/server/main.ts', to: ['src/server/'] },

	// The site, from the wire to the screen; each room sees those above it.
	{ from: 'src/web/', to: [] },
	{ from: 'src/web/api/', to: [...WIRE, 'src/web/texts'] },
	{ from: 'src/web/betting/', to: ['src/values/'], typesFrom: ['src/web/api/'] },
	{ from: 'src/web/format.ts', to: ['src/values/'], typesFrom: ['src/web/betting/'] },
	{ from: 'src/web/texts', to: ['src/values/'], typesFrom: ['src/contract/', 'src/web/betting/'] },
	{ from: 'src/web/store/', to: [...WIRE, ...STATE_BASE] },
	{ from: 'src/web/live/', to: [...WIRE, ...STATE_BASE, 'src/web/store/'] },
	{ from: 'src/web/orders/', to: [...WIRE, ...STATE_BASE, 'src/web/store/', 'src/web/live/', 'src/web/format.ts'] },
	{ from: 'src/web/features/', to: [] },
	{ from: 'src/web/routes/', to: [...WIRE, 'src/ui/', 'src/web/'] },
	{ from: 'src/console/', to: WIRE },
	// A brand's look is shown in the site's own colours.
	{ from: 'src/console/parts/look-preview.tsx', to: [...WIRE, 'src/console/', 'src/web/styles/tokens.css'] },
	{ from: 'src/web/main.tsx', to: [...WIRE, 'src/ui/', 'src/web/'] },
];

/** Allowed imports of a feature of the site, besides its own folder. */
export const FEATURE_MAY_IMPORT = [
	'src/values/',
	'src/games/',
	'src/contract/',
	'src/ui/',
	'src/web/api/',
	'src/web/betting/',
	'src/web/store/',
	'src/web/live/',
	'src/web/orders/',
	'src/web/texts',
	'src/web/format.ts',
	'src/web/date-range.ts',
];

/** Files that are started, not imported. */
export const ENTRIES: readonly RegExp[] = [
	/^src\/studio\/(main|studio-server)\.ts$/,
	/^test\/support\/(shifted-clock|quick-passwords|leaves-nothing)\.ts$/,
	/^src\/server\/media\/media-process\.ts$/,
	/^src\/kernel\/kernel\.ts$/,
	/^src\/server\/main\.ts$/,
	/^src\/server\/operator\/command-line\.ts$/,
	/^src\/web\/(begin\.ts|main\.tsx)$/,
	/^src\/console\/main\.tsx$/,
	/^src\/web\/.*\.worker\.ts$/,
	// The build's two files of each language (vite.config.ts).
	/^src\/web\/texts\/[a-z]+\/(first|more)\.ts$/,
	/^tools\//,
	/^bench\//,
	/^test\/.*\.test\.tsx?$/,
	/^test\/support\/global-setup\.ts$/,
	/^(vite|vite\.console|vitest)\.config\.ts$/,
];
