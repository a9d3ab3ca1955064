/** The five pages of the form in their order. */
export const formPaths = ['/admission', '/admission1', '/admission2', '/admission3', '/admission4'] as const;

export type FormPath = (typeof formPaths)[number];

/** Search parameters of the form's pages. */
export const formSearch = ['inquiryNo', 'return'] as const;
