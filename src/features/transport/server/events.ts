import { type RawBuilder, sql } from 'kysely';
import { admin, staff, studentReaders } from '#access/contract/grants.ts';
import { text } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';

/** A ride begins and ends, in even and odd ids of the assignment. */
const ridesOf =
  (person: RawBuilder<unknown>): EventSource['find'] =>
  async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; isEnd: boolean; stop: string; reason: string }>`
      select day::text, id, "isEnd", stop, reason from (
        select own.effective_from as day, own.id * 2 as id, false as "isEnd", stop.name as stop, own.reason
        from transport_assignment own join transport_stop stop on stop.id = coalesce(own.pickup_stop_id, own.drop_stop_id)
        where ${person} = ${id}
        union all
        select own.effective_to, own.id * 2 + 1, true, stop.name, own.reason
        from transport_assignment own join transport_stop stop on stop.id = coalesce(own.pickup_stop_id, own.drop_stop_id)
        where ${person} = ${id} and own.effective_to is not null) as event
      where day between ${from}::date and ${to}::date and ${isAfter(sql`day`, sql`id`)}
      order by event.day desc, id desc limit ${most}`.execute(db);
    return rows.map(({ isEnd, stop, reason, ...row }) => ({
      ...row,
      what: isEnd ? text`Last ride from ${{ stop }}` : text`Rides the bus from ${{ stop }}`,
      detail: reason,
    }));
  };

const words = { kind: 'ride', title: text`Transport` };

export const rideEvents: EventSource[] = [
  { ...words, record: 'student', access: studentReaders, find: ridesOf(sql`own.student_id`) },
  {
    ...words,
    record: 'staff',
    access: [admin(), staff('hr', 'principal', 'headOfDepartment')],
    isOwn: true,
    find: ridesOf(sql`own.staff_id`),
  },
];
