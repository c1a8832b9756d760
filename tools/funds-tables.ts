/** `npm run funds-tables`: regenerates the tables of docs/FUNDS.md from the machines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from '../src/server/money/funds/machine-table.ts';

const FILE = 'docs/FUNDS.md';
writeFileSync(FILE, withTables(readFileSync(FILE, 'utf8')));
