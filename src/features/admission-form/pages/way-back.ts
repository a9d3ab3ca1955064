export interface Search {
  inquiryNo?: string;
  return?: 'check';
}

type Inquiry = Pick<Search, 'inquiryNo'>;

/** The search of a link to another page, which does not return here. */
export const plainSearch = ({ inquiryNo }: Inquiry): Search => ({ ...(inquiryNo !== undefined && { inquiryNo }) });

/** The search of a "Change" link: saving returns to "Check your answers". */
export const changeSearch = (search: Inquiry): Search => ({ ...plainSearch(search), return: 'check' });

/** Whether the page was opened by "Change". */
export const isChange = (search: string): boolean => new URLSearchParams(search).get('return') === 'check';

const prefix = 'check-';

/** The hash that names the answer just changed; the field may be unknown. */
export const hashOfChecked = (field: string): string => `${prefix}${field}`;

/**
 * The field that an address's hash names as just changed; '' where it is unknown, undefined where nothing was changed.
 */
export const checkedAt = (hash: string): string | undefined =>
  hash.startsWith(`#${prefix}`) ? hash.slice(prefix.length + 1) : undefined;
