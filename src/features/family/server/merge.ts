import { sql } from 'kysely';
import { guardianMergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on an adult in this feature. */
export const familyMerges: readonly Merging[] = [
  { table: 'family_link', words: text`Links of families`, how: 'remains' },
  { table: 'family_opening', words: text`Openings of a family page`, how: 'remains' },
];

/** The link of the kept adult keeps working, and that of the other ends. */
export const mergeFamilyLinks = answer(
  guardianMergeHook,
  { by: 'family', step: 7 },
  async ({ db, now }, { keptId, retiredId }) => {
    const { rows: ended } = await sql`update family_link set revoked_at = ${now()}, revoked_reason = 'Merged'
      where guardian_id = ${retiredId} and revoked_at is null returning guardian_id`.execute(db);
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
