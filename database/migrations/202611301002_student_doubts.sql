-- Pairs of students who may be one child, as a form asks about a child that is there already (alike.ts compares one child in
-- the same way). Those who share an adult are compared by more, since they are few.
create function student_doubts() returns table (one_id integer, other_id integer) language sql stable as $$
  with pair as (
    select one.id as one_id, other.id as other_id
    from student one join student other on other.birth_date = one.birth_date and other.id > one.id
      and other.first_words[1] = any (one.first_words || one.last_words)
    where one.merged_into_id is null and other.merged_into_id is null
      and names_fit(one.first_words, one.last_words, other.first_words, other.last_words) = 2
    union
    select one.id, other.id
    from student one join student other on other.branch_id = one.branch_id and other.id <> one.id
      and gr_key(other.gr_no) = gr_key(one.gr_no)
    where one.id < other.id and one.merged_into_id is null and other.merged_into_id is null
      and names_fit(one.first_words, one.last_words, other.first_words, other.last_words) >= 1
    union
    select one.id, other.id
    from guardian adult join guardian same on same.mobile = adult.mobile
    join student_guardian link on link.guardian_id = adult.id
    join student_guardian shared on shared.guardian_id = same.id and shared.student_id > link.student_id
    join student one on one.id = link.student_id and one.merged_into_id is null
    join student other on other.id = shared.student_id and other.merged_into_id is null
    where adult.mobile <> '' and one.first_words[1] = other.first_words[1] and one.gender = other.gender
      and (one.birth_date = other.birth_date
        or is_near_day(one.birth_date, other.birth_date)
          and names_fit(one.first_words, one.last_words, other.first_words, other.last_words) = 2)
  )
  select pair.one_id, pair.other_id from pair
  where not exists (select from student_not_same said where said.one_id = pair.one_id and said.other_id = pair.other_id)
$$;
