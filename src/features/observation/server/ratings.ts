import { sql } from 'kysely';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { noteMessages } from '../contract/note.ts';
import type { ShownVersion } from '../contract/rubric.ts';

export interface Rating {
  indicatorId: number;
  levelId: number;
  comment: string;
}

export interface SkillDraft {
  skillId: number | null;
  levelId: number | null;
}

/** Refuses ratings of other indicators or levels than those of the version. */
export function refuseForeign(rubric: ShownVersion, ratings: readonly Rating[]) {
  const indicators = new Set(rubric.domains.flatMap((domain) => domain.indicators.map(({ id }) => id)));
  const levels = new Set(rubric.levels.map(({ id }) => id));
  const once = new Set(ratings.map(({ indicatorId }) => indicatorId)).size === ratings.length;
  if (!once || ratings.some(({ indicatorId, levelId }) => !indicators.has(indicatorId) || !levels.has(levelId)))
    throw fieldRefusal('ratings', noteMessages.otherLevel);
}

/** Replaces the ratings of notes with these. */
export async function writeRatings(
  { db }: Pick<UserContext, 'db'>,
  noteIds: readonly number[],
  version: { id: number; scaleId: number } | null,
  ratings: readonly Rating[],
) {
  await sql`delete from observation_note_rating where note_id = any(${[...noteIds]}::integer[])`.execute(db);
  if (!version || ratings.length === 0) return;
  const rows = noteIds.flatMap((note_id) =>
    ratings.map(({ indicatorId, levelId, comment }) => ({
      note_id,
      version_id: version.id,
      indicator_id: indicatorId,
      level_id: levelId,
      scale_id: version.scaleId,
      comment,
    })),
  );
  await insertRows(db, 'observation_note_rating', rows);
}

/** Replaces the evidence of notes with these skills, each with the day and the enrolment of its note. */
export async function writeEvidence(
  { db }: Pick<UserContext, 'db'>,
  noteIds: readonly number[],
  skills: readonly SkillDraft[],
) {
  await endEvidence({ db }, noteIds);
  if (skills.length === 0) return;
  const { rows } = await sql<{ fits: boolean }>`
    select count(*) = ${skills.length}::integer as fits from configuration_skill skill
    where skill.id = any(${skills.map(({ skillId }) => skillId)}::integer[]) and skill.is_active
      and not exists (select from observation_note note join academic_grade grade on grade.id = note.grade_id
        where note.id = any(${[...noteIds]}::integer[]) and grade.stage <> all (skill.stages))`.execute(db);
  if (!rows[0]?.fits) throw fieldRefusal('skills', noteMessages.otherSkill);
  await sql`insert into student_skill_evidence (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      skill_id, skill_level_id, noted_on, observation_note_id)
    select note.enrollment_id, note.student_id, note.academic_year_id, note.branch_id, note.program_id, note.grade_id,
      skill.id, skill.level, (note.observed_at at time zone 'Asia/Kolkata')::date, note.id
    from observation_note note, unnest(${skills.map(({ skillId }) => skillId)}::integer[],
      ${skills.map(({ levelId }) => levelId)}::integer[]) as skill (id, level)
    where note.id = any(${[...noteIds]}::integer[])`.execute(db);
}

/** Ends the evidence of notes; of a closed year it stays. */
const endEvidence = ({ db }: Pick<UserContext, 'db'>, noteIds: readonly number[]) =>
  sql`delete from student_skill_evidence evidence using academic_year year
    where year.id = evidence.academic_year_id and year.status <> 'Closed'
      and evidence.observation_note_id = any(${[...noteIds]}::integer[])`.execute(db);

/** Ends what would say elsewhere what a note is about: its evidence and its tags. */
export async function endMarks(ctx: Pick<UserContext, 'db'>, noteId: number) {
  await endEvidence(ctx, [noteId]);
  await ctx.db
    .deleteFrom('tag_link')
    .where('entity_type', '=', 'Observation')
    .where('entity_id', '=', noteId)
    .execute();
}
