import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** An adult as a form or a file names it. */
export interface NamedAdult {
  /** Those of one child have the same number: a match of one may decide about the other. */
  child: number;
  firstName: string;
  lastName: string;
  mobile: string;
  email: string;
  /** Father, Mother, or another word. */
  relation: string;
}

interface Match {
  /** This adult, and no other. */
  certain?: number;
  /** Offered, and never taken by itself. */
  likely: number[];
}

interface Known {
  id: number;
  first_key: string;
  last_key: string;
  mobile: string;
  email: string;
  groups: string[];
  partners: number[];
}

const firstKey = (name: RawBuilder<unknown>) => sql`split_part(ltrim(search_key(${name})), ' ', 1)`;
const wholeKey = (name: RawBuilder<unknown>) => sql`trim(search_key(${name}))`;

/** As keys. */
const endings = ['bhai', 'ben', 'kumar'];
const titles = /^(mr|mrs|ms|dr|shri|smt|late|mister)\.? +/i;
const leastLetters = 3;

/** Fathers and mothers differ from each other and from all others. */
const groupOf = (relation: string) => (relation === 'Father' || relation === 'Mother' ? relation : 'other');

/** Locks mobile numbers and email addresses of adults, sorted, until the transaction ends. */
const lockContacts = async ({ db }: Pick<Context, 'db'>, contacts: readonly string[]) => {
  const sorted = [...new Set(contacts)].filter(Boolean).sort();
  await sql`select pg_advisory_xact_lock(hashtext('guardian'), hashtext(contact))
    from unnest(${sorted}::text[]) with ordinality as given (contact, place) order by place`.execute(db);
};

/**
 * The adults of the database that are these, in their order. Two offices that add two brothers at once wait for each
 * other, so that the father is one adult.
 */
export async function matchGuardians(ctx: Pick<Context, 'db'>, people: readonly NamedAdult[]): Promise<Match[]> {
  const contacts = people.flatMap(({ mobile, email }) => [mobile, email.toLowerCase()]);
  await lockContacts(ctx, contacts);
  const keys = await keysOf(ctx, people);
  const known = await readKnown(
    ctx,
    people,
    keys.map(({ first, last }) => `${first} ${last}`.trim()),
  );
  const matches = people.map((person, index): Match => {
    const key = keys[index];
    const withContact = known.filter((one) => sharesContact(person, one));
    const fitting = withContact.filter((one) => isSameGroup(person, one) && key && namesFit(key, one));
    const certain = fitting.length === 1 ? fitting[0]?.id : undefined;
    const others = known.filter(
      (one) =>
        withContact.includes(one) || (key && isSameName(key, one) && (person.mobile === '' || one.mobile === '')),
    );
    const likely = others.map(({ id }) => id).filter((id) => id !== certain);
    return { ...(certain !== undefined && { certain }), likely };
  });
  // A father without a number is the partner of a mother who is known for certain.
  return matches.map((match, index) => {
    const person = people[index];
    const key = keys[index];
    if (!person || !key || match.certain !== undefined) return match;
    const partnerIds = people.flatMap((other, at) =>
      other.child === person.child && at !== index ? (matches[at]?.certain ?? []) : [],
    );
    const partners = known.filter(
      (one) =>
        one.partners.some((id) => partnerIds.includes(id)) &&
        isSameGroup(person, one) &&
        isSameName(key, one) &&
        (person.mobile === '' || one.mobile === '' || person.mobile === one.mobile),
    );
    const [only] = partners;
    if (!only || partners.length > 1) return match;
    return { certain: only.id, likely: match.likely.filter((id) => id !== only.id) };
  });
}

interface Key {
  first: string;
  last: string;
}

/** The keys of the first words of the names, by which names in every script are compared. */
async function keysOf({ db }: Pick<Context, 'db'>, people: readonly NamedAdult[]): Promise<Key[]> {
  const given = people.map(({ firstName, lastName }) => ({ first: firstName.replace(titles, ''), last: lastName }));
  const { rows } = await sql<Key>`
    select ${firstKey(sql`first`)} as first, ${wholeKey(sql`last`)} as last
    from rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (first text, last text)) with ordinality
    order by ordinality`.execute(db);
  return rows;
}

/** Adults with these numbers or addresses, those of the same names without a number, and the other parent of each. */
async function readKnown({ db }: Pick<Context, 'db'>, people: readonly NamedAdult[], names: readonly string[]) {
  const mobiles = people.map(({ mobile }) => mobile).filter(Boolean);
  const emails = people.map(({ email }) => email.toLowerCase()).filter(Boolean);
  const { rows } = await sql<Known>`
    with found as (
      select id from guardian where (mobile = any(${mobiles}) and mobile <> '')
        or (lower(email) = any(${emails}) and email <> '')
      union
      select id from guardian where mobile = ''
        and trim(${firstKey(sql`first_name`)} || ' ' || ${wholeKey(sql`last_name`)}) = any(${names})
    ), partner as (
      select other.guardian_id as id from student_guardian own
      join student_guardian other on other.student_id = own.student_id and other.guardian_id <> own.guardian_id
      where own.guardian_id in (select id from found)
      union select id from found
    )
    select guardian.id, ${firstKey(sql`first_name`)} as first_key, ${wholeKey(sql`last_name`)} as last_key, mobile,
      lower(email) as email,
      array(select distinct relation.name from student_guardian link
        join academic_lookup relation on relation.id = link.relation_id where link.guardian_id = guardian.id) as groups,
      array(select distinct other.guardian_id from student_guardian own
        join student_guardian other on other.student_id = own.student_id and other.guardian_id <> own.guardian_id
        where own.guardian_id = guardian.id) as partners
    from guardian where id in (select id from partner)
    order by id`.execute(db);
  return rows;
}

const sharesContact = ({ mobile, email }: NamedAdult, one: Known) =>
  (mobile !== '' && mobile === one.mobile) || (email !== '' && email.toLowerCase() === one.email);

/** An adult without a child yet is of every group. */
const isSameGroup = ({ relation }: NamedAdult, { groups }: Known) =>
  groups.length === 0 || groups.some((word) => groupOf(word) === groupOf(relation));

const withoutEnding = (key: string) => {
  const ending = endings.find((word) => key.endsWith(word) && key.length - word.length >= leastLetters);
  return ending ? key.slice(0, -ending.length) : key;
};

const firstsFit = (one: string, other: string) => {
  const [short = '', long = ''] = [withoutEnding(one), withoutEnding(other)].sort((a, b) => a.length - b.length);
  return short.length >= leastLetters && long.startsWith(short);
};

const namesFit = ({ first, last }: Key, one: Known) =>
  firstsFit(first, one.first_key) && (last === one.last_key || last === '' || one.last_key === '');

const isSameName = ({ first, last }: Key, one: Known) =>
  withoutEnding(first) === withoutEnding(one.first_key) && last === one.last_key;
