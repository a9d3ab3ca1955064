-- Corrections of locked marks are decided as requests.
alter table approval add column attendance_correction_id integer references attendance_correction;
create unique index approval_attendance_correction on approval (attendance_correction_id) where status = 'Pending';
create index on approval (attendance_correction_id);
alter table approval drop constraint approval_kind;
alter table approval add constraint approval_kind check (kind in ('fee.structure', 'attendance.correction'));
alter table approval drop constraint approval_subject;
alter table approval add constraint approval_subject check (
  (kind = 'fee.structure') = (fee_structure_id is not null)
  and (kind = 'attendance.correction') = (attendance_correction_id is not null));
