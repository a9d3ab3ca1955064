/** Colours that can be told apart and read, in light and dark; each is shown beside its name. */
export const colours = ['Teal', 'Blue', 'Indigo', 'Purple', 'Pink', 'Red', 'Orange', 'Amber', 'Green', 'Grey'] as const;
