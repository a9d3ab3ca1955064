/** The value of the link this page was opened with; empty when there is none. Read from the address alone, stored nowhere. */
export const currentLink = (): string => new URLSearchParams(window.location.search).get('inquiryNo') ?? '';

/** The address of a stored file, for whoever holds the link. */
export const fileAddress = (id: string): string =>
  `/api/admission/files/${encodeURIComponent(id)}?inquiryNo=${encodeURIComponent(currentLink())}`;
