/**
 * Documents that prove who a player is. Aadhaar is none of them: who may store its number is regulated by a law of its
 * own, and the others prove the same.
 */
export const DOCUMENT_KINDS = ['PASSPORT', 'DRIVING_LICENCE', 'VOTER_ID', 'PAN'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Front and back, and two more where the pages are long. */
export const MOST_DOCUMENT_PICTURES = 4;

/** Why a withdrawal waits for its player's identity. */
export const IDENTITY_REASONS = ['FIRST_WITHDRAWAL', 'AMOUNT', 'TOTAL'] as const;
export type IdentityReason = (typeof IDENTITY_REASONS)[number];

/** Who is younger may not bet. */
export const OF_AGE = 18;
