import { answerSections, type ReviewedDocument, type ReviewRecord } from '../../contract/review.ts';

type Section = ReviewRecord['sections'][number];

/** What a reviewer goes through one after the other: the sections with answers, then the documents. */
export type ReviewItem =
  | { kind: 'section'; key: string; section: Section }
  | { kind: 'document'; key: string; document: ReviewedDocument };

export const itemsOf = ({ sections, documents }: ReviewRecord): ReviewItem[] => [
  ...sections
    .filter(({ section }) => (answerSections as readonly string[]).includes(section))
    .map((section) => ({ kind: 'section' as const, key: `section-${section.section}`, section })),
  ...documents.map((document) => ({ kind: 'document' as const, key: `document-${document.id}`, document })),
];
