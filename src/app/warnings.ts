import type { Services } from '#kit/server/context.ts';
import { findProxyWarnings } from '#kit/server/http/proxies.ts';
import { findSendingWarnings } from '#kit/server/messages/sending-warnings.ts';
import type { FindWarnings, Warning } from '#kit/server/warnings.ts';
import { findBackupWarnings } from './backup/daily.ts';
import { features } from './features.server.ts';

/** What each area finds wrong: a line at the start, and a red card on the Admins' dashboard. */
const finders: FindWarnings[] = [
  findBackupWarnings,
  findProxyWarnings,
  findSendingWarnings,
  ...features.flatMap(({ findWarnings }) => findWarnings ?? []),
];

/** Everything that an Admin must fix now. */
export async function findWarnings(services: Services): Promise<Warning[]> {
  const found: Warning[] = [];
  for (const find of finders) found.push(...(await find(services)));
  return found;
}
