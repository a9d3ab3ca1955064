import { masterRows, type Rows } from '#testing/callers.ts';
import { hrisMasters } from './contract/masters.ts';

export const rows: Rows = masterRows(hrisMasters, { staff: ['hr'], admin: true });
