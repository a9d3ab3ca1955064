import { sql } from 'kysely';
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
  const known = await readKnown(ctx, people);
  const matches = people.map((person, index): Match => {
    const found = known.filter(({ place, isPartner }) => place === index && !isPartner);
    const fitting = found.filter((one) => one.hasContact && one.isSameName && isSameGroup(person, one));
    const certain = fitting.length === 1 ? fitting[0]?.id : undefined;
    const likely = found.map(({ id }) => id).filter((id) => id !== certain);
    return { ...(certain !== undefined && { certain }), likely };
  });
  // A father without a number is the partner of a mother who is known for certain.
  const decided = matches.map((match, index) => {
    const person = people[index];
    if (!person || match.certain !== undefined) return match;
    const partnerIds = people.flatMap((other, at) =>
      other.child === person.child && at !== index ? (matches[at]?.certain ?? []) : [],
    );
    const partners = known.filter(
      (one) =>
        one.place === index &&
        one.isSameName &&
        one.partners.some((id) => partnerIds.includes(id)) &&
        isSameGroup(person, one) &&
        (person.mobile === '' || one.mobile === '' || person.mobile === one.mobile),
    );
    const [only] = new Set(partners.map(({ id }) => id));
    if (only === undefined || partners.some(({ id }) => id !== only)) return match;
    return { certain: only, likely: match.likely.filter((id) => id !== only) };
  });
  return withSame(people, decided, await readPairs(ctx, people));
}

/** Finds the new adults whom several children share, by the rules for known adults. */
function withSame(people: readonly NamedAdult[], matches: readonly Match[], pairs: readonly Pair[]): Match[] {
  const found: Match[] = [];
  const pairsOf = Map.groupBy(pairs, ({ place }) => place);
  const isNew = (index: number) => matches[index]?.certain === undefined;
  const isFirst = (index: number, fits: (pair: Pair) => boolean) => {
    const group = groupOf(people[index]?.relation ?? '');
    const pair = (pairsOf.get(index) ?? []).find(
      (one) => isNew(one.earlier) && groupOf(people[one.earlier]?.relation ?? '') === group && fits(one),
    );
    return pair && (found[pair.earlier]?.same ?? pair.earlier);
  };
  for (const index of people.keys()) {
    const same = isNew(index) ? isFirst(index, ({ hasContact }) => hasContact) : undefined;
    found.push({ ...(matches[index] ?? { likely: [] }), ...(same !== undefined && { same }) });
  }
  /** Who a person is: known, or new. */
  const personOf = (index: number) => found[index]?.certain ?? -1 - (found[index]?.same ?? index);
  const placesOf = Map.groupBy(people.keys(), (index) => people[index]?.child);
  const partnersOf = (index: number) =>
    (placesOf.get(people[index]?.child) ?? []).flatMap((at) => (at === index ? [] : [personOf(at)]));
  for (const [index, { mobile, email }] of people.entries()) {
    const match = found[index];
    if (!match || !isNew(index) || match.same !== undefined || mobile !== '' || email !== '') continue;
    const partners = partnersOf(index);
    const same = isFirst(
      index,
      ({ earlier }) => people[earlier]?.mobile === '' && partnersOf(earlier).some((id) => partners.includes(id)),
    );
    if (same !== undefined) match.same = same;
  }
  return found;
}

/** The people with the words of their names, by which names in every script are compared. */
const askedOf = (people: readonly NamedAdult[]) => sql`
  select ordinality::integer - 1 as place, child, name_words("firstName") as first_words,
    name_words("lastName") as last_words, mobile, lower(email) as email
  from rows from (jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
    as (child integer, "firstName" text, "lastName" text, mobile text, email text)) with ordinality`;

/** The places of the people whose mobile number is known, and of adults with other names alone. */
export async function sharedNumbers({ db }: Pick<Context, 'db'>, people: readonly NamedAdult[]): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    with asked as materialized (${askedOf(people)})
    select place from asked join guardian on guardian.mobile = asked.mobile and guardian.mobile <> ''
      and guardian.merged_into_id is null
    group by place
    having max(names_fit(guardian.first_words, guardian.last_words, asked.first_words, asked.last_words)) < 2`.execute(
    db,
  );
  return new Set(rows.map(({ place }) => place));
}

interface Known {
  place: number;
  id: number;
  mobile: string;
  /** By number or address. */
  hasContact: boolean;
  isSameName: boolean;
  /** Found only as the other parent of an adult who may be one of the same child. */
  isPartner: boolean;
  /** What the adult is to children. */
  groups: string[];
  partners: number[];
}

/** For each person the adults with the number or address, those of the name without a number, and the other parent of each. */
async function readKnown({ db }: Pick<Context, 'db'>, people: readonly NamedAdult[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    with asked as materialized (${askedOf(people)}), found as (
      select place, guardian.id from asked join guardian on guardian.mobile = asked.mobile and guardian.mobile <> ''
      union
      select place, guardian.id from asked join guardian on lower(guardian.email) = asked.email and guardian.email <> ''
      union
      select place, guardian.id from asked join guardian on guardian.first_words[1] = asked.first_words[1]
        and guardian.mobile = '' and (guardian.last_words = '{}') = (asked.last_words = '{}')
      where names_fit(guardian.first_words, guardian.last_words, asked.first_words, asked.last_words) = 2
    ), all_found as (
      select place, id, false as is_partner from found
      union
      select asked.place, other.guardian_id, true from found join asked one using (place)
      join asked on asked.child = one.child and asked.place <> one.place
      join student_guardian own on own.guardian_id = found.id
      join student_guardian other on other.student_id = own.student_id and other.guardian_id <> own.guardian_id
    )
    select place, guardian.id, guardian.mobile, bool_and(is_partner) as "isPartner",
      (guardian.mobile = asked.mobile and guardian.mobile <> '') or (lower(guardian.email) = asked.email and guardian.email <> '')
        as "hasContact",
      names_fit(guardian.first_words, guardian.last_words, asked.first_words, asked.last_words) = 2 as "isSameName",
      array(select distinct relation.name from student_guardian link
        join academic_lookup relation on relation.id = link.relation_id where link.guardian_id = guardian.id) as groups,
      array(select distinct other.guardian_id from student_guardian own
        join student_guardian other on other.student_id = own.student_id and other.guardian_id <> own.guardian_id
        where own.guardian_id = guardian.id) as partners
    from all_found join asked using (place) join guardian using (id) where guardian.merged_into_id is null
    group by place, guardian.id, asked.mobile, asked.email, asked.first_words, asked.last_words
    order by place, guardian.id`.execute(db);
  return rows;
}

interface Pair {
  place: number;
  earlier: number;
  /** They share a number or address. */
  hasContact: boolean;
}

/** Pairs of people of two children who have one name, and one number or address or no number both. */
async function readPairs({ db }: Pick<Context, 'db'>, people: readonly NamedAdult[]): Promise<Pair[]> {
  if (people.length < 2) return [];
  const { rows } = await sql<Pair>`
    with asked as materialized (${askedOf(people)}), pair as (
      select one.place, other.place as earlier from asked one join asked other on other.mobile = one.mobile
        where one.mobile <> ''
      union
      select one.place, other.place from asked one join asked other on other.email = one.email where one.email <> ''
      union
      select one.place, other.place from asked one join asked other on other.first_words[1] = one.first_words[1]
        where one.mobile = '' and one.email = '' and other.mobile = ''
    )
    select pair.place, pair.earlier,
      (one.mobile = other.mobile and one.mobile <> '') or (one.email = other.email and one.email <> '') as "hasContact"
    from pair join asked one using (place) join asked other on other.place = pair.earlier
    where pair.earlier < pair.place and one.child <> other.child
      and names_fit(one.first_words, one.last_words, other.first_words, other.last_words) = 2
    order by 1, 2`.execute(db);
  return rows;
}

/** An adult without a child yet is of every group. */
const isSameGroup = ({ relation }: NamedAdult, { groups }: Known) =>
  groups.length === 0 || groups.some((word) => groupOf(word) === groupOf(relation));
