import { currentLink } from '#kit/browser/data/link.ts';

/** The address of a stored file, for whoever holds the link. */
export const fileAddress = (id: string): string =>
  `/api/admission/files/${encodeURIComponent(id)}?inquiryNo=${encodeURIComponent(currentLink())}`;
