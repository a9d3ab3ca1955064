import { admin, staff } from '#access/contract/grants.ts';
import type { Grant } from '#kit/contract/endpoint.ts';
import { recordCard } from '#kit/contract/record-card.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { StaffRecord } from './record.ts';

/** Who reads the reports of others; each person reads the own one. */
export const reportReaders = [admin(), staff('hr', 'principal', 'headOfDepartment')] as const;

/** Declares a card of the staff report, which the person reads too. */
export const reportCard = (
  key: string,
  part: 'profile' | 'employment' | 'school' | 'documents',
  order: number,
  title: Text,
  access: readonly Grant[] = reportReaders,
) => recordCard<StaffRecord>()({ record: 'staff', key, part, order, title, access, isOwn: true });

export const postCard = reportCard('post', 'employment', 10, text`Profile and employment`);
export const educationCard = reportCard('education', 'documents', 10, text`Qualifications`);
export const papersCard = reportCard('papers', 'documents', 20, text`Documents`, [admin(), staff('hr')]);
