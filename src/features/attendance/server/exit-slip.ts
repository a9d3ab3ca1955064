import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { openTemplate, type PaperData } from '#kit/server/paper/paper.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type exitApi, gateKeepers } from '../contract/exit.ts';
import { clockOf } from './clock.ts';

interface GatePass extends PaperData {
  number: string;
  name: string;
  facts: (readonly [name: Text, value: string])[];
  signatures: readonly [Text, Text];
  made: Text;
}
const gatePass = openTemplate<GatePass>(new URL('./gate-pass.typ', import.meta.url));

export const slip: Handler<typeof exitApi.slip> = async (ctx, { id }) => {
  const { rows } = await sql<{
    studentId: number;
    passNo: string;
    name: string;
    grNo: string;
    section: string;
    day: string;
    leftAt: string;
    reason: string;
    person: string;
    relation: string;
    allowedBy: string | null;
    enteredBy: string;
  }>`
    select student.id as "studentId", exit.pass_no as "passNo", student.name, student.gr_no as "grNo",
      academic_section_name(grade.name, section.name) as section, exit.day::text, to_char(exit.left_at, 'HH24:MI') as "leftAt",
      exit.reason, coalesce(adult.name, exit.person) as person, coalesce(relation.name, exit.relation) as relation,
      allowing.name as "allowedBy", keeper.name as "enteredBy"
    from attendance_exit exit
    join student on student.id = exit.student_id
    cross join lateral (select section_id from student_on(exit.day) own where own.student_id = exit.student_id) as there
    join academic_section section on section.id = there.section_id
    join academic_grade grade on grade.id = section.grade_id
    join staff keeper on keeper.id = exit.entered_by
    left join staff allowing on allowing.id = exit.allowed_by
    left join guardian adult on adult.id = guardian_now(exit.guardian_id)
    left join student_guardian bond on bond.student_id = exit.student_id and bond.guardian_id = adult.id
    left join academic_lookup relation on relation.id = bond.relation_id
    where exit.id = ${id} and ${inScope(ctx.user, gateKeepers, { branch: sql`section.branch_id` })}`.execute(ctx.db);
  const [pass] = rows;
  if (!pass) throw notFound();
  const { studentId, passNo, day, person, relation, allowedBy } = pass;
  await audit(ctx, {
    action: 'attendance.pass-printed',
    entity: 'student',
    entityId: studentId,
    details: { 'Gate pass': passNo },
  });
  const data: GatePass = {
    head: await ctx.readPaperHead(ctx),
    title: text`Gate pass`,
    number: passNo,
    name: pass.name,
    facts: [
      [text`GR number`, pass.grNo],
      [text`Section`, pass.section],
      [text`Day`, showDate(day)],
      [text`Leaves at`, pass.leftAt],
      [text`With`, relation ? `${person} (${relation})` : person],
      [text`Reason`, pass.reason],
      ...(allowedBy ? ([[text`Allowed by`, allowedBy]] as const) : []),
      [text`Entered by`, pass.enteredBy],
    ],
    signatures: [text`Office`, text`Guard`],
    made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} at ${{ time: verbatim(clockOf(ctx.now())) }} by ${{ by: ctx.user.name }}`,
  };
  const bytes = await ctx.makePaper(gatePass, data, ctx.caller);
  return { mediaType: 'application/pdf', name: `${passNo.replaceAll('/', '-')}.pdf`, bytes };
};
