import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** The open homework of a colleague who leaves stays as it is: the next teacher of the subject checks and changes it. */
export const tellOfOpenHomework = answer(relieveHook, { by: 'homework', step: 7 }, async ({ db }, { staffId }) => {
  const { rows } = await sql<{ id: number; version: number }>`
    select given.id, given.version from homework content
    join homework_section given on given.homework_id = content.id and given.state in ('Draft', 'Published')
    join academic_year year on year.id = given.academic_year_id and year.status <> 'Closed'
    where content.owner_id = ${staffId} order by given.id`.execute(db);
  return {
    ends:
      rows.length === 0
        ? []
        : [
            text(
              {
                message:
                  '{n, plural, one {# homework that is not closed passes} other {# pieces of homework that are not closed pass}} to the next teacher of the subject.',
              },
              { n: rows.length },
            ),
          ],
    blocks: [],
    basis: rows.map(({ id, version }) => [id, version]),
  };
});
