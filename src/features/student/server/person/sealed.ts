import { notUnder, type SealedColumn } from '#kit/server/security/sealed-column.ts';

/** The encrypted columns of students. The hash of an Aadhaar number is under the link key, and stays. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    select: `select id::text as key, 'student.aadhaar:' || id as place, aadhaar as sealed
      from student where aadhaar is not null and ${notUnder('aadhaar')}`,
    update: 'update student set aadhaar = $1 where id = $2::integer and aadhaar = $3',
  },
  {
    select: `select student_id::text as key, 'student_health.answers:' || student_id as place, answers as sealed
      from student_health where ${notUnder('answers')}`,
    update: 'update student_health set answers = $1 where student_id = $2::integer and answers = $3',
  },
];
