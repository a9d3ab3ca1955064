-- The office's side of an inquiry: its state, who follows it up, and every contact with the family.

alter table admission_inquiry
  add column version integer not null default 1,
  -- Where the office stands with the family; `status` stays the word that the school publishes to it.
  add column state text not null default 'New' check (state in ('New', 'Form sent', 'In progress', 'Submitted', 'Lost')),
  add column lead_source_id integer references academic_lookup,
  add column quota text not null default 'General' check (quota in ('General', 'RTE', 'Staff', 'Management', 'Sibling')),
  add column assigned_to_id integer references staff,
  add column sibling_student_id integer references student,
  add column staff_parent_id integer references staff,
  add column age_reason text not null default '' check (length(age_reason) <= 300),
  add column remark text not null default '' check (length(remark) <= 1000),
  add column lost_reason text not null default '' check (length(lost_reason) <= 300),
  add column next_follow_up_on date,
  add column search_key text not null generated always as (name_key(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || inquiry_no || ' ' ||
    coalesce(father_first_name, '') || ' ' || coalesce(mother_first_name, ''))) stored;

update admission_inquiry inquiry set
  state = case when submitted_at is not null then 'Submitted'
    when exists (select from admission_basic_info saved where saved.inquiry_id = inquiry.id) then 'In progress'
    else 'Form sent' end,
  lead_source_id = (select id from academic_lookup where kind = 'Lead source' and name = case source
    when 'walk-in' then 'Walk-in' when 'website' then 'Website' when 'referral' then 'Friends or family'
    when 'event' then 'Event at school' else 'Other' end);
alter table admission_inquiry drop column source;

create index admission_inquiry_child on admission_inquiry ((lower(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))), id);
create index admission_inquiry_follow_up on admission_inquiry ((coalesce(next_follow_up_on, 'infinity')), id);
create index admission_inquiry_overdue on admission_inquiry (next_follow_up_on) where next_follow_up_on is not null;
create index admission_inquiry_state on admission_inquiry (state, academic_year_id);
create index on admission_inquiry (assigned_to_id);
create index on admission_inquiry (lead_source_id);
create index on admission_inquiry (sibling_student_id);
create index on admission_inquiry (staff_parent_id);
create index on admission_inquiry (grade_id, academic_year_id);
create index on admission_inquiry using gin (search_key gin_trgm_ops) with (gin_pending_list_limit = 64);

create table admission_follow_up (
  id           integer generated always as identity primary key,
  inquiry_id   integer not null references admission_inquiry,
  channel      text not null check (channel in ('Call', 'Visit', 'Email', 'SMS', 'WhatsApp')),
  note         text not null check (length(note) between 1 and 1000),
  next_on      date,
  staff_id     integer not null references staff,
  contacted_at timestamptz not null default now()
);
create index on admission_follow_up (inquiry_id, id desc);
create index on admission_follow_up (staff_id);
grant select, insert on admission_follow_up to shala_app;
