-- Who closes the day of another cashier says why.
alter table fee_day add constraint fee_day_closer
  check (closed_by is null or closed_by = staff_id or reason <> '') not valid;
