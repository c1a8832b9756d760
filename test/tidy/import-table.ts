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

const WIRE = ['src/values/', 'src/contract/'];
/** What every wing of the server may use. */
const SERVER_BASE = [...WIRE, 'src/server/platform/'];
/** Shared by the site's state, its live connection and its orders. */
const STATE_BASE = ['src/web/api/', 'src/web/betting/', 'src/web/texts', 'src/web/pause.ts', 'src/web/soon.ts'];

export const IMPORT_TABLE: readonly ImportRule[] = [
	{ from: 'src/values/', to: [] },
	{ from: 'src/contract/', to: ['src/values/'] },
	{ from: 'src/engine/', to: ['src/values/'] },
	{ from: 'src/kernel/', to: [] },
	{ from: 'src/sports/', to: ['src/values/'] },
	{ from: 'src/studio/', to: [] },
	{ from: 'src/games/', to: ['src/values/'] },
	{ from: 'src/public-log/', to: [] },
	// Data that the documents, a tool and the rules of brands are made from.
	{ from: 'src/conformity/', to: ['src/values/'] },
	{ from: 'src/ui/', to: ['src/values/'] },

	// The server's wings, from the ground up: docs/ARCHITECTURE.md has the same arrows, and the tidy test compares them.
	{ from: 'src/server/platform/keys/', to: [] },
	{ from: 'src/server/platform/machine/', to: [] },
	{ from: 'src/server/platform/memory/', to: [] },
	{ from: 'src/server/platform/outside/', to: [] },
	{ from: 'src/server/platform/pacing/', to: [] },
	{ from: 'src/server/platform/bus/', to: WIRE },
	{
		from: 'src/server/platform/public-log/',
		to: [
			'src/values/',
			'src/public-log/',
			'src/server/platform/keys/',
			'src/server/platform/pacing/',
			'src/server/platform/postgres/',
		],
	},
	{
		from: 'src/server/platform/postgres/',
		to: ['src/values/', 'src/server/platform/keys/', 'src/server/platform/machine/', 'src/server/platform/pacing/'],
	},
	{
		from: 'src/server/platform/mail/',
		to: ['src/values/', 'src/server/platform/pacing/'],
	},
	{ from: 'src/server/platform/media/', to: ['src/values/', 'src/server/platform/machine/'] },
	{ from: 'src/server/exchange/', to: [...SERVER_BASE, 'src/engine/'] },
	{ from: 'src/server/world/', to: SERVER_BASE },
	{ from: 'src/server/world/brands/', to: [...SERVER_BASE, 'src/conformity/profiles/'] },
	{ from: 'src/server/world/fixtures/', to: SERVER_BASE, typesFrom: ['src/server/exchange/'] },
	{
		from: 'src/server/world/markets/',
		to: [...SERVER_BASE, 'src/engine/market-types/', 'src/sports/random.ts', 'src/server/world/fixtures/'],
		typesFrom: ['src/server/exchange/', 'src/engine/'],
	},
	{
		from: 'src/server/world/feeds/',
		to: [
			...SERVER_BASE,
			'src/engine/market-types/',
			'src/sports/',
			'src/server/world/fixtures/',
			'src/server/world/markets/',
		],
		typesFrom: ['src/server/exchange/'],
	},
	{ from: 'src/server/people/factors/', to: SERVER_BASE },
	{
		from: 'src/server/people/players/',
		to: [...SERVER_BASE, 'src/server/people/factors/', 'src/server/people/persons/'],
		typesFrom: ['src/server/exchange/', 'src/server/world/brands/'],
	},
	{
		from: 'src/server/people/push/',
		to: SERVER_BASE,
		typesFrom: ['src/server/exchange/', 'src/server/world/brands/', 'src/server/world/fixtures/'],
	},
	{ from: 'src/server/people/persons/', to: SERVER_BASE },
	{ from: 'src/server/people/support/', to: SERVER_BASE },
	{
		from: 'src/server/people/staff/',
		to: [...SERVER_BASE, 'src/server/people/factors/', 'src/server/people/players/'],
	},
	{
		from: 'src/server/money/funds/',
		to: [...SERVER_BASE, 'src/server/exchange/', 'src/server/people/persons/'],
		typesFrom: ['src/engine/', 'src/server/world/brands/', 'src/server/people/players/'],
	},
	{
		from: 'src/server/money/casino/',
		to: [...SERVER_BASE, 'src/games/', 'src/server/exchange/', 'src/server/money/funds/'],
	},
	{
		from: 'src/server/money/liabilities/',
		to: [...SERVER_BASE, 'src/public-log/'],
	},
	{ from: 'src/server/money/cash-out/', to: [...SERVER_BASE, 'src/server/exchange/'] },
	{
		from: 'src/server/calls/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/public-log/',
			'src/server/exchange/',
			'src/server/world/',
			'src/server/people/',
			'src/server/money/',
		],
		typesFrom: ['src/engine/'],
	},
	{
		from: 'src/server/operators/',
		to: [
			...SERVER_BASE,
			'src/games/',
			'src/engine/effect.ts',
			'src/engine/market-types/',
			'src/server/exchange/',
			'src/server/world/',
			'src/server/people/',
			'src/server/money/',
			'src/server/calls/money-summary.ts',
			'src/server/calls/statement-rows.ts',
		],
		typesFrom: ['src/engine/', 'src/server/calls/handler.ts'],
	},
	{
		from: 'src/server/doors/',
		to: [...SERVER_BASE, 'src/server/operators/'],
		typesFrom: [
			'src/server/exchange/',
			'src/server/world/',
			'src/server/people/',
			'src/server/money/',
			'src/server/calls/',
		],
	},
	{
		from: 'src/server/doors/traces/',
		to: SERVER_BASE,
		typesFrom: ['src/server/calls/', 'src/server/exchange/'],
	},
	{
		from: 'src/server/doors/http/',
		to: [
			...SERVER_BASE,
			'src/public-log/',
			'src/server/calls/',
			'src/server/people/',
			'src/server/world/',
			'src/server/operators/',
		],
		typesFrom: ['src/server/money/', 'src/server/doors/traces/'],
	},
	{
		from: 'src/server/doors/hub/',
		to: [...SERVER_BASE, 'src/server/doors/http/host-name.ts'],
		typesFrom: ['src/server/exchange/', 'src/server/world/', 'src/server/people/'],
	},
	{
		from: 'src/server/doors/gateway/',
		to: [...SERVER_BASE, 'src/server/calls/', 'src/server/world/brands/', 'src/server/doors/hub/'],
		typesFrom: ['src/engine/', 'src/server/exchange/', 'src/server/people/', 'src/server/world/fixtures/'],
	},
	{
		from: 'src/server/doors/bots-api/',
		to: [
			...SERVER_BASE,
			'src/engine/market-types/',
			'src/server/exchange/',
			'src/server/world/',
			'src/server/people/',
			'src/server/calls/',
			'src/server/doors/http/',
		],
		typesFrom: ['src/engine/'],
	},
	{
		from: 'src/server/doors/console/',
		to: [
			...SERVER_BASE,
			'src/server/people/factors/',
			'src/server/people/staff/',
			'src/server/operators/',
			'src/server/doors/http/',
		],
	},
	{
		from: 'src/server/process/',
		to: [
			...SERVER_BASE,
			'src/engine/',
			'src/server/exchange/',
			'src/server/world/',
			'src/server/people/',
			'src/server/money/',
			'src/server/calls/',
			'src/server/operators/',
			'src/server/doors/',
		],
	},
	{
		from: 'src/server/process/metrics/',
		to: [...SERVER_BASE, 'src/server/exchange/'],
		typesFrom: ['src/server/doors/http/'],
	},
	{ from: 'src/server/process/health/', to: [...SERVER_BASE, 'src/server/exchange/'] },
	{
		from: 'src/server/process/hand-over/',
		to: [
			...SERVER_BASE,
			'src/server/exchange/',
			'src/server/calls/',
			'src/server/operators/',
			'src/server/doors/gateway/',
		],
	},
	{ from: 'src/server/main.ts', to: ['src/server/'] },

	// The site, from the wire to the screen; each room sees those above it.
	{ from: 'src/web/', to: [] },
	{ from: 'src/web/api/', to: [...WIRE, 'src/web/texts'] },
	{
		from: 'src/web/betting/',
		to: ['src/values/', 'src/web/typed-amount.ts', 'src/web/typed-odds.ts'],
		typesFrom: ['src/web/api/'],
	},
	{ from: 'src/web/date-range.ts', to: ['src/values/', 'src/web/store/server-clock.ts'] },
	{ from: 'src/web/currency.ts', to: ['src/values/'] },
	{ from: 'src/web/currency-sizes.ts', to: ['src/values/', 'src/web/currency.ts'] },
	{ from: 'src/web/typed-amount.ts', to: ['src/values/', 'src/web/currency.ts'] },
	{ from: 'src/web/typed-odds.ts', to: ['src/values/', 'src/web/format.ts'] },
	{ from: 'src/web/format.ts', to: ['src/values/', 'src/web/currency.ts'], typesFrom: ['src/web/betting/'] },
	{
		from: 'src/web/texts',
		to: ['src/values/', 'src/web/currency.ts', 'src/web/currency-sizes.ts'],
		typesFrom: ['src/contract/', 'src/web/betting/'],
	},
	{ from: 'src/web/store/', to: [...WIRE, ...STATE_BASE] },
	{ from: 'src/web/live/', to: [...WIRE, ...STATE_BASE, 'src/web/store/'] },
	{
		from: 'src/web/orders/',
		to: [
			...WIRE,
			...STATE_BASE,
			'src/web/store/',
			'src/web/live/',
			'src/web/format.ts',
			'src/web/typed-amount.ts',
			'src/web/typed-odds.ts',
		],
	},
	{ from: 'src/web/features/', to: [] },
	{ from: 'src/web/routes/', to: [...WIRE, 'src/ui/', 'src/web/'] },
	{ from: 'src/console/', to: [...WIRE, 'src/ui/'] },
	{ from: 'src/web/main.tsx', to: [...WIRE, 'src/ui/', 'src/web/'] },
];

/** Allowed imports of a feature of the site, besides its own folder. */
export const FEATURE_MAY_IMPORT = [
	'src/values/',
	'src/games/',
	'src/public-log/',
	'src/contract/',
	'src/ui/',
	'src/web/api/',
	'src/web/betting/',
	'src/web/store/',
	'src/web/live/',
	'src/web/orders/',
	'src/web/texts',
	'src/web/currency.ts',
	'src/web/currency-sizes.ts',
	'src/web/typed-amount.ts',
	'src/web/typed-odds.ts',
	'src/web/format.ts',
	'src/web/date-range.ts',
	'src/web/pause.ts',
	'src/web/release.ts',
];

/** Files that are started, not imported. */
export const ENTRIES: readonly RegExp[] = [
	/^src\/studio\/(main|studio-server|payments\/payment-main|exclusions\/exclusion-main)\.ts$/,
	/^test\/support\/(shifted-clock|quick-passwords|leaves-nothing)\.ts$/,
	/^src\/server\/money\/casino\/beacon\/signature-worker\.ts$/,
	/^src\/server\/exchange\/standby\/life-signs-worker\.ts$/,
	/^src\/server\/platform\/media\/media-process\.ts$/,
	/^src\/server\/money\/liabilities\/tree-process\.ts$/,
	/^src\/kernel\/kernel\.ts$/,
	/^src\/server\/main\.ts$/,
	/^src\/server\/operators\/command-line\.ts$/,
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
