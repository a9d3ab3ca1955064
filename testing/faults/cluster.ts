import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts';
import { makeTemplate } from '../postgres.ts';
import type { Postgres } from '../school.ts';

/** A PostgreSQL with fsync, for fault tests. It restarts at the same address. */
export interface Cluster {
  postgres: Postgres;
  /** Kills all its processes at once, as when the machine runs out of memory. */
  kill: () => Promise<void>;
  /** Restarts it in "fast" mode, as an administrator does. Resolves when it answers again. */
  restart: () => Promise<void>;
  start: () => Promise<void>;
  /** Suspends it: it neither answers nor refuses. Returns a function that resumes it. */
  freeze: () => () => void;
  close: () => Promise<void>;
}

export async function openCluster(): Promise<Cluster> {
  const place = mkdtempSync(join(tmpdir(), 'shala-faults-'));
  const folder = join(place, 'postgres');
  let server = await startEmbeddedPostgres({ folder });
  const port = Number(new URL(server.url).port);
  const template = await makeTemplate(server.url);

  const signal = (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processesOf(folder)) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has ended by itself.
      }
    }
  };
  const start = async (tries = 20): Promise<void> => {
    try {
      server = await startEmbeddedPostgres({ folder, port });
    } catch (error) {
      // While a killed process still holds its shared memory, a new server ends immediately.
      if (tries === 0) throw error;
      await pause(100);
      await start(tries - 1);
    }
  };
  return {
    postgres: { url: server.url, template },
    kill: async () => {
      signal('SIGKILL');
      await server.stop(); // Resolves when the process has ended.
    },
    restart: async () => {
      await server.stop();
      await start();
    },
    start: () => start(),
    freeze: () => {
      signal('SIGSTOP');
      return () => signal('SIGCONT');
    },
    close: async () => {
      signal('SIGCONT');
      await server.stop();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** The server and its children, the server first. */
function processesOf(folder: string): number[] {
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  if (!existsSync(`/proc/${pid}`)) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return [pid, ...children.filter(Boolean)];
}
