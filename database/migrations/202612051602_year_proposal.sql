-- As before. The answer of each child is looked up by its key: as a join of two groups every answer was held beside every child,
-- since the planner expects one child.
create or replace view year_proposal as
  select asked.enrollment_id, asked.student_id, asked.branch_id, asked.grade_id, question.to_year_id, question.from_year_id,
    coalesce(valid.answer, '') as answer, coalesce(valid.is_of_office, false) as is_of_office, valid.answer_id
  from year_question question
  cross join lateral year_asked(question.to_year_id) asked
  left join lateral (
    select own.answer, own.is_of_office, own.answer_id from year_valid_answer own
    where own.to_year_id = question.to_year_id and own.student_id = asked.student_id offset 0) as valid on true;
