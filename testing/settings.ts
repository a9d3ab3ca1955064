import { settingApi } from '#features/school/contract/setting.ts';
import type { Setting } from '#kit/contract/setting.ts';
import type { School } from './school.ts';

/** Saves a setting as an Admin, over its value of today. */
export async function saveSetting(school: School, { key }: Setting, value: unknown) {
  const admin = await school.person({ role: 'Admin' });
  const { rows } = (await admin.call(settingApi.list, {})) as { rows: { key: string; rowVersion: number }[] };
  const rowVersion = rows.find((row) => row.key === key)?.rowVersion ?? 0;
  await admin.call(settingApi.save, { key, value: value as never, rowVersion });
}
