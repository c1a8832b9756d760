/** Opens the public log over the leaves of all wings. Nothing is appended before it is started. */

import { batchLeaves } from '#server/exchange/ledger/log-batches.ts';
import type { Trading } from '#server/exchange/open-trading.ts';
import { MarketLeaves } from '#server/exchange/views/log-markets.ts';
import { pairLeaves } from '#server/money/casino/log-pairs.ts';
import { rulesSource } from '#server/money/casino/log-rules.ts';
import { roundLeaves } from '#server/money/casino/tables/log-rounds.ts';
import { treeLeaves } from '#server/money/liabilities/log-trees.ts';
import type { LeafSource } from '#server/platform/public-log/leaf-source.ts';
import { journalLeaves } from '#server/platform/public-log/log-journal.ts';
import { receiptLeaves } from '#server/platform/public-log/log-receipts.ts';
import { PublicLog } from '#server/platform/public-log/public-log.ts';
import type { Opening } from '#server/process/opening.ts';

export function openPublicLog(
	{ config, database, log }: Opening,
	{ trading }: { trading: Trading },
	started: AsyncDisposableStack,
): PublicLog {
	const markets = new MarketLeaves();
	trading.commits.follow(markets.onCommitted);
	const publicLog = new PublicLog({
		db: database.db,
		ledgerKey: config.ledgerKey,
		sources: [
			rulesSource(),
			pairLeaves,
			roundLeaves,
			batchLeaves,
			markets,
			journalLeaves,
			receiptLeaves,
			treeLeaves,
		] as LeafSource[],
		logger: log,
		clock: () => trading.exchange.now(),
	});
	started.defer(() => publicLog.stop());
	return publicLog;
}
