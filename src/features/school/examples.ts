import type { Examples, Stage } from '#testing/examples.ts';
import { form, photo } from '#testing/school.ts';
import { type LanguageRow, languageApi } from './contract/language.ts';
import { settingApi } from './contract/setting.ts';
import { textMessageApi } from './contract/text-message.ts';

const url = '/api/academic/school/signature';
const sign = async ({ admin }: Stage) => {
  const signature = await photo();
  return () => admin.send({ method: 'POST', url, body: form({}, { signature }) });
};
const linkDays = 'admission.link-days';

export const examples: Examples = {
  reported: {
    'PUT /academic/school': async ({ admin }) => {
      const { json } = await admin.send({ url: '/api/academic/school' });
      return () =>
        admin.send({ method: 'PUT', url: '/api/academic/school', body: { ...json, email: 'thief@example.com' } });
    },
    'PUT /academic/setting/:key': async ({ admin }) => {
      const { rows } = await admin.call(settingApi.list, {});
      const rowVersion = rows.find(({ key }) => key === linkDays)?.rowVersion;
      return () =>
        admin.send({ method: 'PUT', url: `/api/academic/setting/${linkDays}`, body: { value: 30, rowVersion } });
    },
    'POST /academic/school/signature': sign,
    'DELETE /academic/school/signature': async (stage) => {
      await (await sign(stage))();
      return () => stage.admin.send({ method: 'DELETE', url, body: {} });
    },
  },
  rows: async (_, admin) => {
    await admin.call(textMessageApi.save, {
      kind: 'sign-in-code',
      registeredText: '{#var#} is your code.',
      templateId: '1107160000000012345',
      rowVersion: null,
    });
    await admin.call(settingApi.save, { key: linkDays, value: 30, rowVersion: 0 });
    const [{ language, area, seen }] = (await admin.call(languageApi.list, {})).rows as [LanguageRow];
    await admin.call(languageApi.mark, { language, area, seen, isRead: true });
  },
};
