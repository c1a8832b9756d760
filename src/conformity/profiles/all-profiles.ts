/** The profiles by the name that `npm run conformity -- --profile NAME` takes. */
import { brazil } from '#conformity/profiles/brazil.ts';
import { india } from '#conformity/profiles/india.ts';
import { italy } from '#conformity/profiles/italy.ts';
import { malta } from '#conformity/profiles/malta.ts';
import { ontario } from '#conformity/profiles/ontario.ts';
import { play } from '#conformity/profiles/play.ts';
import type { Profile } from '#conformity/profiles/profile.ts';
import { uk } from '#conformity/profiles/uk.ts';
import type { ProfileName } from '#values/profile-names.ts';

export const PROFILES: Readonly<Record<ProfileName, Profile>> = { play, uk, ontario, malta, brazil, italy, india };
