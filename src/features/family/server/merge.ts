import { sql } from 'kysely';
import { guardianMergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { endAsked } from './contact.ts';

/** What hangs on an adult in this feature. */
export const familyMerges: readonly Merging[] = [
  { table: 'family_link', words: text`Links of families`, how: 'remains' },
  { table: 'guardian_preference', words: text`Languages and ways of messages`, how: 'remains' },
  { table: 'family_device', words: text`Phones of guardians`, how: 'remains' },
  { table: 'family_code', words: text`Codes for phones of guardians`, how: 'remains' },
  { table: 'family_feed', words: text`Addresses of guardians’ calendars`, how: 'ends' },
  { table: 'guardian_contact_change', words: text`New numbers of guardians`, how: 'remains' },
  { table: 'message_trouble', words: text`Messages that do not arrive`, how: 'remains' },
  { table: 'family_opening', words: text`Openings of a family page`, how: 'remains' },
];

/** The link of the kept adult keeps working, and that of the other ends. */
export const mergeFamilyLinks = answer(
  guardianMergeHook,
  { by: 'family', step: 7 },
  async (ctx, { keptId, retiredId }) => {
    const { db, now } = ctx;
    const { rows: ended } = await sql`update family_link set revoked_at = ${now()}, revoked_reason = 'Merged'
      where guardian_id = ${retiredId} and revoked_at is null returning guardian_id`.execute(db);
    // Phones of the other ask for a code again.
    await sql`select end_family_proof(${retiredId})`.execute(db);
    await endAsked(ctx, retiredId);
    // The kept adult's own language counts, unless only the other one chose herself.
    await sql`insert into guardian_preference (guardian_id, language, set_by)
      select ${keptId}::integer, language, set_by from guardian_preference where guardian_id = ${retiredId} and language <> ''
      on conflict (guardian_id) do update set language = excluded.language, set_by = excluded.set_by,
        version = guardian_preference.version + 1, changed_at = ${now()}
      where guardian_preference.language = ''
        or (excluded.set_by = 'Guardian' and guardian_preference.set_by <> 'Guardian')`.execute(db);
    const kept = await db
      .selectFrom('family_link')
      .where('guardian_id', '=', keptId)
      .where('revoked_at', 'is', null)
      .select('guardian_id')
      .executeTakeFirst();
    const [own, others] = [kept ? 1 : 0, ended.length];
    return {
      sums: [{ label: text`Links of the family page`, kept: own, retired: others, after: own, kind: 'count' as const }],
      texts: [
        ...(others > 0 && own > 0
          ? [text`The link of the record that ends stops working; the other one shows all children.`]
          : []),
        ...(others > 0 && own === 0
          ? [text`The link of the record that ends stops working. Send the kept adult a new one.`]
          : []),
      ],
      blocks: [],
      basis: [own, others],
    };
  },
);
