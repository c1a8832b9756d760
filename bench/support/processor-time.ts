/** Processor time of the processes that a bench loads, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MACHINE } from '#server/platform/machine/machine.ts';
import { processStat } from '#server/platform/machine/process-stat.ts';
import { clusterFolder } from '#server/platform/postgres/embedded-postgres.ts';

/** User and system time of a process so far. */
export const processCpuSeconds = (pid: number): number => MACHINE.cpuMs(pid) / 1_000;

/** Of all processes of the embedded PostgreSQL of a data folder so far, those that have ended included. */
export function clusterCpuSeconds(dataDir: string): number {
	const postmaster = Number(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.reduce((sum, name) => sum + cpuMsIn(Number(name), postmaster), 0) / 1_000;
}

/** A process that ended meanwhile counts nothing: the postmaster counts it. */
function cpuMsIn(pid: number, postmaster: number): number {
	const stat = processStat(pid);
	if (pid === postmaster) return (stat?.cpuMs ?? 0) + (stat?.endedCpuMs ?? 0);
	return stat?.parent === postmaster ? stat.cpuMs : 0;
}
