-- A paper of a leave, such as a doctor's certificate.
alter table attendance_leave add column paper_id uuid references file;
create index on attendance_leave (paper_id);
grant update (paper_id) on attendance_leave to shala_app;
