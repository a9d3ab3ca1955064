import { sql } from 'kysely';
import { guardianMergeHook, mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const announcementMerges: readonly Merging[] = [
  { table: 'announcement_audience', words: text`Announcements for one child`, how: 'remains' },
  { table: 'announcement_recipient_child', words: text`Announcements received`, how: 'moves' },
  { table: 'announcement_recipient', words: text`Announcements received`, how: 'remains' },
  { table: 'announcement_delivery', words: text`Messages of announcements`, how: 'remains' },
  { table: 'announcement_answer', words: text`Answers to announcements`, how: 'moves' },
  { table: 'announcement_test', words: text`Tests of announcements`, how: 'remains' },
  { table: 'announcement_receipt', words: text`Announcements that were read`, how: 'remains' },
];

/** Announcements that the other child received are in the list of the kept one. */
export const mergeAnnouncements = answer(
  mergeHook,
  { by: 'announcement', step: 8 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`update announcement_recipient_child own set student_id = ${keptId} where student_id = ${retiredId}
    and not exists (select from announcement_recipient_child where student_id = ${keptId}
      and recipient_id = own.recipient_id)`.execute(db);
    await sql`update announcement_answer set student_id = ${keptId} where student_id = ${retiredId}`.execute(db);
    return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
  },
);

/** What the other adult received and read is the kept one's where that one has nothing. */
export const mergeAnnouncedAdults = answer(
  guardianMergeHook,
  { by: 'announcement', step: 8 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`update announcement_recipient own set guardian_id = ${keptId} where guardian_id = ${retiredId}
      and not exists (select from announcement_recipient kept where kept.guardian_id = ${keptId}
        and kept.announcement_id = own.announcement_id)`.execute(db);
    // Both received it: the kept one for the children of both.
    await sql`insert into announcement_recipient_child (recipient_id, student_id)
      select kept.id, child.student_id from announcement_recipient own
      join announcement_recipient kept on kept.announcement_id = own.announcement_id and kept.guardian_id = ${keptId}
      join announcement_recipient_child child on child.recipient_id = own.id
      where own.guardian_id = ${retiredId} on conflict do nothing`.execute(db);
    await sql`update announcement_receipt own set guardian_id = ${keptId} where guardian_id = ${retiredId}
      and not exists (select from announcement_receipt kept where kept.guardian_id = ${keptId}
        and (kept.announcement_id, kept.version, kept.kind) = (own.announcement_id, own.version, own.kind))`.execute(
      db,
    );
    await sql`update announcement_answer set guardian_id = ${keptId} where guardian_id = ${retiredId}`.execute(db);
    await sql`update announcement_audience set guardian_id = ${keptId} where guardian_id = ${retiredId}`.execute(db);
    return { sums: [], texts: [], blocks: [], basis: [] };
  },
);
