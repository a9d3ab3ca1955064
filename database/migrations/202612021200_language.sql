-- The language in which a family reads and is written to; '' where nothing is known. Patterns, so that another language needs
-- no migration. The family's answer on the form counts before its choice on a page, and that before the office's guess.
alter table admission_inquiry
  add column language text not null default '' check (language ~ '^([a-z]{2,3})?$'),
  add column language_by text not null default '' check (language_by in ('', 'Office', 'Form', 'Page')),
  add constraint admission_inquiry_language_by check ((language = '') = (language_by = ''));

update admission_inquiry as inquiry
set language = case answer.school_language when 'Gujarati' then 'gu' when 'Hindi' then 'hi' else 'en' end, language_by = 'Form'
from admission_language as answer
where answer.inquiry_id = inquiry.id and answer.school_language in ('Gujarati', 'Hindi', 'English');

alter table admission_consent
  drop constraint admission_consent_language_check,
  add constraint admission_consent_language_check check (language ~ '^[a-z]{2,3}$');

-- Written when a message is sent: the language in which it was really said.
alter table outbox add column language text not null default 'en' check (language ~ '^[a-z]{2,3}$');
