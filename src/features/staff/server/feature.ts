import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { staffPages } from '../contract/staff.ts';
import { profileRoutes } from './profile.ts';
import { recordRoutes } from './record.ts';

export const staff = serverFeature({
  pages: staffPages,
  routes: [...profileRoutes, ...recordRoutes],
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: {
      'staff.picture-saved': text`Changed the picture`,
      'staff.created': text`Created the staff record`,
      'staff.changed': text`Changed the staff record`,
      'staff.post-changed': text`Changed the post`,
      'staff.own-data-saved': text`Saved their own data as a PDF`,
    },
    records: {
      staff: {
        kind: text`Staff member`,
        findNames: (db, ids) => db.selectFrom('staff').where('id', 'in', ids).select(['id', 'name']).execute(),
      },
    },
  },
});
