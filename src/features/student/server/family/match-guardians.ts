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
  /** The place in the list of an earlier new adult who is the same, of another child. */
  same?: number;
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

export const firstKey = (name: RawBuilder<unknown>) => sql`split_part(ltrim(search_key(${name})), ' ', 1)`;
export const wholeKey = (name: RawBuilder<unknown>) => sql`trim(search_key(${name}))`;

/** As keys. */
const endings = ['bhai', 'ben', 'kumar'];
const titles = /^(mr|mrs|ms|dr|shri|smt|late|mister)\.? +/i;
const leastLetters = 3;

/** Fathers and mothers differ from each other and from all others. */
const groupOf = (relation: string) => (relation === 'Father' || relation === 'Mother' ? relation : 'other');

/** Locks mobile numbers and email addresses of adults, sorted, until the transaction ends. */
export const lockContacts = async ({ db }: Pick<Context, 'db'>, contacts: readonly string[]) => {
  const sorted = [...new Set(contacts)].filter(Boolean).sort();
  await sql`select pg_advisory_xact_lock(hashtext('guardian'), hashtext(contact))
    from unnest(${sorted}::text[]) with ordinality as given (contact, place) order by place`.execute(db);
};

/**
 * The adults of the database that are these, in their order. Two offices that add two brothers at once wait for each
 * other, so that the father is one adult; only a preview that adds nobody leaves the locks out.
 */
export async function matchGuardians(
  ctx: Pick<Context, 'db'>,
  people: readonly NamedAdult[],
  locks = true,
): Promise<Match[]> {
  const contacts = people.flatMap(({ mobile, email }) => [mobile, email.toLowerCase()]);
  if (locks) await lockContacts(ctx, contacts);
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
  const decided = matches.map((match, index) => {
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
  return withSame(people, keys, decided);
}

/** Finds the new adults whom several children share, by the rules for known adults. */
function withSame(people: readonly NamedAdult[], keys: readonly Key[], matches: readonly Match[]): Match[] {
  const found: Match[] = [];
  const isNew = (index: number) => matches[index]?.certain === undefined;
  const isFirst = (index: number, fits: (other: number) => boolean) => {
    const person = people[index];
    const other = people.findIndex(
      (one, at) =>
        at < index &&
        one.child !== person?.child &&
        isNew(at) &&
        groupOf(one.relation) === groupOf(person?.relation ?? '') &&
        fits(at),
    );
    return other < 0 ? undefined : (found[other]?.same ?? other);
  };
  for (const [index, person] of people.entries()) {
    const key = keys[index];
    const same =
      isNew(index) && key && (person.mobile || person.email)
        ? isFirst(index, (at) => {
            const [one, other] = [people[at], keys[at]];
            const isShared =
              one !== undefined &&
              ((person.mobile !== '' && person.mobile === one.mobile) ||
                (person.email !== '' && person.email.toLowerCase() === one.email.toLowerCase()));
            return isShared && other !== undefined && keysFit(key, other);
          })
        : undefined;
    found.push({ ...(matches[index] ?? { likely: [] }), ...(same !== undefined && { same }) });
  }
  /** Who a person is: known, or new. */
  const personOf = (index: number) => found[index]?.certain ?? -1 - (found[index]?.same ?? index);
  const partnersOf = (child: number, index: number) =>
    people.flatMap((one, at) => (one.child === child && at !== index ? [personOf(at)] : []));
  for (const [index, person] of people.entries()) {
    const key = keys[index];
    const match = found[index];
    if (!match || !key || !isNew(index) || match.same !== undefined || person.mobile !== '' || person.email !== '')
      continue;
    const partners = partnersOf(person.child, index);
    const same = isFirst(index, (at) => {
      const other = keys[at];
      return (
        other !== undefined &&
        people[at]?.mobile === '' &&
        withoutEnding(key.first) === withoutEnding(other.first) &&
        key.last === other.last &&
        partnersOf(people[at]?.child ?? -1, at).some((id) => partners.includes(id))
      );
    });
    if (same !== undefined) match.same = same;
  }
  return found;
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

const keysFit = (key: Key, other: Key) =>
  firstsFit(key.first, other.first) && (key.last === other.last || key.last === '' || other.last === '');

const namesFit = (key: Key, one: Known) => keysFit(key, { first: one.first_key, last: one.last_key });

const isSameName = ({ first, last }: Key, one: Known) =>
  withoutEnding(first) === withoutEnding(one.first_key) && last === one.last_key;
