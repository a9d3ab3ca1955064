import { sql } from 'kysely';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { noteMessages } from '../contract/note.ts';
import type { ShownVersion } from '../contract/rubric.ts';
import type { Reach } from '../contract/words.ts';
import { readVersions } from './version.ts';

const authorOf: Readonly<Record<string, string>> = {
  classTeacher: 'Class teacher',
  subjectTeacher: 'Subject teacher',
  counsellor: 'Counsellor',
  principal: 'Principal',
};

interface OfferedType {
  id: number;
  name: string;
  usualReach: '' | Reach;
  asksFollowUp: boolean;
  rubric: ShownVersion | null;
}

/** The active types of notes on students that the user may write; a rubric is its latest published version. */
export async function offeredTypes(ctx: Pick<UserContext, 'db' | 'user'>): Promise<OfferedType[]> {
  const own = ctx.user.sets.flatMap((set) => authorOf[set] ?? []);
  const { rows } = await sql<Omit<OfferedType, 'rubric'> & { kind: string; versionId: number | null }>`
    select type.id, type.name, type.usual_reach as "usualReach", type.asks_follow_up as "asksFollowUp", type.kind,
      version.id as "versionId"
    from observation_type type
    left join observation_rubric_version version on version.rubric_id = type.rubric_id and version.state = 'Published'
    where type.for_whom = 'Student' and type.is_active
      and (cardinality(type.authors) = 0 or type.authors && ${own}::text[])
      and (type.kind = 'Anecdotal' or version.id is not null)
    order by type.kind <> 'Anecdotal', lower(type.name)`.execute(ctx.db);
  const versions = await readVersions(
    ctx,
    rows.flatMap(({ versionId }) => versionId ?? []),
  );
  return rows.map(({ versionId, kind: _, ...type }) => ({
    ...type,
    rubric: versionId === null ? null : (versions.get(versionId) ?? null),
  }));
}

/** A type that the user may write; refuses another one at its field. */
export async function findType(ctx: Pick<UserContext, 'db' | 'user'>, id: number | null): Promise<OfferedType> {
  const found = (await offeredTypes(ctx)).find((type) => type.id === id);
  if (!found) throw fieldRefusal('typeId', noteMessages.otherType);
  return found;
}
