-- Follow-ups count for open inquiries only; a few of a hundred thousand are.
drop index admission_inquiry_overdue;
create index admission_inquiry_overdue on admission_inquiry (next_follow_up_on)
  where next_follow_up_on is not null and state in ('New', 'Form sent', 'In progress');

create index admission_inquiry_held on admission_inquiry (held_kind) where held_kind is not null;
