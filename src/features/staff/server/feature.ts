import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { staffPages } from '../contract/staff.ts';
import { staffListRoutes } from './list.ts';
import { profileRoutes } from './profile.ts';

export const staff = serverFeature({
  pages: staffPages,
  routes: [...profileRoutes, ...staffListRoutes],
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: {
      'staff.picture-saved': text`Changed the picture`,
      'staff.exported': text`Exported the staff list`,
    },
    records: {
      staff: {
        kind: text`Staff member`,
        findNames: (db, ids) => db.selectFrom('staff').where('id', 'in', ids).select(['id', 'name']).execute(),
      },
    },
  },
});
