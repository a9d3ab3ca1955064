import { openBrowser } from '../browser.ts';
import { linkValueOf } from '../family.ts';
import { type PlacesAsked, placeOperations, type Said } from '../places.ts';
import { plantTicket } from '../tickets.ts';
import { sectionsOn } from './acting.ts';
import type { Broken } from './invariants.ts';
import type { YearSchool } from './school.ts';

/** How many children are asked about one by one. */
const drawn = 4;

/** A ticket about each of the first children, by which some screens are opened. */
export async function openScreens({ school, people }: YearSchool) {
  const children = await school.sql(`select id, gr_no as "grNo", name, birth_date::text as "birthDate" from student
    where left_on is null order by id limit ${drawn}`);
  const tickets: number[] = [];
  for (const { id } of children) {
    const ticket = await plantTicket(school, people.principal.staffId);
    await school.sql(`update ticket set about_student_id = ${id} where id = ${ticket}`);
    tickets.push(ticket);
  }
  return { children: children as unknown as PlacesAsked['children'], tickets };
}

/** The link of a family that has a child at school on a day. */
async function linkOn({ school }: YearSchool, day: string) {
  const [adult] = await school.sql(`select id from guardian
    where exists (select from family_children(guardian.id, '${day}')) order by id limit 1`);
  return linkValueOf(school, Number(adult?.id));
}

/** Every place that a screen says of a child on a morning without registers and moves, other than the database's one rule says it. */
export async function wrongScreens(
  world: YearSchool,
  opened: Awaited<ReturnType<typeof openScreens>>,
  day: string,
): Promise<Broken[]> {
  const { school, people, prices, years, app } = world;
  world.clockAt(day, '07:00');
  const places =
    await school.sql(`select student.id, place.name as place, section.name as section, place.roll_no as "rollNo"
    from student cross join lateral student_place(student.id, '${day}') place
    left join academic_section section on section.id = place.section_id`);
  const placeOf = new Map(places.map((row) => [Number(row.id), row as unknown as Said]));
  const year = day < years.next.startsOn ? years.old : years.next;
  const asked: PlacesAsked = {
    ...opened,
    ...people,
    year: { ...year, sections: sectionsOn(world, day) },
    programId: prices.place.programId,
    family: openBrowser(app),
    link: await linkOn(world, day),
  };
  const wrong: Broken[] = [];
  for (const [operation, { read }] of Object.entries(placeOperations))
    for (const [student, { classTeacher: _, ...said }] of await read(asked)) {
      const place = placeOf.get(student);
      // Asked by GR number, of which only those drawn are known.
      if (!place) continue;
      const parts = Object.entries(said).filter(([part, word]) => word !== place[part as keyof Said]);
      if (parts.length > 0)
        wrong.push({
          student,
          words: `${operation} says ${JSON.stringify(said)} on ${day}, and not ${JSON.stringify(place)}`,
        });
    }
  return wrong;
}
