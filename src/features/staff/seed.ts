import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { demoPeople } from '#database/seed/demo-people.ts';
import { paperPicture } from '#database/seed/pictures.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { type Department, drawStaff } from '#database/seed/staff.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { saveFile } from '#kit/server/files/files.ts';
import type { CheckedUpload } from '#kit/server/files/inspect.ts';
import { tellKeepers } from './server/due-notice.ts';

/** What the demo's users work as, in their order. */
const demoPosts: { designation: string; department: Department }[] = [
  { designation: 'Office assistant', department: 'Administration' },
  { designation: 'Vice principal', department: 'Administration' },
  { designation: 'Teacher', department: 'Languages' },
  { designation: 'Accountant', department: 'Accounts' },
  { designation: 'Office assistant', department: 'Front office' },
  { designation: 'Vice principal', department: 'Administration' },
];

/** What the staff work as since they joined, and the papers in their records. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  await seedPosts(ctx, plan);
  await seedEducation(ctx, plan);
  await seedDocuments(ctx, plan);
}

/** What a day tells HR and the Admins of documents that expire. */
export const finish = (ctx: Context, _app: FastifyInstance, { today }: SeedPlan) => tellKeepers(ctx, today);

async function seedPosts({ db }: Context, plan: SeedPlan) {
  const random = plan.random('posts');
  const seen = new Set<Department>();
  const drawn = drawStaff(plan).map(({ email, department }) => {
    const isFirst = !seen.has(department);
    seen.add(department);
    return { email, department, designation: designationIn(department, isFirst) ?? random.oneOf(teachers) };
  });
  const posts = [...demoPosts.map((post, index) => ({ ...post, email: demoPeople[index]?.email })), ...drawn];

  const joined = await db
    .selectFrom('staff')
    .innerJoin('staff_employment as employment', 'employment.staff_id', 'staff.id')
    .select(['staff.id', 'staff.email', 'employment.joined_on'])
    .execute();
  const staffOf = new Map(joined.map((row) => [row.email, row]));
  const ids = {
    designation: await idsOf(db, 'academic_designation'),
    department: await idsOf(db, 'academic_department'),
    category: await idsOf(db, 'hris_staff_category'),
    terms: await idsOf(db, 'hris_employment_type'),
  };
  const branch = await db.selectFrom('academic_branch').select('id').orderBy('id').executeTakeFirstOrThrow();
  await insertRows(
    db,
    'staff_post',
    posts.flatMap(({ email, designation, department }) => {
      const person = staffOf.get(email ?? null);
      if (!person) return [];
      return {
        staff_id: person.id,
        effective_from: person.joined_on,
        designation_id: ids.designation.get(designation) ?? 0,
        department_id: ids.department.get(department) ?? 0,
        branch_id: branch.id,
        staff_category_id: ids.category.get(categoryIn(department)) ?? null,
        employment_type_id: ids.terms.get(random.isOnceIn(8) ? 'Contract' : 'Permanent') ?? null,
      };
    }),
  );
}

const teachers = ['Senior teacher', 'Teacher', 'Teacher', 'Assistant teacher'] as const;

/** The designation where the department gives it. */
function designationIn(department: Department, isFirst: boolean): string | undefined {
  if (department === 'Administration') return isFirst ? 'Principal' : 'Vice principal';
  if (department === 'Library') return 'Librarian';
  if (department === 'Accounts') return 'Accountant';
  if (department === 'Front office') return 'Office assistant';
  return isFirst ? 'Head of department' : undefined;
}

function categoryIn(department: Department): string {
  if (department === 'Library') return 'Laboratory and library';
  return ['Administration', 'Accounts', 'Front office'].includes(department) ? 'Office' : 'Teacher';
}

type Named =
  | 'academic_designation'
  | 'academic_department'
  | 'hris_staff_category'
  | 'hris_employment_type'
  | 'hris_qualification'
  | 'hris_document_type';

async function idsOf(db: Database, table: Named): Promise<Map<string, number>> {
  const rows = await db.selectFrom(table).select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

const degrees = ['B.A.', 'B.Sc.', 'B.Com.', 'M.A.', 'M.Sc.', 'M.Com.'] as const;
const institutes = ['VNSGU, Surat', 'Gujarat University', 'MSU, Vadodara', 'Sardar Patel University'] as const;
const employers = ['Bal Bhavan Vidyalaya', 'Nutan High School', 'Shree Vidya Mandir', 'Little Lotus School'] as const;

/** A degree for everyone, the B.Ed. that teachers need, and an earlier employer for one in four. */
async function seedEducation({ db }: Context, plan: SeedPlan) {
  const random = plan.random('education');
  const staff = await db
    .selectFrom('staff_post as post')
    .innerJoin('hris_staff_category as category', 'category.id', 'post.staff_category_id')
    .select(['post.staff_id', 'post.effective_from', 'category.kind'])
    .orderBy('post.staff_id')
    .execute();
  const qualifications = await idsOf(db, 'hris_qualification');
  const drawn = staff.map(({ staff_id, effective_from, kind }) => {
    const isTeacher = kind === 'Teaching';
    const joinedIn = Number(effective_from.slice(0, 4));
    const year = joinedIn - 6 - random.upTo(4);
    const qualify = (name: string, in_year: number) => ({
      staff_id,
      qualification_id: qualifications.get(name) ?? 0,
      institute: random.oneOf(institutes),
      year: in_year,
      result: `${55 + random.upTo(30)}%`,
    });
    const degree = qualify(random.oneOf(degrees), year);
    const job = {
      staff_id,
      employer: random.oneOf(employers),
      job_title: isTeacher ? 'Teacher' : 'Clerk',
      from_day: `${joinedIn - 4}-06-01`,
      until_day: `${joinedIn - 1}-04-30`,
    };
    return {
      qualifications: isTeacher ? [degree, qualify('B.Ed.', year + 1)] : [degree],
      jobs: random.isOnceIn(4) ? [job] : [],
    };
  });
  await insertRows(
    db,
    'staff_qualification',
    drawn.flatMap((person) => person.qualifications),
  );
  await insertRows(
    db,
    'staff_experience',
    drawn.flatMap((person) => person.jobs),
  );
}

interface DemoDocument {
  type: string;
  /** Days from today, negative once it has expired. */
  expiresIn?: number;
  isWaiting?: boolean;
}

/** Kiran Parmar, the HR of the demo. */
const keeper = 'office.head@sunrise.example';

/** Documents of some of the demo's users, by email: valid, about to expire, expired, and one that waits for HR. */
const demoDocuments: Record<string, DemoDocument[]> = {
  [keeper]: [
    { type: 'Police verification', expiresIn: 700 },
    { type: 'Identity proof' },
    { type: 'Qualification certificate' },
    { type: 'Driving licence', expiresIn: 48 },
  ],
  'teacher@sunrise.example': [
    { type: 'Police verification', expiresIn: 12 },
    { type: 'Identity proof' },
    { type: 'Qualification certificate', isWaiting: true },
  ],
  'office@sunrise.example': [{ type: 'Police verification', expiresIn: -9 }, { type: 'Identity proof' }],
};

/** The mandatory documents of everyone else; one in ten has yet to hand in a certificate. */
async function seedDocuments(ctx: Context, plan: SeedPlan) {
  const { db } = ctx;
  const random = plan.random('documents');
  const types = await idsOf(db, 'hris_document_type');
  const staff = await db.selectFrom('staff').select(['id', 'email']).orderBy('id').execute();
  const decided_by = staff.find(({ email }) => email === keeper)?.id;
  const papers = new Map<string, CheckedUpload>();
  const rows = [];
  for (const { id, email } of staff) {
    const documents: DemoDocument[] = demoDocuments[email ?? ''] ?? [
      { type: 'Police verification', expiresIn: 100 + random.upTo(600) },
      { type: 'Identity proof' },
      ...(random.isOnceIn(10) ? [] : [{ type: 'Qualification certificate' }]),
    ];
    for (const { type, expiresIn, isWaiting = false } of documents) {
      const paper = papers.get(type) ?? (await drawPaper(type));
      papers.set(type, paper);
      rows.push({
        staff_id: id,
        document_type_id: types.get(type) ?? 0,
        file_id: await saveFile(ctx, { table: 'staff', id }, 'file', paper),
        expires_on: expiresIn === undefined ? null : addDays(plan.today, expiresIn),
        status: isWaiting ? 'Waiting' : 'Verified',
        decided_by: isWaiting ? null : decided_by,
        decided_at: isWaiting ? null : ctx.now(),
      });
    }
  }
  await insertRows(db, 'staff_document', rows);
}

async function drawPaper(title: string): Promise<CheckedUpload> {
  const bytes = await paperPicture(title);
  const sha256 = createHash('sha256').update(bytes).digest();
  return { name: `${title}.jpg`, mediaType: 'image/jpeg', bytes, sha256 };
}
