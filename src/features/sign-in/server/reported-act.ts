import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';

/** What was done, by the action of its audit row. */
export const reportedActs: Record<string, string> = {
  'academic-year.changed': 'changed the current academic year',
  'academic-year.rolled-over': 'created or completed an academic year from another one',
  'academic-year.discarded': 'deleted an academic year with everything in it',
  'academic-year.removed': 'deleted an academic year',
  'section-student.promoted': 'promoted students',
  'school.profile-changed': 'changed the school profile',
  'school.settings-changed': 'changed the settings',
  'school.signature-changed': 'changed the principal’s signature',
  'school.signature-removed': 'removed the principal’s signature',
  'audit.exported': 'exported the audit log',
};

const isExport = (action: string) => action.endsWith('.exported');

/** Tells an Admin who did what, to how many records and when. Names of children stay in the audit log. */
export const actReportedMessage: Template = async ({ db, publicUrl }, auditId) => {
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
  const done = reportedActs[row.action] ?? (isExport(row.action) ? 'exported a list with names' : row.action);
  const number = isExport(row.action) ? Number(details.rows) : Number(count);
  const time = row.at.toLocaleTimeString('en-IN', { timeZone: localTimeZone, hour: 'numeric', minute: '2-digit' });
  const facts = [
    `Who: ${row.actor} (${row.role})`,
    `What: ${done}`,
    `How many: ${number}`,
    `When: ${showDate(toLocalDate(row.at))}, ${time}`,
    `Audit log entry: ${auditId}`,
  ];
  return {
    subject: `${row.actor} ${done}`,
    text:
      `${facts.join('\n')}\n\nIf you did not expect this, ask ${row.actor} by phone. If they did not do it, end their ` +
      `sessions and close their account: ${publicUrl}/school-erp/sign-in/account . The audit log is at ${publicUrl}/school-erp/audit .`,
  };
};
