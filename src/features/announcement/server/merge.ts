import { sql } from 'kysely';
import { mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const announcementMerges: readonly Merging[] = [
  { table: 'announcement_audience', words: text`Announcements for one child`, how: 'stays' },
  { table: 'announcement_recipient_child', words: text`Announcements received`, how: 'moves' },
  { table: 'announcement_recipient', words: text`Announcements received`, how: 'stays' },
  { table: 'announcement_delivery', words: text`Messages of announcements`, how: 'stays' },
  { table: 'announcement_receipt', words: text`Announcements that were read`, how: 'stays' },
];

/** Announcements that the other child received are in the list of the kept one. */
export const mergeAnnouncements = answer(
  mergeHook,
  { by: 'announcement', step: 8 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`update announcement_recipient_child own set student_id = ${keptId} where student_id = ${retiredId}
    and not exists (select from announcement_recipient_child where student_id = ${keptId}
      and recipient_id = own.recipient_id)`.execute(db);
    return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
  },
);
