import { readSchoolName } from '#features/school/api.ts';
import { noteAlerts, postAlerts } from '#features/system/api.ts';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { doEveryMinute } from '#kit/server/job/every-minute.ts';
import { findWarnings } from './warnings.ts';

/** Tells Admins, and the operator's address where there is one, of what is wrong and urgent. */
export async function lookForAlerts(services: Services, { alertUrl: url }: Pick<Config, 'alertUrl'>): Promise<void> {
  const urgent = (await findWarnings(services)).filter(({ isUrgent }) => isUrgent);
  await doEveryMinute(services, {
    name: 'alerts',
    act: async (ctx) => {
      await noteAlerts(ctx, urgent);
      // Without an address nothing waits for one.
      if (!url) await ctx.db.updateTable('alert').set({ post: null }).where('post', 'is not', null).execute();
    },
  });
  if (url) await postAlerts(services, { url, school: await readSchoolName(services) });
}
