import { sql } from 'kysely';
import { isNoName } from '#features/school/contract/one-name.ts';
import type { AdultDetails, Papers, ReferredDocument } from '#features/student/api.ts';
import { healthQuestions } from '#features/student/contract/health-questions.ts';
import type { Context } from '#kit/server/context.ts';
import { open } from '#kit/server/security/sealed.ts';
import type { bloodGroups } from '../contract/basic-info.ts';
import { openAadhaar } from './aadhaar.ts';

/** The adults that a form names, in the order in which they are called. */
export type AdultPart = 'father' | 'mother' | 'guardian' | 'contact1' | 'contact2';

export interface FormAdult {
  part: AdultPart;
  firstName: string;
  lastName: string;
  mobile: string;
  email: string;
  /** As the family wrote it for a guardian or a contact. */
  relation: string;
  role: 'Parent' | 'Guardian' | 'Contact';
  isPrimary: boolean;
  details: AdultDetails;
}

/** A child as the saved form describes it, in the words of a student's record. */
export interface FormChild {
  inquiryId: number;
  firstName: string;
  lastName: string;
  birthDate: string;
  bloodGroup: (typeof bloodGroups)[number];
  /** As the family wrote them; the school has lists of its own. */
  nationality: string;
  religion: string;
  caste: string;
  subCaste: string;
  studentUid: string;
  /** In clear, as it was typed; it may be a passport number or words. */
  aadhaar: string;
  homeLanguage: string;
  wantsTransport: boolean;
  /** The employee number of a parent who works here; '' without one. */
  employeeNo: string;
  /** The parents live apart, and a paper says how. */
  isDivorced: boolean;
  adults: FormAdult[];
  address: NonNullable<Papers['address']>;
  schools: NonNullable<Papers['schools']>;
}

const adultDetails = [
  'qualification',
  'occupation',
  'organization',
  'profile',
  'sector_id',
  'specialty_id',
] as const satisfies readonly string[];

/** The children of saved forms, by inquiry; a form without its first two pages has none. */
export async function toChildren(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  ids: readonly number[],
): Promise<Map<number, FormChild>> {
  const children = await db
    .selectFrom('admission_basic_info as child')
    .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'child.inquiry_id')
    .innerJoin('admission_parent_info as family', 'family.inquiry_id', 'child.inquiry_id')
    .leftJoin('admission_language as language', 'language.inquiry_id', 'child.inquiry_id')
    .leftJoin('admission_additional_info as contact', 'contact.inquiry_id', 'child.inquiry_id')
    .where('child.inquiry_id', '=', sql<number>`any (${ids}::integer[])`)
    .selectAll(['family', 'contact', 'child'])
    .select('language.home_language')
    .select(['child.inquiry_id', 'inquiry.father_email as link_father_email'])
    .select(['inquiry.father_mobile as link_father_mobile', 'inquiry.mother_email as link_mother_email'])
    .select('inquiry.mother_mobile as link_mother_mobile')
    .execute();
  const schools = await db
    .selectFrom('admission_education')
    .where('inquiry_id', '=', sql<number>`any (${ids}::integer[])`)
    .select(['inquiry_id', 'from_grade', 'to_grade', 'board_name', 'school_name', 'city'])
    .orderBy('id')
    .execute();
  const schoolsOf = Map.groupBy(schools, ({ inquiry_id }) => inquiry_id);
  return new Map(
    children.map((row) => [
      row.inquiry_id,
      {
        inquiryId: row.inquiry_id,
        firstName: row.first_name,
        lastName: withoutSign(row.last_name),
        birthDate: row.birth_date,
        bloodGroup: row.blood_group as FormChild['bloodGroup'],
        nationality: row.nationality,
        religion: row.religion,
        caste: row.caste,
        subCaste: row.sub_caste,
        studentUid: row.student_uid,
        aadhaar: openAadhaar({ keys }, row.inquiry_id, row.aadhaar),
        homeLanguage: row.home_language ?? '',
        wantsTransport: row.wants_transport,
        employeeNo: row.works_here ? row.staff_employee_id : '',
        isDivorced: row.is_divorced,
        adults: adultsOf(row),
        address: addressOf(row),
        schools: (schoolsOf.get(row.inquiry_id) ?? []).map((school) => ({
          from_class: school.from_grade,
          to_class: school.to_grade,
          board: school.board_name,
          school: school.school_name,
          city: school.city,
          certificate_no: '',
        })),
      },
    ]),
  );
}

/** Families whose papers carry one name type a sign, since the form asks for a last name. */
const withoutSign = (lastName: string) => (isNoName(lastName) ? '' : lastName);

type Row = Record<string, unknown>;
const textAt = (row: Row, name: string) => (typeof row[name] === 'string' ? (row[name] as string) : '');

/**
 * Father, mother, the guardian whom the parents name, and the two contacts. A parent who is not named has no row, and a contact
 * who is one of the others has no second one. First called is the parent to whom the form was sent.
 */
function adultsOf(row: Row): FormAdult[] {
  const adult = (part: 'father' | 'mother' | 'guardian', relation: string, role: FormAdult['role']): FormAdult => ({
    part,
    firstName: textAt(row, `${part}_first_name`),
    lastName: withoutSign(textAt(row, `${part}_last_name`)),
    mobile: textAt(row, `${part}_mobile`),
    email: textAt(row, `${part}_email`),
    relation,
    role,
    isPrimary: false,
    details: Object.fromEntries(
      adultDetails.map((name) => [name === 'profile' ? 'job_profile' : name, row[`${part}_${name}`] ?? null]),
    ) as AdultDetails,
  });
  const carers = [
    adult('father', 'Father', 'Parent'),
    adult('mother', 'Mother', 'Parent'),
    ...(row.parents_are_guardians
      ? []
      : [adult('guardian', textAt(row, 'guardian_relation') || 'Guardian', 'Guardian')]),
  ].filter(({ firstName }) => firstName !== '');
  const isLinked = ({ part, email, mobile }: FormAdult) =>
    (email !== '' && email.toLowerCase() === textAt(row, `link_${part}_email`).toLowerCase()) ||
    (mobile !== '' && mobile === textAt(row, `link_${part}_mobile`));
  const first = carers.find(isLinked) ?? carers[0];
  const contacts = (['contact1', 'contact2'] as const)
    .map(
      (part): FormAdult => ({
        part,
        firstName: textAt(row, `${part}_first_name`),
        lastName: withoutSign(textAt(row, `${part}_last_name`)),
        mobile: textAt(row, `${part}_mobile`),
        email: '',
        relation: textAt(row, `${part}_relationship`) || 'Other',
        role: 'Contact',
        isPrimary: false,
        details: {},
      }),
    )
    .filter(({ firstName }) => firstName !== '');
  const all: FormAdult[] = carers.map((carer) => ({ ...carer, isPrimary: carer === first }));
  for (const contact of contacts) if (!all.some((other) => isSamePerson(contact, other))) all.push(contact);
  return all;
}

const sameWord = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();
const isSamePerson = (one: FormAdult, other: FormAdult) =>
  one.mobile === other.mobile && (sameWord(one.firstName, other.firstName) || sameWord(one.relation, other.relation));

const addressColumns = ['street_no', 'address1', 'address2', 'city', 'state', 'country', 'pin_code'] as const;

function addressOf(row: Row): FormChild['address'] {
  const of = (kind: 'current' | 'permanent', isKept: boolean) =>
    addressColumns.map((name) => [`${kind}_${name}`, isKept ? textAt(row, `${kind}_${name}`) : '']);
  return {
    is_same: row.same_address === true,
    ...Object.fromEntries([...of('current', true), ...of('permanent', row.same_address !== true)]),
  };
}

const healthNames = new Set<string>([
  ...healthQuestions.flatMap(({ name, opens }) => [name, ...opens.map((box) => box.name)]),
  'childPersonalityAndHomeRoutine',
  'dailyElectronicDevicesUsageTime',
  'programsWatchedOrGamesPlayedName',
]);

/** The health answers of a form in clear, for sealing them at a student's place; undefined without a saved page. */
export async function openHealth(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  inquiryId: number,
): Promise<Papers['health']> {
  const row = await db
    .selectFrom('admission_health')
    .where('inquiry_id', '=', inquiryId)
    .select('answers')
    .executeTakeFirst();
  if (!row) return undefined;
  const saved: object = JSON.parse(open(keys.data, `admission_health.answers:${inquiryId}`, row.answers).toString());
  return Object.fromEntries(Object.entries(saved).filter(([name]) => healthNames.has(name)));
}

export interface FormFiles {
  photoId: string;
  documents: ReferredDocument[];
  /** Documents that the school does without for now. */
  waived: { name: string; dueOn: string | null }[];
}

/** The photo and documents of forms with their verdicts, by inquiry. The papers about the parents stay with the form. */
export async function listFormFiles(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<Map<number, FormFiles>> {
  const photos = await db
    .selectFrom('admission_basic_info as child')
    .leftJoin('admission_health as health', 'health.inquiry_id', 'child.inquiry_id')
    .where('child.inquiry_id', '=', sql<number>`any (${ids}::integer[])`)
    .select(['child.inquiry_id', 'child.photo_id', 'health.vaccination_card_id'])
    .execute();
  const documents = await db
    .selectFrom('admission_document as document')
    .leftJoin('admission_document_verdict as verdict', 'verdict.document_id', 'document.id')
    .where('document.inquiry_id', '=', sql<number>`any (${ids}::integer[])`)
    .select(['document.inquiry_id', 'document.name', 'document.other_description', 'document.file_id'])
    .select(['verdict.result', 'verdict.is_original_seen', 'verdict.remark', 'verdict.staff_id', 'verdict.decided_at'])
    .orderBy('document.id')
    .execute();
  const waivers = await db
    .selectFrom('admission_document_waiver')
    .where('inquiry_id', '=', sql<number>`any (${ids}::integer[])`)
    .select(['inquiry_id', 'name', 'due_on'])
    .orderBy('name')
    .execute();
  const documentsOf = Map.groupBy(documents, ({ inquiry_id }) => inquiry_id);
  const waiversOf = Map.groupBy(waivers, ({ inquiry_id }) => inquiry_id);
  return new Map(
    photos.map(({ inquiry_id, photo_id, vaccination_card_id }) => [
      inquiry_id,
      {
        photoId: photo_id,
        documents: [
          ...(documentsOf.get(inquiry_id) ?? []).map(
            (row): ReferredDocument => ({
              name: row.name,
              fileId: row.file_id,
              status: (row.result ?? 'Waiting') as ReferredDocument['status'],
              decidedBy: row.staff_id,
              decidedAt: row.decided_at,
              remark: [row.other_description, row.is_original_seen ? 'Original seen' : '', row.remark ?? '']
                .filter(Boolean)
                .join('. '),
            }),
          ),
          ...(vaccination_card_id
            ? [
                {
                  name: 'Other',
                  fileId: vaccination_card_id,
                  status: 'Waiting' as const,
                  decidedBy: null,
                  decidedAt: null,
                  remark: 'Vaccination card',
                },
              ]
            : []),
        ],
        waived: (waiversOf.get(inquiry_id) ?? []).map(({ name, due_on }) => ({ name, dueOn: due_on })),
      },
    ]),
  );
}
