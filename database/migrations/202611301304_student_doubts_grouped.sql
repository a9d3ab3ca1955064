-- The same pairs as before. A key of a GR number is worked out once for each student, and students are paired with those of the
-- same key, or of the same mobile number and first name, only where there are two: before, the whole school was joined with itself.
create or replace function student_doubts() returns table (one_id integer, other_id integer) language sql stable as $$
  with keyed as materialized (
    select id, branch_id, gr_key(gr_no) as key from student where merged_into_id is null),
  same_key as materialized (
    select branch_id, key from keyed group by branch_id, key having count(*) > 1),
  called as materialized (
    select adult.mobile, child.first_words[1] as first, child.gender, child.id
    from guardian adult
    join student_guardian link on link.guardian_id = adult.id
    join student child on child.id = link.student_id and child.merged_into_id is null
    where adult.mobile <> ''),
  same_call as materialized (
    select mobile, first, gender from called group by mobile, first, gender having min(id) <> max(id)),
  pair as (
    select one.id as one_id, other.id as other_id
    from student one join student other on other.birth_date = one.birth_date and other.id > one.id
      and other.first_words[1] = any (one.first_words || one.last_words)
    where one.merged_into_id is null and other.merged_into_id is null
      and names_fit(one.first_words, one.last_words, other.first_words, other.last_words) = 2
    union
    select one.id, other.id
    from same_key
    join keyed key on key.branch_id = same_key.branch_id and key.key = same_key.key
    join keyed other_key on other_key.branch_id = same_key.branch_id and other_key.key = same_key.key and other_key.id > key.id
    join student one on one.id = key.id
    join student other on other.id = other_key.id
    where names_fit(one.first_words, one.last_words, other.first_words, other.last_words) >= 1
    union
    select one.id, other.id
    from same_call
    join called own on own.mobile = same_call.mobile and own.first = same_call.first and own.gender = same_call.gender
    join called shared on shared.mobile = same_call.mobile and shared.first = same_call.first
      and shared.gender = same_call.gender and shared.id > own.id
    join student one on one.id = own.id
    join student other on other.id = shared.id
    where one.birth_date = other.birth_date
      or is_near_day(one.birth_date, other.birth_date)
        and names_fit(one.first_words, one.last_words, other.first_words, other.last_words) = 2
  )
  select pair.one_id, pair.other_id from pair
  where not exists (select from student_not_same said where said.one_id = pair.one_id and said.other_id = pair.other_id)
$$;
