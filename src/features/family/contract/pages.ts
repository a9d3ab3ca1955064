/** The page of a guardian's link, an entry of its own. */
export const familyPath = '/family';
