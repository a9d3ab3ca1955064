import { sql } from 'kysely';
import { studentList, type transportWays } from '#features/student/contract/list.ts';
import type { ListCondition } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

const byBus: (typeof transportWays)[number] = 'By bus';

/** The filter of the Student List by who has a seat on a bus today. */
export const studentsByBus: ListCondition = {
  list: studentList.name,
  filter: 'transport',
  passes: (
    { now },
    id,
    value,
  ) => sql<boolean>`(${id} in (select student_id from transport_rides_on(${toLocalDate(now())}::date)
    where student_id is not null and trip_id is not null)) = ${value === byBus}`,
};
