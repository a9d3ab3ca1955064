import { routes } from '#kit/server/http/routes.ts';
import { sectionTeacherApi } from '../contract/section-teacher.ts';
import { assign, change, remove, replace } from './teacher-change.ts';
import { copy } from './teacher-copy.ts';
import { teacherImportRoutes } from './teacher-import.ts';
import { exportAll, gaps, load, read } from './teacher-list.ts';

export default [
  ...routes(sectionTeacherApi, {
    read,
    gaps,
    load,
    assign,
    change,
    replace,
    remove,
    copy,
    export: exportAll,
  }),
  ...teacherImportRoutes,
];
