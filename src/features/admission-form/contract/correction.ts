import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { options } from '#kit/contract/text.ts';
import { noInput, path, spoken } from './form.ts';

/** The parts of a form that the school reviews, in the order of the form. */
export const reviewSections = options('Child', 'Family', 'Health', 'Contacts', 'Languages', 'Documents');
export type ReviewSection = (typeof reviewSections)[number];

/** The page of the form, from 1 to 5, on which a section is corrected. */
export const pageOfSection: Record<ReviewSection, number> = {
  Child: 1,
  Family: 2,
  Health: 3,
  Contacts: 4,
  Languages: 5,
  Documents: 5,
};

/** What the school asks a family to correct. Only these pages are open; the others stay as they were submitted. */
export const correction = z.object({
  pages: z.array(z.number()),
  remarks: z.array(
    z.object({
      section: z.enum(reviewSections),
      /** The field, or the name of the document; '' for the whole section. */
      field: z.string(),
      remark: z.string(),
      /** Since the school asked, the page was saved, or a document of this name was uploaded. */
      isAnswered: z.boolean(),
    }),
  ),
});
export type Correction = z.infer<typeof correction>;

export const correctionApi = {
  /** Submits a correction that does not reopen the last page, whose languages are then not asked for again. */
  resubmit: endpoint({
    method: 'POST',
    path: `${path}/correction`,
    access: 'link',
    envelope: true,
    input: noInput,
    output: z.object(spoken),
  }),
};
