import type { Child, ChildrensFamily } from '#database/seed/children.ts';
import { fictionalMobile, type SeedPlan } from '#database/seed/plan.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { Random } from '#kit/server/random.ts';

/** Staff, applicants and forms have numbers below and above these. */
const firstMobile = 200_000;
const occupations = ['Business', 'Engineer', 'Doctor', 'Teacher', 'Accountant', 'Farmer', 'Shopkeeper', 'Homemaker'];
const qualifications = ['B.Com.', 'B.Sc.', 'B.E.', 'M.A.', 'Class 12'];
const organizations = ['Patel Textiles', 'Diamond Bourse', 'City Hospital', 'State Bank', 'Own business', ''];
/** The fathers of two families are barred from contact. */
const barred = [16, 100];

interface Adult {
  mobile: string;
  firstName: string;
  lastName: string;
  relation: 'Father' | 'Mother' | 'Grandfather';
  role: 'Parent' | 'Guardian';
  occupation: string;
  isDeceased: boolean;
  isPrimary: boolean;
  isBarred: boolean;
}

/** The adults of every family, each linked to all of its children. */
export async function seedFamilies(db: Database, plan: SeedPlan, children: Child[], idOf: Map<string, number>) {
  const random = plan.random('family');
  const families = [...new Set(children.map(({ family }) => family))].map((family, index) => ({
    family,
    adults: drawAdults(random, family, index),
  }));
  await insertRows(
    db,
    'guardian',
    families.flatMap(({ adults }) =>
      adults.map(({ mobile, firstName, lastName, occupation, isDeceased }) => ({
        first_name: firstName,
        middle_name: '',
        last_name: lastName,
        mobile,
        email: '',
        qualification: random.oneOf(qualifications),
        occupation,
        organization: occupation === 'Homemaker' ? '' : random.oneOf(organizations),
        specialty_id: null,
        job_profile: '',
        is_deceased: isDeceased,
        version: 1,
      })),
    ),
  );
  const rows = await db.selectFrom('guardian').select(['id', 'mobile']).execute();
  const adultAt = new Map(rows.map(({ id, mobile }) => [mobile, id]));
  const relations = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Relation')
    .select(['id', 'name'])
    .execute();
  const relationId = new Map(relations.map(({ id, name }) => [name, id]));
  const links = families.flatMap(({ family, adults }) =>
    family.children.flatMap(({ grNo }) =>
      adults.map(({ mobile, relation, role, isDeceased, isPrimary, isBarred }, index) => ({
        student_id: idOf.get(grNo) ?? 0,
        guardian_id: adultAt.get(mobile) ?? 0,
        relation_id: relationId.get(relation) ?? 0,
        role,
        is_primary: isPrimary,
        contact_order: index + 1,
        may_collect: !(isBarred || isDeceased),
        receives_messages: !(isBarred || isDeceased),
        is_barred: isBarred,
        restriction: isBarred ? 'By order of the family court: no contact.' : '',
        version: 1,
      })),
    ),
  );
  // In one transaction, since a child's links may be in two statements, and one of them is primary.
  await db.transaction().execute((db) => insertRows(db, 'student_guardian', links));
}

/** Father and mother; in a few families one of them alone, or a grandfather who looks after the children. */
function drawAdults(random: Random, { father, mother, surname }: ChildrensFamily, index: number): Adult[] {
  const kind = random.upTo(100);
  const isBarred = barred.includes(index);
  const isDeceased = !isBarred && kind < 1;
  const hasFather = isBarred || kind < 97;
  const hasMother = isBarred || isDeceased || kind < 91 || kind >= 97;
  const adult = (firstName: string, relation: Adult['relation'], number: number): Adult => ({
    mobile: fictionalMobile(firstMobile + 3 * index + number),
    firstName,
    lastName: surname,
    relation,
    role: relation === 'Grandfather' ? 'Guardian' : 'Parent',
    occupation: random.oneOf(occupations),
    isDeceased: false,
    isPrimary: false,
    isBarred: false,
  });
  const adults = [
    ...(hasFather ? [{ ...adult(father, 'Father', 0), isDeceased, isBarred }] : []),
    ...(hasMother ? [adult(mother, 'Mother', 1)] : []),
    ...(kind >= 97 && kind < 100 && !isBarred ? [adult('Kantilal', 'Grandfather', 2)] : []),
  ];
  const callable = adults.filter((one) => !one.isDeceased && !one.isBarred);
  const first = callable[random.isOnceIn(4) ? callable.length - 1 : 0];
  if (first) first.isPrimary = true;
  return adults;
}
