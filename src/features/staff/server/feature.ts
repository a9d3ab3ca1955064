import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { staffPages } from '../contract/staff.ts';
import { accountRoutes } from './account.ts';
import { endPastLeading } from './leading.ts';
import { leavingRoutes } from './leaving.ts';
import { profileRoutes } from './profile.ts';

export const staff = serverFeature({
  pages: staffPages,
  routes: [...profileRoutes, ...leavingRoutes, ...accountRoutes],
  tidyUp: endPastLeading,
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: {
      'staff.picture-saved': text`Changed the picture`,
      'staff.relieved': text`Relieved`,
      'staff.rejoined': text`Re-joined`,
      'staff.leading-ended': text`Ended the head’s post`,
      'staff.manager-left': text`Ended reporting to a person who leaves`,
      'staff.invited': text`Sent an invitation to sign in`,
    },
    records: {
      staff: {
        kind: text`Staff member`,
        findNames: (db, ids) => db.selectFrom('staff').where('id', 'in', ids).select(['id', 'name']).execute(),
      },
    },
  },
});
