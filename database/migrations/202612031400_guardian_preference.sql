-- The language in which a guardian is written to; '' where nothing is known. A pattern, so that another language needs no migration.
-- What the guardian chose counts before the form's answer; the last change of guardian or school counts.
create table guardian_preference (
  guardian_id  integer primary key references guardian on delete cascade,
  language     text not null default '' check (language ~ '^([a-z]{2,3})?$'),
  set_by       text not null check (set_by in ('Guardian', 'School', 'Form')),
  changed_at   timestamptz not null default school_now(),
  version      integer not null default 1
);
grant select, insert, update on guardian_preference to shala_app;

-- Parents whose form was answered in a language.
insert into guardian_preference (guardian_id, language, set_by)
select distinct on (bond.guardian_id) bond.guardian_id, inquiry.language, 'Form'
from admission_inquiry inquiry
join student_guardian bond on bond.student_id = inquiry.student_id and bond.role in ('Parent', 'Guardian')
where inquiry.language <> ''
order by bond.guardian_id, inquiry.id desc;

-- The language of an adult, also of one who was merged into another.
create function guardian_language(asked integer) returns text language sql stable as $$
  select coalesce((select language from guardian_preference where guardian_id = guardian_now(asked)), '')
$$;

-- Whose language a message is written in, which is asked when it is sent.
alter table outbox add column reader_id integer;

-- A text is registered in each language by itself. The pattern is our text as it was then: what is sent keeps to it, whatever a
-- later translation says.
alter table sms_template
  add column language text not null default 'en' check (language ~ '^[a-z]{2,3}$'),
  add column pattern text not null default '' check (length(pattern) <= 2000),
  drop constraint sms_template_pkey,
  add primary key (kind, language);
