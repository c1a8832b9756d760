/** Faults of the kinds that lie between processes and clocks, each of which the simulation has to find. */

interface Change {
	/** Its path in the repository. */
	file: string;
	from: string;
	to: string;
}

export interface PlantedFault {
	name: string;
	/** What is wrong, in words. */
	what: string;
	changes: readonly Change[];
}

const EXCHANGE = 'src/server/exchange';
const inFile =
	(file: string) =>
	(name: string, what: string, ...pairs: readonly (readonly [from: string, to: string])[]): PlantedFault => ({
		name,
		what,
		changes: pairs.map(([from, to]) => ({ file: `${EXCHANGE}/${file}`, from, to })),
	});

const batchWriter = inFile('ledger/batch-writer.ts');
const statement = inFile('ledger/batch-statement.ts');
const committer = inFile('ledger/committer.ts');
const recovery = inFile('recovery/recovery.ts');
const sequencer = inFile('order/sequencer.ts');
const exchange = inFile('open-exchange.ts');
const standby = inFile('standby/standby.ts');
const follower = inFile('standby/follower.ts');
const followers = inFile('standby/followers.ts');

export const PLANTED_FAULTS: readonly PlantedFault[] = [
	batchWriter('ack-before-commit', 'A call is answered when it is applied, and not when its batch is durable.', [
		`if (!this.#writing) this.#writing = this.#write();
		else if (this.#follow && this.#mayFollow()) this.#follow();
		return answer;`,
		`if (!this.#writing) this.#writing = this.#write();
		else if (this.#follow && this.#mayFollow()) this.#follow();
		answer.catch(() => undefined);
		return Promise.resolve(receipt);`,
	]),
	batchWriter('unknown-is-certain', 'A batch whose outcome is unknown is refused as if nothing had been done.', [
		`reject(new Refused('OUTCOME_UNKNOWN'))`,
		`reject(new Refused('STARTING'))`,
	]),
	statement('fence-open', 'The fence lets every batch through, of any epoch and after any other batch.', [
		'where id = 1 and epoch = $1::bigint and batch = $12::bigint ',
		'where id = 1 and ($1::bigint is not null and $12::bigint is not null) ',
	]),
	statement('deadline-not-sent', 'The database writes a batch however late it comes to it.', [
		`and ($9::float8 is null or \${CLOCK} <= $9::float8) returning 1`,
		`and ($9::float8 is null or \${CLOCK} is not null) returning 1`,
	]),
	committer('quotes-not-followed', 'The commands of batches that are not written are missing in the next rows.', [
		'encodeCommands(this.#unwritten)',
		'encodeCommands(batch.inputs)',
	]),
	committer(
		'quotes-followed-twice',
		'The commands of batches that are not written are in the rows of every later batch.',
		[
			`this.#unwritten = [];
		const arrays`,
			'const arrays',
		],
	),
	committer('rejected-is-written', 'A batch that the fence rejected counts as written.', [
		`if (passed || (await this.#isWritten(sealed, untilMs))) break;`,
		`if (passed || (await this.#isWritten(sealed, untilMs)) || true) break;`,
	]),
	committer('deposed-not-noticed', 'A process that lost the lease takes its rejected batch for written.', [
		'throw new Deposed(lease?.batch === writtenSeq + MOST_UNWRITTEN);',
		'return true;',
	]),
	inFile('order/live-bets.ts')(
		'behind-is-forgotten',
		'A durable batch takes with it what the batch behind it changed.',
		['this.#sealed.shift();', 'this.#sealed.length = 0;'],
	),
	recovery('epoch-reused', 'A standby that takes over keeps the epoch of the exchange.', [
		`\`update lease set epoch = \${NEXT_EPOCH}, batch = batch + $3,`,
		'`update lease set epoch = epoch, batch = batch + $3,',
	]),
	recovery(
		'takeover-of-any-batch',
		'A standby takes the lease although the exchange wrote a batch that it has not applied.',
		[
			'where id = 1 and epoch = $1::bigint and batch = $2::bigint and',
			'where id = 1 and epoch = $1::bigint and $2::bigint is not null and',
		],
	),
	recovery(
		'batch-numbers-again',
		'An exchange uses the numbers of unwritten batches again, with which quotes were published.',
		[
			'set epoch = ${NEXT_EPOCH}, batch = batch + $3, beats = true',
			'set epoch = ${NEXT_EPOCH}, batch = batch + 0 * $3, beats = true',
		],
	),
	recovery('delays-not-read', 'A recovery does not read which bets are in their delay.', [
		'fills, delay, on_close',
		'fills, null as delay, on_close',
	]),
	exchange('lease-from-anyone', 'A process that recovers takes the lease from whichever process has it.', [
		`succession,
					beats: commandRows,`,
		'beats: commandRows,',
	]),
	exchange('found-batch-wrong', 'After a recovery the batch that was on its way counts as written.', [
		'failed.sequencer.settle(recovered.foundBatch);',
		'failed.sequencer.settle(recovered.batchSeq);',
	]),
	exchange('old-shown-as-fresh', 'A process shows what it has in memory however long no batch was confirmed.', [
		`isFresh(): boolean {
		return this.#running.sequencer.isFresh();`,
		`isFresh(): boolean {
		return true;`,
	]),
	sequencer('delays-forgotten', 'A process that takes over does not know when bets leave their delay.', [
		'for (const { betId, dueAtMs } of options.engine.pendingBets()) this.#delayed.schedule(betId, dueAtMs);',
		'',
	]),
	sequencer('lease-not-asked', 'A command is applied to a market whose feed lease has run out.', [
		'this.#leaseWatch.beforeCommand(request.kind, this.#marketOf(request));',
		'',
	]),
	inFile('order/feed-leases.ts')(
		'lease-of-another-process',
		'Feed leases of the process before count after a takeover.',
		[
			'this.#leases.set(marketId, { lengthMs, endsAtMs: Number.NEGATIVE_INFINITY });',
			'this.#leases.set(marketId, { lengthMs, endsAtMs: this.#monotonicMs() + lengthMs });',
		],
	),
	inFile('order/delayed-bets.ts')(
		'delay-tried-once',
		'A bet whose delay ends while the ball is running is not tried again.',
		[
			'else if (!(await this.#admit(betId))) this.schedule(betId, this.#clock() + TRY_AGAIN_MS);',
			'else void (await this.#admit(betId)) || TRY_AGAIN_MS;',
		],
	),
	inFile('order/exchange-clock.ts')(
		'stamps-go-back',
		'The exchange’s time starts at the wall clock, wherever the ledger’s last stamp is.',
		['this.#nowMs = Math.max(lastStampMs, source.wallMs());', 'this.#nowMs = source.wallMs();'],
		['this.#nowMs = Math.max(this.#nowMs, stampMs);', ''],
	),
	inFile('order/request-memory.ts')(
		'requests-not-looked-up',
		'A process that takes over knows no request of before, and does not look them up.',
		['ids: new Set(),\n\t\t\t\tcomplete: false,', 'ids: new Set(),\n\t\t\t\tcomplete: true,'],
	),
	inFile('order/batch.ts')('requests-not-written', 'The keys of requests are not written with their batch.', [
		'requests: this.requests,',
		'requests: [],',
	]),
	inFile('order/once-only.ts')(
		'claims-side-by-side',
		'Two commands that claim one name are checked at the same time.',
		['return this.#turns.takeAll(names, act);', 'return act();'],
	),
	followers('snapshot-too-early', 'A snapshot is exported while quotes are in memory that the tables lack.', [
		'if (this.#asking.isSealed) return this.#export',
		'if (this.#asking) return this.#export',
	]),
	standby('a-join-deposes', 'A standby that joins takes the silence of the exchange for its death.', [
		'if (!lease.beats || this.#silence.ms < goneMs) return false;',
		'if (lease.beats && this.#silence.ms >= goneMs) return true;\n\t\tif (!lease.beats || this.#silence.ms < goneMs) return false;',
	]),
	standby('a-join-ends-the-standby', 'A standby whose invitation ended with the exchange ends, too.', [
		'if (!joined) return null;',
		`if (!joined) throw new Error('the snapshot does not exist');`,
	]),
	standby('signs-not-counted', 'A standby does not count signs of life, and takes a long turn for death.', [
		'if (sign !== null && sign !== this.#sign) this.#silence.restart();',
		'',
	]),
	inFile('standby/life-signs.ts')('hung-lives', 'A process that hangs gives signs of life for ever.', [
		'speaks && nowMs - this.#forwardAtMs < HUNG_MS',
		'speaks && nowMs - this.#forwardAtMs < HUNG_MS + nowMs',
	]),
	standby('gap-not-noticed', 'A standby applies the batches of an exchange that was rebuilt.', [
		'if (!follower.continues(batch)) {',
		'if (false as boolean) {',
	]),
	follower('applied-twice', 'A standby applies the last batch of each look twice.', [
		`for (const [at, input] of inputs.entries()) {`,
		`for (const [at, input] of [...inputs, ...inputs.slice(-1)].entries()) {`,
	]),
	follower('views-not-followed', 'A standby follows the engine and not what is shown.', [
		'views.apply(batchSeq, rows);\n\t\tthis.#position',
		'this.#position',
	]),
	follower('quotes-kept', 'A standby that takes over keeps the quotes of the exchange before.', [
		'for (const command of withdrawals(bets, this.#atMs)) applyInput(engine, command, batch);',
		'void withdrawals;',
	]),
	{
		name: 'parts-of-a-yen',
		what: 'Commission is computed in hundredths of a yen, and the assertion that would stop it is gone.',
		changes: [
			{
				file: 'src/engine/payment.ts',
				from: 'commissionMinor(net, rate, stepOf(wallets.pool(wallet)))',
				to: 'commissionMinor(net, rate, 1)',
			},
			{
				file: 'src/engine/accounts.ts',
				from: "assertRule(isOfCoins(move.pool, move.amount), 'a posting is of whole coins of its currency');",
				to: '',
			},
		],
	},
];
