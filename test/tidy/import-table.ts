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
	'src/server/config.ts',
	'src/server/back-off.ts',
	'src/server/data-keys.ts',
	'src/server/ledger-key.ts',
	'src/server/same-secret.ts',
	'src/server/secret-hash.ts',
	'src/server/signature.ts',
	'src/server/most-at-once.ts',
	'src/server/turns.ts',
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
	{ from: 'src/server/bus.ts', to: ['src/contract/'] },
	{ from: 'src/server/table-topics.ts', to: ['src/values/'] },
	{ from: 'src/server/nats-bus.ts', to: ['src/values/', 'src/server/bus.ts', 'src/server/nats-interests.ts'] },
	{ from: 'src/server/nats-interests.ts', to: ['src/values/'] },
	{ from: 'src/server/db/', to: SERVER_BASE },
	{
		from: 'src/server/exchange/',
		to: [...SERVER_BASE, 'src/engine/', 'src/server/db/', 'src/server/bus.ts'],
		typesFrom: ['src/server/fixtures/'],
	},
	{
		from: 'src/server/metrics/',
		to: [...SERVER_BASE, 'src/server/exchange/standby-status.ts'],
		typesFrom: ['src/server/exchange/', 'src/server/standby/'],
	},
	{
		from: 'src/server/traces/',
		to: SERVER_BASE,
		typesFrom: ['src/server/calls/', 'src/server/exchange/'],
	},
	{ from: 'src/server/readiness.ts', to: ['src/server/db/'] },
	{ from: 'src/server/fixtures/', to: [...SERVER_BASE, 'src/server/db/', 'src/server/bus.ts'] },
	{ from: 'src/server/brands/', to: [...SERVER_BASE, 'src/server/db/', 'src/server/bus.ts'] },
	{
		from: 'src/server/players/',
		to: [...SERVER_BASE, 'src/server/db/', 'src/server/bus.ts'],
		typesFrom: ['src/server/exchange/', 'src/server/brands/'],
	},
	{
		from: 'src/server/markets/',
		to: [...SERVER_BASE, 'src/engine/market-types/', 'src/sports/random.ts', 'src/server/fixtures/'],
		typesFrom: ['src/server/exchange/', 'src/engine/'],
	},
	{
		from: 'src/server/feeds/',
		to: [
			...SERVER_BASE,
			'src/sports/',
			'src/server/db/',
			'src/server/fixtures/',
			'src/server/markets/',
			'src/engine/market-types/',
		],
		typesFrom: ['src/server/exchange/'],
	},
	{
		from: 'src/server/hub/',
		to: [...SERVER_BASE, 'src/server/bus.ts', 'src/server/table-topics.ts', 'src/server/http/host-name.ts'],
		typesFrom: [
			'src/server/exchange/',
			'src/server/fixtures/',
			'src/server/players/',
			'src/server/brands/',
			'src/server/nats-bus.ts',
		],
	},
	{
		from: 'src/server/cash-out/',
		to: [...SERVER_BASE, 'src/server/exchange/'],
	},
	{
		from: 'src/server/casino/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/server/db/database-fault.ts',
			'src/server/exchange/',
			'src/server/bus.ts',
			'src/server/table-topics.ts',
			'src/server/funds/machines/finding.ts',
			'src/server/funds/operators/compare-books.ts',
		],
		typesFrom: ['src/server/funds/'],
	},
	{ from: 'src/server/persons/', to: [...SERVER_BASE, 'src/server/db/'] },
	{ from: 'src/server/media/', to: SERVER_BASE },
	{
		from: 'src/server/funds/',
		to: [...SERVER_BASE, 'src/server/db/', 'src/server/exchange/', 'src/server/persons/', 'src/server/media/'],
		typesFrom: ['src/server/brands/', 'src/server/players/', 'src/engine/'],
	},
	{
		from: 'src/server/calls/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/server/casino/',
			'src/server/cash-out/',
			'src/server/funds/',
			'src/server/players/',
			'src/server/brands/',
			'src/server/fixtures/',
			'src/server/exchange/',
			'src/server/db/',
		],
		typesFrom: ['src/server/http/', 'src/server/persons/', 'src/engine/'],
	},
	{
		from: 'src/server/http/',
		to: [...SERVER_BASE, 'src/server/calls/', 'src/server/players/', 'src/server/brands/', 'src/server/operator/'],
		typesFrom: [
			'src/server/exchange/',
			'src/server/fixtures/',
			'src/server/markets/',
			'src/server/cash-out/',
			'src/server/casino/',
			'src/server/traces/',
		],
	},
	{
		from: 'src/server/bots-api/',
		to: [
			...SERVER_BASE,
			'src/engine/market-types/',
			'src/server/http/',
			'src/server/calls/',
			'src/server/players/',
			'src/server/brands/',
			'src/server/fixtures/',
			'src/server/exchange/',
			'src/server/db/',
		],
		typesFrom: ['src/engine/'],
	},
	{
		from: 'src/server/operator/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/server/casino/',
			'src/engine/effect.ts',
			'src/engine/market-types/',
			'src/server/players/',
			'src/server/brands/',
			'src/server/fixtures/',
			'src/server/funds/',
			'src/server/exchange/',
			'src/server/calls/statement-rows.ts',
			'src/server/persons/',
			'src/server/markets/',
			'src/server/db/',
		],
		typesFrom: ['src/server/http/', 'src/server/staff/', 'src/server/hand-over/', 'src/engine/'],
	},
	{
		from: 'src/server/staff/',
		to: [...SERVER_BASE, 'src/server/db/', 'src/server/players/'],
	},
	{
		from: 'src/server/console/',
		to: [...SERVER_BASE, 'src/server/operator/', 'src/server/staff/', 'src/server/http/'],
	},
	{
		from: 'src/server/start.ts',
		to: ['src/values/', 'src/contract/', 'src/server/'],
	},
	{
		from: 'src/server/start-gateway.ts',
		to: [
			'src/values/',
			'src/server/config.ts',
			'src/server/log.ts',
			'src/server/nats-bus.ts',
			'src/server/http/',
			'src/server/hub/',
			'src/server/metrics/',
			'src/server/traces/',
			'src/server/gateway/',
			'src/server/players/login-tokens.ts',
		],
	},
	{
		from: 'src/server/gateway/',
		to: [
			...SERVER_BASE,
			'src/server/calls/answer-calls.ts',
			'src/server/calls/checked-call.ts',
			'src/server/calls/shown-handlers.ts',
			'src/server/brands/brand-with.ts',
			'src/server/hub/questions.ts',
		],
		typesFrom: [
			'src/server/nats-bus.ts',
			'src/server/players/',
			'src/server/brands/',
			'src/server/calls/',
			'src/server/exchange/',
			'src/server/fixtures/',
			'src/server/hub/',
			'src/engine/',
		],
	},
	{
		from: 'src/server/standby/',
		to: [...SERVER_BASE, 'src/server/db/', 'src/server/exchange/', 'src/server/stages.ts'],
		typesFrom: ['src/engine/'],
	},
	{
		from: 'src/server/start-standby.ts',
		to: [
			'src/server/gateway/call-messages.ts',
			'src/server/config.ts',
			'src/server/log.ts',
			'src/server/open-database.ts',
			'src/server/rehearse.ts',
			'src/server/stages.ts',
			'src/server/calls/checked-call.ts',
			'src/server/casino/providers/provider-games.ts',
			'src/server/hand-over/',
			'src/server/operator/operator-key.ts',
			'src/server/exchange/',
			'src/server/http/',
			'src/server/metrics/',
			'src/server/standby/',
			'src/server/start.ts',
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
