import { sql } from 'kysely';
import { readTags, setTags } from '#features/tag/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { readLinks } from '#kit/contract/links.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { containsText } from '#kit/server/search.ts';
import type { homeworkApi } from '../contract/homework.ts';
import { homeworkMessages } from '../contract/words.ts';

/** The columns of a content as it is entered. */
export const columnsOf = ({ title, instructions, kind, minutes, maxMarks, showsFeedback }: Entered) => ({
  title,
  instructions,
  kind: String(kind),
  minutes: Number(minutes),
  max_marks: maxMarks,
  shows_feedback: showsFeedback,
});
type Entered = Pick<
  Parameters<Handler<typeof homeworkApi.create>>[1],
  'title' | 'instructions' | 'kind' | 'minutes' | 'maxMarks' | 'showsFeedback'
>;

interface Details {
  links: string;
  skillIds: readonly number[];
  tags: readonly number[];
}

/** Replaces links, skills and tags of a content, which has its deliveries. */
export async function saveDetails(ctx: UserContext, homeworkId: number, { links, skillIds, tags }: Details) {
  await saveLinks(ctx, homeworkId, links);
  await saveSkills(ctx, homeworkId, skillIds);
  await setTags(ctx, 'Homework', homeworkId, tags);
}

async function saveLinks({ db }: UserContext, homeworkId: number, links: string) {
  await db.deleteFrom('homework_link').where('homework_id', '=', homeworkId).execute();
  const addresses = readLinks(links).links;
  if (addresses.length === 0) return;
  await db
    .insertInto('homework_link')
    .values(addresses.map((address, index) => ({ homework_id: homeworkId, position: index + 1, address })))
    .execute();
}

/** Adds active skills of the sections’ stages; keeps those that became inactive since. */
async function saveSkills({ db }: UserContext, homeworkId: number, skillIds: readonly number[]) {
  const wanted = [...new Set(skillIds)];
  const { rows } = await sql<{ isUnfit: boolean }>`
    with gone as (
      delete from homework_skill where homework_id = ${homeworkId} and skill_id <> all (${wanted}::integer[])),
    fit as (
      select skill.id from configuration_skill skill
      join configuration_skill_domain domain on domain.id = skill.skill_domain_id and domain.is_active
      where skill.id = any (${wanted}::integer[]) and skill.is_active and skill.stages && array(
        select grade.stage from homework_section given join academic_grade grade on grade.id = given.grade_id
        where given.homework_id = ${homeworkId})
      union select skill_id from homework_skill where homework_id = ${homeworkId} and skill_id = any (${wanted}::integer[])),
    added as (
      insert into homework_skill (homework_id, skill_id) select ${homeworkId}::integer, id from fit on conflict do nothing)
    select (select count(*) from fit) < ${wanted.length} as "isUnfit"`.execute(db);
  if (rows[0]?.isUnfit) throw fieldRefusal('skillIds', homeworkMessages.skills);
}

/** In a query of `content`: the user gave it. */
const isOwn = ({ user }: Pick<UserContext, 'user'>) => sql<boolean>`content.owner_id = ${user.staffId}`;

export const earlierOptions: Handler<typeof homeworkApi.earlierOptions> = async (ctx, { search, limit, chosenId }) => {
  const { rows } = await sql<{ id: number; name: string }>`
    select content.id, concat_ws(' · ', content.title, subject.name, own.grades, year.name) as name
    from homework content
    join configuration_subject subject on subject.id = content.subject_id
    join academic_year year on year.id = content.academic_year_id
    cross join lateral (select string_agg(distinct grade.name, ', ') as grades from homework_section given
      join academic_grade grade on grade.id = given.grade_id where given.homework_id = content.id) as own
    where ${isOwn(ctx)} and (content.id = ${chosenId}
      or ${search === '' ? sql`true` : containsText(sql`content.title || ' ' || subject.name`, search)})
    order by content.id desc limit ${limit}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, isActive: true }));
};

export const earlier: Handler<typeof homeworkApi.earlier> = async (ctx, { id }) => {
  const { rows } = await sql<{
    title: string;
    minutes: number;
    kind: 'Written';
    instructions: string;
    links: string[];
    maxMarks: number | null;
    showsFeedback: boolean;
    skillIds: number[];
    files: string[];
  }>`
    select content.title, content.minutes, content.kind, content.instructions, content.max_marks::float as "maxMarks",
      content.shows_feedback as "showsFeedback",
      array(select address from homework_link where homework_id = content.id order by position) as links,
      array(select own.skill_id from homework_skill own join configuration_skill skill on skill.id = own.skill_id and skill.is_active
        where own.homework_id = content.id order by own.skill_id) as "skillIds",
      array(select file.name from homework_file own join file on file.id = own.file_id
        where own.homework_id = content.id order by file.stored_at, file.id) as files
    from homework content where content.id = ${id} and ${isOwn(ctx)}`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new AppError('not_found', notFoundMessage);
  const tags = (await readTags(ctx, 'Homework', [id])).get(id) ?? [];
  return { ...found, tags: tags.map((tag) => tag.id) };
};

/** Gives a content the files of another one of the user. */
export async function copyFiles(ctx: UserContext, from: number, to: number) {
  await sql`insert into homework_file (homework_id, file_id)
    select ${to}::integer, own.file_id from homework_file own join homework content on content.id = own.homework_id
    where content.id = ${from} and ${isOwn(ctx)}`.execute(ctx.db);
}
