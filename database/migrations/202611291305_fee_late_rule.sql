-- A due keeps the rule of its late fine from the day it is made: another rule of its head counts for later dues only.
alter table fee_due add column late_rule_id integer references fee_fine_rule;
update fee_due due set late_rule_id = head.fine_rule_id
from fee_head head
where head.id = due.fee_head_id and due.kind in ('Plan', 'Extra') and head.fine_rule_id is not null;
create index on fee_due (late_rule_id);

create function fee_keep_late_rule() returns trigger language plpgsql as $$
begin
  if new.kind in ('Plan', 'Extra') then
    new.late_rule_id := (select fine_rule_id from fee_head where id = new.fee_head_id);
  end if;
  return new;
end $$;
create trigger late_rule before insert on fee_due for each row execute function fee_keep_late_rule();
