import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { listSettings, saveSetting } from '#kit/server/settings.ts';
import { guardedSetting, heldSettings } from '../contract/hooks.ts';
import { type SettingRow, settingApi } from '../contract/setting.ts';

const list: Handler<typeof settingApi.list> = async (ctx) => {
  const held = (await ask(ctx, heldSettings, {})).flatMap(({ output }) => output);
  const rows = (await listSettings(ctx)) as SettingRow[];
  return { rows: rows.map((row) => ({ ...row, held: held.find(({ key }) => key === row.key) })) };
};

const save: Handler<typeof settingApi.save> = (ctx, wanted) =>
  saveSetting(ctx, wanted, async (change) =>
    (await ask(ctx, guardedSetting, change)).some(({ output: { isHeld } }) => isHeld),
  );

const history: Handler<typeof settingApi.history> = async (ctx, asked) => {
  await ctx.db.selectFrom('setting').where('id', '=', asked.id).select('id').executeTakeFirstOrThrow(notFound);
  return readHistory(ctx, 'setting', asked);
};

export default routes(settingApi, { list, history, save });
