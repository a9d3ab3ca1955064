import { sql } from 'kysely';

/** Who came late on a day, each once: at the gate, by a mark of a register, or both, with the earlier of the times. */
export const lateOn = (day: string) => sql`
  select one.student_id, min(one.section_id) as section_id, min(one.arrived_at) as arrived_at, bool_or(one.is_at_gate) as is_at_gate,
    bool_or(not one.is_at_gate) as is_marked
  from (
    select gate.student_id, there.section_id, gate.arrived_at, true as is_at_gate
    from attendance_gate gate join student_on(${day}) there on there.student_id = gate.student_id
    where gate.day = ${day}::date and there.section_id is not null
    union all
    select mark.student_id, register.section_id, mark.arrived_at, false
    from attendance_register register
    join attendance_mark mark on mark.register_id = register.id
    join attendance_code code on code.id = mark.code_id and code.kind = 'Late'
    where register.day = ${day}::date and register.weight > 0) as one
  group by one.student_id`;
