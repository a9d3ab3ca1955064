-- No rule of this version reads them.
alter table workday_shift drop column grace_min, drop column half_below_min;
alter table workday_leave_type drop column carry_halves, drop column is_encashed;
