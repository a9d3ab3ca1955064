import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { academicMasters } from '../contract/masters.ts';
import { academicPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import board from './board.ts';
import { copiedSections } from './copied-sections.ts';
import { sectionCard } from './dashboard-card.ts';
import gradingScale from './grading-scale.ts';
import { classStep } from './set-up.ts';
import { academicYearEnd } from './year-end.ts';

export const academic = serverFeature({
  pages: academicPages,
  routes: [...board, ...gradingScale],
  masters: academicMasters,
  cards: [sectionCard],
  rollOver: [copiedSections],
  seed: () => import('../seed.ts'),
  setUp: [classStep],
  yearEnd: academicYearEnd,
  auditArea: text`Classes and calendar`,
  auditWords,
});
