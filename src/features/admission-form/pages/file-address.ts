import { currentLink } from '#kit/browser/data/link.ts';

/** The address of a stored file, with the link that opens it. */
export const fileAddress = (id: string): string =>
  `/api/admission/files/${encodeURIComponent(id)}?inquiryNo=${encodeURIComponent(currentLink())}`;
