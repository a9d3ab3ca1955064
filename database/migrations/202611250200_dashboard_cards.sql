-- The dashboard shows figures; the setting for its placeholder words goes.
alter table academic_school drop column shows_dashboard_words;
