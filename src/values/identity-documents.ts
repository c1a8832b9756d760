/**
 * Documents that prove a player's identity. Aadhaar is excluded: a separate law regulates the storage of its number,
 * and the others prove the same.
 */
export const DOCUMENT_KINDS = ['PASSPORT', 'DRIVING_LICENCE', 'VOTER_ID', 'PAN'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Front and back, and two more for documents with several pages. */
export const MOST_DOCUMENT_PICTURES = 4;

/** Why a withdrawal waits for its player's identity. */
export const IDENTITY_REASONS = ['FIRST_WITHDRAWAL', 'AMOUNT', 'TOTAL'] as const;
export type IdentityReason = (typeof IDENTITY_REASONS)[number];

/** Younger persons may not bet. */
export const OF_AGE = 18;
