-- Times of interactions from which invited families choose one behind the link of their form

create table admission_time_choice (
  id                integer generated always as identity primary key,
  branch_id         integer not null references academic_branch,
  academic_year_id  integer not null references academic_year,
  kind              text not null check (kind in ('Interaction', 'Assessment')),
  until             timestamptz not null,
  made_by           integer not null references staff,
  made_at           timestamptz not null,
  ended_at          timestamptz
);
create index on admission_time_choice (branch_id, until);
create index on admission_time_choice (academic_year_id);
create index on admission_time_choice (made_by);
grant select, insert on admission_time_choice to shala_app;
grant update (ended_at) on admission_time_choice to shala_app;

create table admission_time_choice_family (
  choice_id   integer not null references admission_time_choice,
  inquiry_id  integer not null references admission_inquiry,
  primary key (choice_id, inquiry_id)
);
create index on admission_time_choice_family (inquiry_id);
grant select, insert on admission_time_choice_family to shala_app;

alter table admission_slot add choice_id integer references admission_time_choice;
create index on admission_slot (choice_id) where choice_id is not null;

-- When the family chose it; empty where the office planned it. A time that was given up can be chosen again.
alter table admission_interaction add chosen_at timestamptz;
grant update (chosen_at) on admission_interaction to shala_app;
