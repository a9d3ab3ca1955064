-- The texts of text messages as the school has registered them with the operators (DLT), by kind of message. An empty
-- text is not registered; of a kind without a row nothing is known.
create table sms_template (
  kind             text primary key check (length(kind) between 1 and 60),
  -- For the history, whose records have numbers.
  id               integer generated always as identity unique,
  template_id      text not null default '' check (length(template_id) <= 30),
  registered_text  text not null default '' check (length(registered_text) <= 2000),
  version          integer not null default 1,
  updated_at       timestamptz not null default now()
);
grant select, insert, update on sms_template to shala_app;
