import { type Insertable, sql } from 'kysely';
import type { StudentAddress, StudentSchooling } from '#database/types.ts';
import type { Context } from '#kit/server/context.ts';
import { seal } from '#kit/server/security/sealed.ts';
import type { HealthAnswers } from '../../contract/health.ts';
import { healthPlace } from './health.ts';

/** A document that is stored already, such as with an admission form. */
export interface ReferredDocument {
  /** A word of the list of documents; one that it lacks becomes Other. */
  name: string;
  fileId: string;
  status: 'Waiting' | 'Verified' | 'Rejected';
  decidedBy: number | null;
  decidedAt: Date | null;
  remark: string;
}

interface Files {
  /** Undefined to keep the photo. */
  photoId?: string;
  documents?: readonly ReferredDocument[];
}

/** What is recorded with a student beside the person. */
export interface Papers extends Files {
  address?: Omit<Insertable<StudentAddress>, 'student_id' | 'version'>;
  /** In clear; sealed with the student's id. */
  health?: Partial<HealthAnswers>;
  schools?: readonly Omit<Insertable<StudentSchooling>, 'student_id' | 'version'>[];
}

/** Records papers of students, in a few statements for any number. A student who returns has newer answers in their place. */
export async function addPapers(
  ctx: Pick<Context, 'db' | 'keys'>,
  given: readonly ({ studentId: number } & Papers)[],
): Promise<void> {
  const { db, keys } = ctx;
  const addresses = given.flatMap(({ studentId, address }) =>
    address ? [{ ...address, student_id: studentId, version: 1 }] : [],
  );
  if (addresses.length > 0)
    await sql`insert into student_address
      select * from jsonb_populate_recordset(null::student_address, ${JSON.stringify(addresses)}::jsonb)
      on conflict (student_id) do update set version = student_address.version + 1, is_same = excluded.is_same,
        current_street_no = excluded.current_street_no, current_address1 = excluded.current_address1,
        current_address2 = excluded.current_address2, current_city = excluded.current_city,
        current_state = excluded.current_state, current_country = excluded.current_country,
        current_pin_code = excluded.current_pin_code, permanent_street_no = excluded.permanent_street_no,
        permanent_address1 = excluded.permanent_address1, permanent_address2 = excluded.permanent_address2,
        permanent_city = excluded.permanent_city, permanent_state = excluded.permanent_state,
        permanent_country = excluded.permanent_country, permanent_pin_code = excluded.permanent_pin_code`.execute(db);
  const answers = given.flatMap(({ studentId, health }) =>
    health ? [{ student_id: studentId, answers: seal(keys.data, healthPlace(studentId), JSON.stringify(health)) }] : [],
  );
  if (answers.length > 0)
    await db
      .insertInto('student_health')
      .values(answers)
      .onConflict((conflict) =>
        conflict.column('student_id').doUpdateSet({
          answers: sql`excluded.answers`,
          version: sql`student_health.version + 1`,
        }),
      )
      .execute();
  const schools = given.flatMap(({ studentId, schools = [] }) =>
    schools.map((school) => ({ ...school, student_id: studentId })),
  );
  if (schools.length > 0) await db.insertInto('student_schooling').values(schools).execute();
  await referFiles(ctx, given);
}

/** Lets students' records refer to files that are stored already; a file that a record has is left as it is. */
async function referFiles({ db }: Pick<Context, 'db'>, given: readonly ({ studentId: number } & Files)[]) {
  const documents = given.flatMap(({ studentId, documents = [] }) =>
    documents.map(({ name, fileId, status, decidedBy, decidedAt, remark }) => ({
      studentId,
      name,
      fileId,
      status,
      decidedBy,
      remark,
      decidedAt: decidedAt?.toISOString() ?? null,
    })),
  );
  if (documents.length > 0)
    await sql`
      insert into student_document (student_id, document_id, file_id, status, decided_by, decided_at, remark)
      select given."studentId", type.id, given."fileId", given.status, given."decidedBy", given."decidedAt",
        left(given.remark, 500)
      from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) as given ("studentId" integer, name text, "fileId" uuid,
        status text, "decidedBy" integer, "decidedAt" timestamptz, remark text)
      cross join lateral (select id from academic_lookup where kind = 'Document' and name in (given.name, 'Other')
        order by name = 'Other' limit 1) as type
      where not exists (select from student_document own
        where own.student_id = given."studentId" and own.file_id = given."fileId")`.execute(db);
  const photos = given.flatMap(({ studentId, photoId }) => (photoId ? [{ studentId, photoId }] : []));
  if (photos.length > 0)
    await sql`update student set photo_id = given."photoId"
      from jsonb_to_recordset(${JSON.stringify(photos)}::jsonb) as given ("studentId" integer, "photoId" uuid)
      where student.id = given."studentId"`.execute(db);
}
