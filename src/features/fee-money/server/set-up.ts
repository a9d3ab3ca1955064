import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';
import { sendsReceipts } from './settings.ts';

/** Whether families get messages about money: on by itself with a gateway, else decided once, before the first payment. */
export const messageStep: SetUpStep = {
  key: 'fee-messages',
  order: 9,
  title: text`Messages about payments`,
  to: 'academic/organizational-master?tab=settings',
  act: text`Choose`,
  read: async ({ db, sendsTexts }) => {
    const { rows } = await sql<{ stored: boolean | null; takesMoney: boolean }>`
      select (select value from setting where key = ${sendsReceipts.key}) as stored,
        exists (select from fee_payment) as "takesMoney"`.execute(db);
    const [{ stored, takesMoney }] = rows as [(typeof rows)[0]];
    return {
      isDone: stored !== null || sendsTexts || takesMoney,
      found: (stored ?? sendsTexts) ? text`On` : text`Off`,
      missing: text`Choose whether families get messages about payments, bounced cheques and due days.`,
    };
  },
};
