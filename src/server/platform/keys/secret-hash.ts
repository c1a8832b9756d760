/** The stored form of secrets with full entropy: tokens, recovery codes. */
import { hash } from 'node:crypto';

export const secretHash = (secret: string): string => hash('sha256', secret, 'base64url');
