import { admin, staff } from '#access/contract/grants.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { text } from '#kit/contract/text.ts';

/** Who sends guardians their links: every branch for an Admin, the branches of their account for others. */
export const linkKeepers = [admin(), staff('office', 'principal')] as const;

/** The links of a child's guardians, on its record. */
export const familyLinkCard = studentCard('family-page', 'now', 18, text`Family page`, linkKeepers);
