import type { HandlersOf } from '#server/calls/handler.ts';

/** How long a client may keep a copy. The page polls the file itself each second and does not need this. */
const HELD_MS = 60_000;

export const settingHandlers = (): HandlersOf<'getSetting' | 'getSettingExpiry'> => ({
	getSetting: ({ name }, { visitor }) => ({ name, value: visitor.brand.setting[name] }),
	getSettingExpiry: (_, { visitor }) => ({
		version: visitor.brand.setting.version,
		expiresAt: new Date(Date.now() + HELD_MS).toISOString(),
	}),
});
