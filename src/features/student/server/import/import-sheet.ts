import { sql } from 'kysely';
import { type Field, namesOf } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsIn, toWire } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Cell } from '#kit/server/list/table-file.ts';
import { adultNames, adultWords, childColumns, studentFile } from '../../contract/import.ts';
import { manyApi } from '../../contract/many.ts';
import { maskOf } from '../person/aadhaar.ts';
import { hasLeft, studentsSeen } from '../visible.ts';
import { readNames } from './read-import.ts';

type Values = Record<keyof typeof studentFile, unknown>;

interface Adult {
  relation: string;
  name: string;
  mobile: string;
  email: string;
  isFirst: boolean;
  isDeceased: boolean;
  role: string;
  mayCollect: boolean;
  receivesMessages: boolean;
  isBarred: boolean;
  restriction: string;
}

/** The rows of these students as the import reads them. Who has left can't be imported. */
export async function readImportSheet(ctx: UserContext, ids: readonly number[]): Promise<Cell[][]> {
  const day = toLocalDate(ctx.now());
  const rows = await studentsSeen(ctx, manyApi.exportFields.access)
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where('student.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where(sql<boolean>`not ${hasLeft(day)}`)
    .select([
      'student.id',
      'student.gr_no',
      'student.aadhaar',
      'student.admitted_on',
      ...columnsIn('student', childColumns),
    ])
    .select(['place.branch_id', 'place.grade_id', 'place.roll_no', 'place.program_id', 'section.name as section'])
    .select(
      sql<{ school: string; to_class: string } | null>`(select json_build_object('school', school, 'to_class', to_class)
        from student_schooling where student_id = student.id order by id desc limit 1)`.as('schooling'),
    )
    .select(
      sql<Adult[]>`coalesce((
        select json_agg(json_build_object('relation', relation.name, 'name', adult.name, 'mobile', adult.mobile,
          'email', adult.email, 'isFirst', link.is_primary, 'isDeceased', adult.is_deceased, 'isBarred', link.is_barred,
          'restriction', link.restriction, 'role', link.role, 'mayCollect', link.may_collect,
          'receivesMessages', link.receives_messages) order by link.is_primary desc, link.contact_order, link.id)
        from student_guardian link join guardian adult on adult.id = link.guardian_id
        join academic_lookup relation on relation.id = link.relation_id
        where link.student_id = student.id), '[]'::json)`.as('adults'),
    )
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  const nameOf = await readNamesById(ctx);
  return rows.map((row) => {
    const values: Values = {
      ...toWire(childColumns, row),
      grNo: row.gr_no,
      aadhaar: maskOf(ctx, row.id, row.aadhaar),
      admittedOn: row.admitted_on,
      gradeId: row.grade_id,
      section: row.section,
      rollNo: row.roll_no,
      branchId: row.branch_id,
      programId: row.program_id,
      previousSchool: row.schooling?.school,
      previousClass: row.schooling?.to_class,
      ...adultCells(row.adults),
    };
    return namesOf(studentFile).map((name) => cellOf(studentFile[name], values[name], (id) => nameOf(name, id)));
  });
}

async function readNamesById(ctx: UserContext) {
  const names = await readNames(ctx);
  const byField = new Map(
    Object.entries(names).map(([field, entries]) => [
      field,
      new Map([...entries.values()].flat().map(({ id, name }) => [id, name ?? ''])),
    ]),
  );
  return (field: string, id: number) => byField.get(field)?.get(id) ?? '';
}

function cellOf(field: Field, value: unknown, nameOf: (id: number) => string): Cell {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'number') return String(value);
  return field.kind === 'ref' ? nameOf(value) : value;
}

/** The father, the mother and one more adult: the file has columns for three. Who is called first is one of them. */
function adultCells(all: readonly Adult[]) {
  const father = all.find(({ relation }) => relation === 'Father');
  const mother = all.find(({ relation }) => relation === 'Mother');
  const guardian = all.find((adult) => adult !== father && adult !== mother);
  const found = [father, mother, guardian];
  const wordsOf = (is: (adult: Adult) => boolean) =>
    adultWords.filter((_, index) => {
      const adult = found[index];
      return adult && is(adult);
    });
  const cells = Object.fromEntries(
    adultNames.flatMap((name, index) => {
      const adult = found[index];
      return [
        [name, adult?.name],
        [`${name}Mobile`, adult?.mobile],
        [`${name}Email`, adult?.email],
      ];
    }),
  ) as Record<(typeof adultNames)[number] | `${(typeof adultNames)[number]}${'Mobile' | 'Email'}`, string | undefined>;
  return {
    ...cells,
    guardianRelation: guardian?.relation,
    guardianRole: guardian?.role,
    callFirst: wordsOf(({ isFirst }) => isFirst).join(','),
    deceased: wordsOf(({ isDeceased }) => isDeceased).join(','),
    mayNotCollect: wordsOf(({ mayCollect }) => !mayCollect).join(','),
    noMessages: wordsOf(({ receivesMessages }) => !receivesMessages).join(','),
    barred: wordsOf(({ isBarred }) => isBarred).join(','),
    restriction: found.find((adult) => adult?.isBarred)?.restriction,
  };
}
