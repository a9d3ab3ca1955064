import { registerApi, type Slot } from '#features/attendance/contract/register.ts';
import type { Person } from './browser.ts';
import type { School } from './school.ts';

/** Makes a day one of a kind in its year, for all grades. */
export const setDay = ({ sql }: Pick<School, 'sql'>, day: string, kind: string, name = 'Test day') =>
  sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    select id, '${day}', '${kind}', '${name}' from academic_year where '${day}' between starts_on and ends_on
    on conflict on constraint academic_calendar_day_unique do update set kind = excluded.kind, name = excluded.name`);

/** Submits a register as its page does: all present, but those named otherwise by their first name, such as `L 09:10`. */
export async function takeRegister(
  person: Person,
  sectionId: number,
  day: string,
  marks: Record<string, string> = {},
  { rowVersion, slot = '' }: { rowVersion?: number; slot?: Slot | '' } = {},
) {
  const sheet = await person.call(registerApi.read, { sectionId, day, slot });
  const idOf = (code: string | undefined) => sheet.codes.find((one) => one.code === code)?.id ?? 0;
  return person.call(registerApi.submit, {
    sectionId,
    day: sheet.day,
    slot: sheet.slot,
    rowVersion: rowVersion ?? sheet.register?.version ?? 0,
    marks: sheet.children
      .filter(({ takenIn }) => takenIn === '')
      .map(({ studentId, name }) => {
        const [code = 'P', arrivedAt = ''] = (marks[name.split(' ')[0] ?? ''] ?? 'P').split(' ');
        return { studentId, codeId: idOf(code), arrivedAt };
      }),
  });
}
