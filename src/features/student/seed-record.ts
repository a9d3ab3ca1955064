import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Child } from '#database/seed/children.ts';
import { localNames } from '#database/seed/local-names.ts';
import { childPicture, paperPicture } from '#database/seed/pictures.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { grades } from '#database/seed/school.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { addDays } from '#kit/server/day.ts';
import { saveFile } from '#kit/server/files/files.ts';
import type { CheckedUpload } from '#kit/server/files/inspect.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { healthFields } from './contract/health.ts';
import { sealAadhaar } from './server/person/aadhaar.ts';
import { healthPlace } from './server/person/health.ts';
import { ownerOf } from './server/person/photo.ts';

interface Seeded {
  id: number;
  child: Child;
}

/** Addresses, numbers, health, earlier schools, and for some children documents and photos. */
export async function seedRecords(ctx: Context, plan: SeedPlan, children: Child[], idOf: Map<string, number>) {
  const seeded = children.map((child) => ({ child, id: idOf.get(child.grNo) ?? 0 }));
  const here = seeded.filter(({ child }) => !child.years.at(-1)?.leftOn);
  await seedAddresses(ctx, seeded);
  await seedNumbers(ctx, plan, seeded);
  await seedHealth(ctx);
  await seedSchooling(ctx, plan, seeded);
  await seedDocuments(ctx, plan, here.slice(0, childrenWithDocuments));
  await seedPhotos(ctx, here);
  await seedOneName(ctx, here);
  await seedLocalNames(ctx);
}

/** The papers of one child carry one name; a smaller school has none. */
const seedOneName = ({ db }: Context, here: readonly Seeded[]) =>
  sql`update student set last_name = '' where id = ${here[120]?.id ?? 0}`.execute(db);

const childrenWithLocalNames = 50;

/** Some children, and their parents, have their names in Gujarati too. */
async function seedLocalNames({ db }: Context) {
  const names = JSON.stringify(localNames);
  await sql`with picked as (
      select id from student where ${names}::jsonb ?& array[first_name, middle_name, last_name] and left_on is null
      order by id % 5, id limit ${childrenWithLocalNames}),
    parents as (
      update guardian set first_name_local = ${names}::jsonb ->> first_name, last_name_local = ${names}::jsonb ->> last_name
      from student_guardian link join picked on picked.id = link.student_id
      where link.guardian_id = guardian.id and middle_name = '' and ${names}::jsonb ?& array[first_name, last_name])
    update student set first_name_local = ${names}::jsonb ->> first_name, birth_place_local = 'સુરત',
      middle_name_local = ${names}::jsonb ->> middle_name, last_name_local = ${names}::jsonb ->> last_name
    from picked where picked.id = student.id`.execute(db);
}

const seedAddresses = ({ db }: Context, seeded: readonly Seeded[]) =>
  insertRows(
    db,
    'student_address',
    seeded.map(({ id, child: { family } }, index) => {
      const { house, street, area, pinCode } = family.address;
      // A few families are at home elsewhere.
      const isSame = index % 12 !== 0;
      return {
        student_id: id,
        is_same: isSame,
        current_street_no: house,
        current_address1: street,
        current_address2: area,
        current_city: 'Surat',
        current_state: 'Gujarat',
        current_country: 'India',
        current_pin_code: pinCode,
        permanent_street_no: '',
        permanent_address1: isSame ? '' : 'Near the temple',
        permanent_address2: '',
        permanent_city: isSame ? '' : 'Amreli',
        permanent_state: isSame ? '' : 'Gujarat',
        permanent_country: isSame ? '' : 'India',
        permanent_pin_code: isSame ? '' : '365601',
      };
    }),
  );

/** Twelve digits that nobody has: numbers of the authority never begin with 0 or 1. */
const fictionalAadhaar = (grNo: string) => `1000 ${grNo.padStart(8, '0').replace(/(.{4})(.{4})/, '$1 $2')}`;

async function seedNumbers(ctx: Context, plan: SeedPlan, seeded: readonly Seeded[]) {
  const random = plan.random('aadhaar');
  const rows = seeded
    .filter(() => random.upTo(100) < 92)
    .map(({ id, child }) => ({ id, aadhaar: sealAadhaar(ctx, id, fictionalAadhaar(child.grNo)).aadhaar }));
  await sql`update student set aadhaar = given.sealed
    from unnest(${rows.map(({ id }) => id)}::integer[], ${rows.map(({ aadhaar }) => aadhaar)}::bytea[]) as given (id, sealed)
    where student.id = given.id`.execute(ctx.db);
}

/** Answers for every child with an alert. */
async function seedHealth({ db, keys }: Context) {
  const rows = await db.selectFrom('student').where('alert', '<>', '').select(['id', 'alert']).orderBy('id').execute();
  const none = Object.fromEntries(
    Object.entries(healthFields).map(([name, { kind }]) => [name, kind === 'yesNo' ? false : '']),
  );
  await insertRows(
    db,
    'student_health',
    rows.map(({ id, alert }) => {
      const answers = {
        ...none,
        isVaccinated: true,
        ...(/allergy/i.test(alert)
          ? {
              isSufferingFromAllergies: true,
              allergiesDescription: 'Peanuts, also traces of them.',
              allergiesTreatmentBySchool: 'Give the EpiPen, then call the hospital and us.',
            }
          : { isUnderMedicalCareOrRegularMedication: true, medicalCareOrRegularMedicationDescription: alert }),
        childPersonalityAndHomeRoutine: 'Cheerful and curious. Sleeps at nine.',
      };
      const sealed = seal(keys.data, healthPlace(id), JSON.stringify(answers));
      // The rows are sent as JSON, in which bytes are written in hex.
      return { student_id: id, answers: `\\x${sealed.toString('hex')}` as never };
    }),
  );
}

const schools = ['Little Steps Preschool', 'Sunrise School', 'Vidya Mandir', 'Green Valley School'];

/** Who came above the second grade was at another school before. */
async function seedSchooling({ db }: Context, plan: SeedPlan, seeded: readonly Seeded[]) {
  const random = plan.random('schooling');
  const came = seeded.flatMap(({ id, child: { grNo, years } }) => {
    const [first] = years;
    return first && first.grade > 3 && first.isNew ? [{ id, grNo, first }] : [];
  });
  await insertRows(
    db,
    'student_schooling',
    came.map(({ id, grNo, first }) => ({
      student_id: id,
      school: random.oneOf(schools),
      city: 'Surat',
      board: random.oneOf(['CBSE', 'GSEB']),
      from_class: grades[0] ?? '',
      to_class: grades[first.grade - 1] ?? '',
      certificate_no: `LC/${grNo}`,
      certificate_on: addDays(first.joinedOn, -30),
    })),
  );
}

const childrenWithDocuments = 40;

async function drawn(name: string, picture: Promise<Buffer>): Promise<CheckedUpload> {
  const bytes = await picture;
  return { name, mediaType: 'image/jpeg', bytes, sha256: createHash('sha256').update(bytes).digest() };
}

/** Of each child one document: verified, waiting, or expired. */
async function seedDocuments(ctx: Context, { today }: SeedPlan, seeded: readonly Seeded[]) {
  const lookups = await ctx.db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Document')
    .where('name', 'in', ['Birth Certificate', 'Aadhar Card'])
    .select('id')
    .orderBy('id')
    .execute();
  const decider = await ctx.db.selectFrom('staff').select('id').orderBy('id').executeTakeFirst();
  const picture = await drawn('certificate.jpg', paperPicture('Certificate'));
  const rows = [];
  for (const [index, { id }] of seeded.entries()) {
    const isWaiting = index % 5 === 0;
    rows.push({
      student_id: id,
      document_id: lookups[index % lookups.length]?.id ?? 0,
      file_id: await saveFile(ctx, ownerOf(id), 'file', picture),
      issued_on: addDays(today, -400),
      expires_on: index % 7 === 1 ? addDays(today, -10) : null,
      status: isWaiting || !decider ? 'Waiting' : 'Verified',
      decided_by: isWaiting ? null : (decider?.id ?? null),
      decided_at: isWaiting || !decider ? null : `${addDays(today, -300)}T11:00:00+05:30`,
    });
  }
  await insertRows(ctx.db, 'student_document', rows);
}

/** The children of two sections have photos. */
async function seedPhotos(ctx: Context, here: readonly Seeded[]) {
  const sectionOf = ({ child }: Seeded) => {
    const own = child.years.at(-1);
    return own && `${own.grade} ${own.seats.at(-1)?.section}`;
  };
  const chosen = [...new Set(here.map(sectionOf))].slice(0, 2);
  const picture = await drawn('child.jpg', childPicture());
  const photos = [];
  for (const one of here.filter((seeded) => chosen.includes(sectionOf(seeded))))
    photos.push({ id: one.id, file: await saveFile(ctx, ownerOf(one.id), 'photo', picture) });
  await sql`update student set photo_id = given.file
    from unnest(${photos.map(({ id }) => id)}::integer[], ${photos.map(({ file }) => file)}::uuid[]) as given (id, file)
    where student.id = given.id`.execute(ctx.db);
}
