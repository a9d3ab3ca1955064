import type { Grant } from '#kit/contract/endpoint.ts';
import { recordCard } from '#kit/contract/record-card.ts';
import type { Text } from '#kit/contract/text.ts';
import type { StudentHead } from './record.ts';

/** Declares a card of a student's record. */
export const studentCard = (
  key: string,
  part: 'now' | 'school' | 'papers' | 'health' | 'history',
  order: number,
  title: Text,
  access: readonly Grant[],
) => recordCard<StudentHead>()({ record: 'student', key, part, order, title, access });
