import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import { isForAdmins } from './recipient.ts';

/** Acts in the words of a subject line, by the action of the audit row. */
export const reportedActs: Record<string, Text> = {
  'academic-year.changed': text`Changed the current academic year`,
  'academic-year.closed': text`Closed an academic year`,
  'academic-year.reopened': text`Reopened an academic year`,
  'academic-year.rolled-over': text`Copied the academic year to a new year`,
  'academic-year.discarded': text`Deleted the academic year with all its data`,
  'academic-year.removed': text`Deleted an academic year`,
  'section-student.promoted': text`Recorded the year-end decision`,
  'section-student.promotion-undone': text`Undid the promotion`,
  'turn.made': text`Promoted all grades`,
  'turn.undone': text`Undid the promotion of all grades`,
  'school.profile-changed': text`Changed the school profile`,
  'setting.changed': text`Changed a setting`,
  'setting.reset': text`Restored the default of a setting`,
  'fee-proposal.asked': text`Asked to change where fees are paid`,
  'fee-proposal.applied': text`Approved a change of where fees are paid`,
  'school.signature-changed': text`Changed the principal’s signature`,
  'school.signature-removed': text`Removed the principal’s signature`,
  'fee-demand.list-printed': text`Printed demand slips`,
  'staff.id-cards-printed': text`Printed ID cards`,
  'student.id-cards-printed': text`Printed ID cards of students`,
  'report.section-list-printed': text`Printed the reports of a section`,
  'student.class-list-printed': text`Printed class lists`,
  'student.certificates-printed': text`Printed certificates of students`,
  'transport-trip.manifest-printed': text`Printed the riders of trips`,
  'student.fields-exported': text`Exported chosen fields of students`,
  'student.certificate-printed': text`Printed certificates`,
  'staff.relieved': text`Relieved a staff member`,
  'audit.exported': text`Exported the audit log`,
  'process.letters-printed': text`Printed admission letters`,
  'admission.form.printed': text`Printed an admission form`,
  'records.opened': text`Opened many records within an hour`,
  'admission.aadhaar.revealed': text`Saw whole Aadhaar numbers`,
};

/** One row of these acts counts the people it names. */
const namesMany = (action: string) =>
  /[.-](exported|cards-printed|list-printed|letters-printed|certificate-printed)$/.test(action) ||
  action === 'records.opened';

/** Reports an act to the other Admins. Names of children stay in the audit log. */
export const actReportedMessage: Template = {
  isFor: isForAdmins,
  render: async ({ db, publicUrl }, auditId) => {
    const row = await db
      .selectFrom('audit')
      .where('id', '=', String(auditId))
      .select(['actor', 'role', 'at', 'action', 'request_id', 'details'])
      .executeTakeFirst();
    if (!row) return undefined;
    const { count } = await db
      .selectFrom('audit')
      .where('request_id', '=', row.request_id)
      .where('at', '>=', row.at)
      .where('at', '<', sql<Date>`${row.at}::timestamptz + interval '1 hour'`)
      .where('action', '=', row.action)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const details = row.details as Record<string, unknown>;
    const { actor } = row;
    const act =
      reportedActs[row.action] ?? (namesMany(row.action) ? text`Exported a list of names` : verbatim(row.action));
    const number = namesMany(row.action) ? Number(details.rows) : Number(count);
    const time = row.at.toLocaleTimeString('en-IN', { timeZone: localTimeZone, hour: 'numeric', minute: '2-digit' });
    return {
      subject: text`${{ actor }}: ${{ act }}`,
      paragraphs: [
        text`User: ${{ actor }} (${{ role: { id: row.role ?? '' } }})`,
        text`Action: ${{ act }}`,
        text`Records: ${{ number }}`,
        text`Time: ${{ day: showDate(toLocalDate(row.at)) }}, ${{ time }}`,
        text`Audit log entry: ${{ entry: String(auditId) }}`,
        text`If you did not expect this, call ${{ actor }}. If ${{ actor }} did not do it, end their sessions and deactivate their account: ${{ link: `${publicUrl}/school-erp/sign-in/account` }}`,
        text`Audit log: ${{ log: `${publicUrl}/school-erp/audit` }}`,
      ],
    };
  },
};
