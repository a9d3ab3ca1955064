import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /observation-visit/export': async ({ school, incharge, principal }) => {
      await school.sql(`with scale as (insert into observation_scale (name) values ('Lesson') on conflict (lower(name)) do update
            set name = excluded.name returning id),
          rubric as (insert into observation_rubric (name, for_whom) values ('Lesson', 'Staff')
            on conflict (for_whom, lower(name)) do update set name = excluded.name returning id),
          version as (insert into observation_rubric_version (rubric_id, number, scale_id) select rubric.id, 1, scale.id
            from rubric, scale on conflict (rubric_id, number) do update set number = excluded.number returning id, scale_id),
          type as (insert into observation_type (name, for_whom, kind, rubric_id) select 'Lesson', 'Staff', 'Rubric', id from rubric
            on conflict (for_whom, lower(name)) do update set name = excluded.name returning id)
        insert into observation_visit (observed_id, observer_id, type_id, rubric_version_id, scale_id, kind, scheduled_at)
          select ${incharge.staffId}, ${principal.staffId}, type.id, version.id, version.scale_id, 'Peer', now() from version, type`);
      return { url: '/observation-visit/export?as=csv&tab=all' };
    },
    'GET /observation-note/export': async ({ school, pupil, principal }) => {
      await pupil();
      await school.sql(`with type as (insert into observation_type (name, for_whom, kind) values ('Note', 'Student', 'Anecdotal')
          on conflict (for_whom, lower(name)) do update set name = excluded.name returning id)
        insert into observation_note (group_id, type_id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
          observed_at, polarity, note, reach, author_id, published_at, locks_at, changed_at)
        select gen_random_uuid(), type.id, own.id, student_id, academic_year_id, branch_id, program_id, grade_id,
          joined_on, 'Neutral', 'Read aloud.', 'Class teachers', (select staff_id from sign_in_account where id = ${principal.id}),
          now(), now(), now()
        from type, student_enrollment own where own.is_standing and joined_on < current_date limit 1`);
      return { url: '/observation-note/export?as=csv&tab=all', by: principal };
    },
  },
  rows: async ({ sql }) => {
    await sql(
      `insert into observation_note_file (note_id, file_id) select (select min(id) from observation_note), (select id from file limit 1)`,
    );
    await sql(`with rated as (
        insert into observation_note (group_id, type_id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
          observed_at, polarity, note, reach, rubric_version_id, scale_id, author_id, published_at, locks_at, changed_at)
        select note.group_id, type.id, enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, observed_at,
          polarity, 'Took turns.', 'All teachers', version.id, version.scale_id, author_id, note.published_at, locks_at, changed_at
        from observation_note note, observation_type type
        join observation_rubric_version version on version.rubric_id = type.rubric_id and version.state = 'Published'
        where type.for_whom = 'Student' order by note.id limit 1 returning *)
      insert into observation_note_rating (note_id, version_id, indicator_id, level_id, scale_id)
      select rated.id, rated.rubric_version_id, indicator.id, level.id, rated.scale_id
      from rated join observation_indicator indicator on indicator.version_id = rated.rubric_version_id
      join observation_level level on level.scale_id = rated.scale_id order by 3, 4 limit 1;
      insert into observation_draft (author_id, answers, changed_at) select min(id), 'sealed', now() from staff;
      with rubric as (insert into observation_rubric (name, for_whom) values ('Draft', 'Student') returning id),
        version as (insert into observation_rubric_version (rubric_id, number, scale_id)
          select rubric.id, 1, min(scale.id) from rubric, observation_scale scale group by rubric.id returning id, scale_id),
        domain as (insert into observation_domain (version_id, position, name) select id, 1, 'Care' from version returning id, version_id),
        indicator as (insert into observation_indicator (domain_id, version_id, position, text)
          select id, version_id, 1, 'Keeps order.' from domain returning id, version_id)
      insert into observation_descriptor (indicator_id, version_id, level_id, scale_id, text)
        select indicator.id, version_id, min(level.id), version.scale_id, 'Books stand in line.'
        from indicator, version join observation_level level on level.scale_id = version.scale_id
        group by indicator.id, version_id, version.scale_id`);
  },
};
