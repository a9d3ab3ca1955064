import { routes } from '#kit/server/http/routes.ts';
import { manyApi } from '../contract/many.ts';
import { changeMany } from './change-many.ts';
import { exportFields } from './export-fields.ts';
import { printCards, printClassList } from './paper/print.ts';

/** The acts on selected students. */
export const manyRoutes = routes(manyApi, { changeMany, exportFields, printCards, printClassList });
