/** The stored form of secrets with full entropy: tokens, recovery codes. */
import { createHash } from 'node:crypto';

export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
