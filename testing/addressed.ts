import { createAccount } from '#features/account/api.ts';
import { extendLinks } from '#features/family/api.ts';
import type { MessageExample } from './examples.ts';
import { nextNumber } from './numbers.ts';
import type { School } from './school.ts';
import { raise, seat } from './seated.ts';
import { openSection } from './teachers.ts';

export const salt = `substr(sha256('x'), 1, 16)`;

/** The id that a statement returns. */
export const idOf = async ({ sql }: Pick<School, 'sql'>, statement: string) => Number((await sql(statement))[0]?.id);

/** A message to the father of an inquiry by email, by default about the inquiry. */
export async function toFamily(school: School, inquiryId: number, subjectId = inquiryId): Promise<MessageExample> {
  const [row] = await school.sql(`select father_email, link_version from admission_inquiry where id = ${inquiryId}`);
  return {
    subjectId,
    recipient: String(row?.father_email),
    version: Number(row?.link_version),
    change: `update admission_inquiry set father_email = 'other@family.example' where id = ${inquiryId}`,
  };
}

interface Account {
  isAdmin?: boolean;
  /** Makes what the message is about; the account by default. */
  subject?: (account: { id: number; email: string; staffId: number }) => Promise<number>;
}

/** A message to a new account by email. */
export async function toAccount(school: School, { isAdmin = false, subject }: Account = {}): Promise<MessageExample> {
  const number = nextNumber();
  const email = `owner${number}@staff.example`;
  const { id, staffId } = await createAccount(school.context(), 'Test', {
    name: 'Owner',
    email,
    isStaff: true,
    isAdmin,
    ...(isAdmin && { userName: `owner${number}`, password: 'teak-tree-9' }),
  });
  return {
    subjectId: (await subject?.({ id, email, staffId })) ?? id,
    recipient: email,
    change: `update staff set email = 'other${number}@staff.example' where id = ${staffId}`,
  };
}

/** A message to the father of a child by SMS. */
export async function toGuardian(
  school: School,
  subject: (of: { studentId: number; guardianId: number }) => Promise<number>,
): Promise<MessageExample> {
  const studentId = await seat(school, await openSection(school), 'Aarav');
  const mobile = String(9_300_000_000 + nextNumber());
  const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId}`);
  const subjectId = await subject({ studentId, guardianId });
  return { subjectId, recipient: mobile, change: newMobile(guardianId) };
}

/** A message with the link to the family page of a guardian. */
export async function withFamilyLink(
  school: School,
  guardianId: number,
  subjectId = guardianId,
): Promise<MessageExample> {
  const [row] = await school.sql(`select mobile from guardian where id = ${guardianId}`);
  const [link] = await school.services.db
    .transaction()
    .execute((db) => extendLinks({ ...school.context(), db }, [guardianId]));
  return {
    subjectId,
    recipient: String(row?.mobile),
    version: Number(link?.version),
    change: newMobile(guardianId),
  };
}

const newMobile = (guardianId: number) =>
  `update guardian set mobile = '${9_400_000_000 + nextNumber()}' where id = ${guardianId}`;
