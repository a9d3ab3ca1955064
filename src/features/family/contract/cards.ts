import { studentCard } from '#features/student/contract/cards.ts';
import { text } from '#kit/contract/text.ts';
import { linkKeepers } from './link.ts';

/** The links of a child's guardians, on its record. */
export const familyLinkCard = studentCard('family-page', 'now', 35, text`Family page`, linkKeepers);
